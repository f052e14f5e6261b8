#include "damier/arena/judged_positions.h"

#include <algorithm>
#include <mutex>

#include <fmt/format.h>

#include "damier/base/interrupt.h"
#include "damier/base/text.h"
#include "damier/base/workers.h"

namespace damier::arena {

namespace {

Result<JudgedPosition> read_judged_line(std::string_view line, const games::AnyGame& game) {
  const auto parts = split(line, ';');
  if (parts.size() != 3) {
    return Error{fmt::format("{} has {} parts; expected POSITION;win|draw;MOVES", in_quotes(line),
                             parts.size())};
  }
  JudgedPosition position;
  auto session = game.start_from(trim(parts[0]));
  if (!session) return std::move(session).error();
  position.session = *std::move(session);
  if (position.session->outcome() != games::Outcome::ongoing) {
    return Error{fmt::format("the game is over in {}", in_quotes(parts[0]))};
  }
  const std::string_view value = trim(parts[1]);
  if (value == verdict_text(Verdict::win)) position.value = Verdict::win;
  if (value == verdict_text(Verdict::draw)) position.value = Verdict::draw;
  if (position.value == Verdict::unknown) {
    return Error{fmt::format("the value {}; expected win or draw", in_quotes(value))};
  }
  for (const std::string_view move : split(trim(parts[2]), ' ')) {
    const auto action = position.session->parse_move(move);
    if (!action) return action.error();
    position.keeping.push_back(*action);
  }
  return position;
}

}  // namespace

Result<std::vector<JudgedPosition>> read_judged(std::string_view text, std::string_view source,
                                                const games::AnyGame& game) {
  std::vector<JudgedPosition> positions;
  int number = 0;
  for (const std::string_view line : split(text, '\n')) {
    ++number;
    if (trim(line).empty()) continue;
    auto position = read_judged_line(trim(line), game);
    if (!position) {
      return Error{position.error().message, {std::string(source), number}};
    }
    positions.push_back(*std::move(position));
  }
  if (positions.empty()) {
    return Error{"no positions; expected lines POSITION;win|draw;MOVES", {std::string(source)}};
  }
  return positions;
}

std::string_view judged_of(std::string_view game) {
  for (const auto& [name, text] : builtin_judged()) {
    if (name == game) return text;
  }
  return {};
}

std::vector<JudgedPosition> some_of(std::vector<JudgedPosition> all, std::size_t count) {
  if (count >= all.size()) return all;
  std::vector<JudgedPosition> some;
  for (std::size_t i = 0; i < count; ++i) some.push_back(std::move(all[i * all.size() / count]));
  return some;
}

std::vector<Metric> metrics_of(const JudgedMoves& moves) {
  std::vector<Metric> metrics = {{"kept", moves.all()}};
  if (moves.won > 0) metrics.emplace_back("kept_won", moves.wins());
  if (moves.drawn > 0) metrics.emplace_back("kept_drawn", moves.draws());
  return metrics;
}

Result<std::vector<JudgedMoves>> judged_moves(const Toolkit& toolkit,
                                              const std::vector<std::string>& players,
                                              const std::vector<JudgedPosition>& positions,
                                              Seed seed, ThreadPool& pool,
                                              const std::function<void()>& on_done) {
  std::vector<OpenedPlayer> opened;
  for (const std::string& name : players) {
    auto player = open_player(toolkit, name);
    if (!player) return std::move(player).error();
    if (player->is_human()) return Error{"a human cannot be asked here; expected another player"};
    opened.push_back(*std::move(player));
  }
  using Made = std::vector<std::unique_ptr<Player>>;
  Workers<Made> workers;
  std::vector<std::uint8_t> kept(positions.size() * players.size());
  std::mutex mutex;
  workers.for_each(
      pool, positions.size(),
      [&] {
        Made made;
        for (const OpenedPlayer& player : opened) made.push_back(player.make());
        return made;
      },
      [&](const Made& made, std::size_t i) {
        const JudgedPosition& position = positions[i];
        for (std::size_t p = 0; p < made.size(); ++p) {
          if (interrupted()) return;
          RandomStream random(seed, "judged", i);
          const games::Action action = made[p]->choose(*position.session, random);
          kept[i * players.size() + p] = std::find(position.keeping.begin(), position.keeping.end(),
                                                   action) != position.keeping.end();
        }
        const std::lock_guard lock(mutex);
        on_done();
      });
  if (interrupted()) return interruption();
  std::vector<JudgedMoves> all;
  for (std::size_t p = 0; p < players.size(); ++p) {
    JudgedMoves& moves = all.emplace_back();
    moves.player = opened[p].name;
    for (std::size_t i = 0; i < positions.size(); ++i) {
      const bool won = positions[i].value == Verdict::win;
      ++(won ? moves.won : moves.drawn);
      (won ? moves.won_kept : moves.drawn_kept) += kept[i * players.size() + p];
    }
  }
  return all;
}

}  // namespace damier::arena
