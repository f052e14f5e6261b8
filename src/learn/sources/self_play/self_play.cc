#include "damier/learn/sources/self_play/self_play.h"

#include <utility>

#include "damier/base/files/bytes.h"

namespace damier::learn {

namespace {

SelfPlayFigures read_figures_of(ByteReader& bytes) {
  SelfPlayFigures figures;
  SelfPlayFigures::each(figures, [&](std::string_view, std::uint64_t& figure) {
    figure = bytes.number<std::uint64_t>();
  });
  return figures;
}

}  // namespace

void SelfPlayFigures::add(const SelfPlayFigures& other) {
  std::vector<std::uint64_t> numbers;
  each(other, [&](std::string_view, std::uint64_t figure) { numbers.push_back(figure); });
  std::size_t at = 0;
  each(*this, [&](std::string_view, std::uint64_t& figure) { figure += numbers[at++]; });
}

MatchCounts match_counts(std::vector<MatchedGame> played) {
  MatchCounts counts;
  for (const MatchedGame& game : played) {
    const bool first_wins = game.outcome == games::Outcome::first_wins;
    if (game.outcome == games::Outcome::draw) {
      ++counts.draws;
    } else {
      ++(first_wins == game.network_first ? counts.wins : counts.losses);
    }
  }
  counts.played = std::move(played);
  return counts;
}

double MatchCounts::score() const {
  if (games() == 0) return 0.5;
  const auto points = static_cast<double>(wins) + static_cast<double>(draws) / 2;
  return points / static_cast<double>(games());
}

std::vector<Column> self_play_columns(std::uint64_t inputs, std::uint64_t actions) {
  using nn::DType;
  return {{"input", DType::f32, inputs},
          {"moves", DType::f32, actions},
          {"legal", DType::u8, actions},
          {"value", DType::f32, 1},
          {std::string(kGroupColumn), DType::i64, 1}};
}

std::string packed_game(const SelfPlayFigures& figures, const RowBuffer& rows) {
  ByteWriter bytes;
  SelfPlayFigures::each(figures,
                        [&](std::string_view, std::uint64_t figure) { bytes.number(figure); });
  rows.pack(bytes);
  return bytes.take();
}

SelfPlayFigures unpacked_figures(std::string_view packed_game) {
  ByteReader bytes(packed_game);
  return read_figures_of(bytes);
}

std::string packed_match_game(const MatchedGame& game) {
  ByteWriter bytes;
  bytes.number(game.network_first).number(static_cast<std::uint8_t>(game.outcome));
  for (const std::string& move : game.moves) bytes.text(move);
  return bytes.take();
}

Result<SelfPlayFigures> collect_games(const SelfPlayGames& games, RowSink& sink, SharedWork work,
                                      Ranks& ranks) {
  SelfPlayFigures sum;
  work.count = games.count;
  work.numbers = numbers_from(games.first, games.count);
  work.in_order = true;
  work.take = [&](std::uint64_t, std::string_view answer) -> Result<bool> {
    ByteReader bytes(answer);
    const SelfPlayFigures figures = read_figures_of(bytes);
    TRY(append_packed(bytes, Split::training, sink));
    sum.add(figures);
    if (games.tell) games.tell(sum.games, sum.simulations);
    return true;
  };
  TRY(ranks.share(work));
  return sum;
}

Result<MatchCounts> collect_match(const MatchRequest& request, SharedWork work, Ranks& ranks) {
  std::vector<MatchedGame> played;
  work.count = request.games.count;
  work.numbers = numbers_from(request.games.first, request.games.count);
  work.in_order = true;
  work.take = [&](std::uint64_t, std::string_view answer) -> Result<bool> {
    ByteReader bytes(answer);
    MatchedGame& game = played.emplace_back();
    game.network_first = bytes.number<bool>();
    game.outcome = static_cast<games::Outcome>(bytes.number<std::uint8_t>());
    while (!bytes.at_end()) game.moves.emplace_back(bytes.text());
    return true;
  };
  TRY(ranks.share(work));
  return match_counts(std::move(played));
}

}  // namespace damier::learn
