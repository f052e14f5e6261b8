#include "damier/learn/sources/self_play/self_play.h"

#include "damier/base/files/bytes.h"
#include "damier/base/text/text.h"

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
    add_figures(sum, figures);
    if (games.tell) games.tell(sum.games, sum.simulations);
    return true;
  };
  TRY(ranks.share(work));
  return sum;
}

Result<MatchCounts> collect_match(const SelfPlayGames& games, SharedWork work, Ranks& ranks) {
  MatchCounts match;
  work.count = games.count;
  work.numbers = numbers_from(games.first, games.count);
  work.in_order = true;
  work.take = [&](std::uint64_t, std::string_view answer) -> Result<bool> {
    ByteReader bytes(answer);
    MatchedGame& game = match.played.emplace_back();
    game.network_first = bytes.number<bool>();
    game.outcome = static_cast<games::Outcome>(bytes.number<std::uint8_t>());
    while (!bytes.at_end()) game.moves.emplace_back(bytes.text());
    const auto verdict = games::verdict_of(
        game.outcome, game.network_first ? games::Side::first : games::Side::second);
    ++(verdict == games::Verdict::win    ? match.wins
       : verdict == games::Verdict::loss ? match.losses
                                         : match.draws);
    return true;
  };
  TRY(ranks.share(work));
  return match;
}

void add_match_rows(const MatchCounts& match, const std::string& network,
                    const std::string& opponent, int epoch, std::vector<GameRow>& rows) {
  constexpr std::int64_t kMaxInAnEpoch = 1'000'000;
  for (const MatchedGame& game : match.played) {
    GameRow row;
    row.number = epoch * kMaxInAnEpoch + std::ssize(rows);
    row.pair = row.number / 2;
    row.first = game.network_first ? network : opponent;
    row.second = game.network_first ? opponent : network;
    row.outcome = games::outcome_word(game.outcome);
    row.plies = std::ssize(game.moves);
    row.moves = join(game.moves, " ");
    rows.push_back(std::move(row));
  }
}

}  // namespace damier::learn
