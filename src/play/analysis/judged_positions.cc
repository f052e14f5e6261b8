#include "damier/play/analysis/judged_positions.h"

#include <algorithm>
#include <mutex>

#include <fmt/format.h>

#include "damier/base/files/interrupt.h"
#include "damier/base/parallel/workers.h"
#include "damier/base/text/text.h"
#include "damier/games/judged_line.h"

namespace damier::play {

namespace {

Result<JudgedPosition> judged_position(std::string_view text, const games::AnyGame& game) {
  const auto line = games::read_judged_line(text);
  if (!line) return line.error();
  JudgedPosition position;
  auto session = game.start_from(line->position);
  if (!session) return std::move(session).error();
  position.session = *std::move(session);
  if (position.session->outcome() != games::Outcome::ongoing) {
    return Error{fmt::format("the game is over in {}", in_quotes(line->position))};
  }
  position.value = line->value;
  if (line->value == Verdict::win) position.distance = line->distance;
  for (const games::JudgedMove& move : line->moves) {
    const auto action = position.session->parse_move(move.text);
    if (!action) return action.error();
    if (move.value != line->value) continue;
    position.keeping.push_back(*action);
    position.distances.push_back(move.distance);
  }
  if (!line->has_marks && line->value == Verdict::loss) {
    return Error{"the value 'loss'; expected win or draw, or every move with its own"};
  }
  return position;
}

bool leaves_a_choice(const JudgedPosition& position) {
  return position.keeping.size() < position.session->legal_actions().size();
}

}  // namespace

Result<std::vector<JudgedPosition>> read_judged(std::string_view text, std::string_view source,
                                                const games::AnyGame& game) {
  std::vector<JudgedPosition> positions;
  int number = 0;
  for (const std::string_view line : split(text, '\n')) {
    ++number;
    if (trim(line).empty()) continue;
    auto position = judged_position(trim(line), game);
    if (!position) {
      return Error{position.error().message, {std::string(source), number}};
    }
    if (leaves_a_choice(*position)) positions.push_back(*std::move(position));
  }
  if (positions.empty()) {
    return Error{
        "no positions where a move can be a mistake; expected lines POSITION;win|draw;"
        "MOVES",
        {std::string(source)}};
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
  if (!moves.plies_lost.empty()) metrics.emplace_back("plies_lost", moves.lost());
  return metrics;
}

std::vector<Metric> metrics_of(const Conversions& conversions) {
  if (conversions.positions == 0) return {};
  std::vector<Metric> metrics = {{"converted", conversions.wins()}};
  if (conversions.won > 0) metrics.emplace_back("plies_over_distance", conversions.ratio());
  return metrics;
}

namespace {

Result<OpenedPlayer> opened_program(const Toolkit& toolkit, const std::string& name) {
  auto player = open_player(toolkit, name);
  if (player && player->is_human()) {
    return Error{"a human cannot be asked here; expected another player"};
  }
  return player;
}

Result<std::vector<OpenedPlayer>> opened_programs(const Toolkit& toolkit,
                                                  const std::vector<std::string>& names) {
  std::vector<OpenedPlayer> opened;
  for (const std::string& name : names) {
    auto player = opened_program(toolkit, name);
    if (!player) return std::move(player).error();
    opened.push_back(*std::move(player));
  }
  return opened;
}

using Made = std::vector<std::unique_ptr<Player>>;

Made made(const std::vector<OpenedPlayer>& opened) {
  Made players;
  for (const OpenedPlayer& player : opened) players.push_back(player.make());
  return players;
}

// The plies that the side to move needed to win; 0 where it has not won.
int plies_won(const JudgedPosition& position, Player& attacker, Player& defender,
              RandomStream& random) {
  const auto session = position.session->clone();
  const games::Side side = session->side_to_move();
  int plies = 0;
  while (session->outcome() == games::Outcome::ongoing) {
    if (interrupted()) return 0;
    Player& player = session->side_to_move() == side ? attacker : defender;
    session->play(player.choose(*session, random));
    ++plies;
  }
  const auto winner =
      side == games::Side::first ? games::Outcome::first_wins : games::Outcome::second_wins;
  return session->outcome() == winner ? plies : 0;
}

}  // namespace

Result<std::vector<JudgedMoves>> judged_moves(const Toolkit& toolkit,
                                              const std::vector<std::string>& players,
                                              const std::vector<JudgedPosition>& positions,
                                              Seed seed, ThreadPool& pool,
                                              const std::function<void()>& on_done) {
  const auto opened = opened_programs(toolkit, players);
  if (!opened) return opened.error();
  Workers<Made> workers;
  constexpr std::size_t kNotKept = ~std::size_t{0};
  std::vector<std::size_t> kept(positions.size() * players.size(), kNotKept);  // which move
  std::mutex mutex;
  workers.for_each(
      pool, positions.size(), [&] { return made(*opened); },
      [&](const Made& asked, std::size_t i) {
        const JudgedPosition& position = positions[i];
        for (std::size_t p = 0; p < asked.size(); ++p) {
          if (interrupted()) return;
          RandomStream random(seed, "judged", i);
          const games::Action action = asked[p]->choose(*position.session, random);
          const auto at = std::find(position.keeping.begin(), position.keeping.end(), action);
          if (at == position.keeping.end()) continue;
          kept[i * players.size() + p] = static_cast<std::size_t>(at - position.keeping.begin());
        }
        const std::lock_guard lock(mutex);
        on_done();
      });
  if (interrupted()) return interruption();
  std::vector<JudgedMoves> all;
  for (std::size_t p = 0; p < players.size(); ++p) {
    JudgedMoves& moves = all.emplace_back();
    moves.player = (*opened)[p].name;
    for (std::size_t i = 0; i < positions.size(); ++i) {
      const JudgedPosition& position = positions[i];
      const bool won = position.value == Verdict::win;
      ++(won ? moves.won : moves.drawn);
      const std::size_t move = kept[i * players.size() + p];
      if (move == kNotKept) continue;
      ++(won ? moves.won_kept : moves.drawn_kept);
      if (position.distance == 0 || position.distances[move] == 0) continue;
      moves.plies_lost.push_back(position.distances[move] - position.distance);
    }
  }
  return all;
}

Result<std::vector<Conversions>> conversions_of(const Toolkit& toolkit,
                                                const std::vector<std::string>& players,
                                                const std::string& defender,
                                                const std::vector<JudgedPosition>& positions,
                                                Seed seed, ThreadPool& pool,
                                                const std::function<void()>& on_done) {
  auto opened = opened_programs(toolkit, players);
  if (!opened) return std::move(opened).error();
  auto against = opened_program(toolkit, defender);
  if (!against) return std::move(against).error();
  opened->push_back(*std::move(against));
  const std::size_t count = players.size();
  Workers<Made> workers;
  std::vector<int> plies(positions.size() * count);
  std::mutex mutex;
  workers.for_each(
      pool, positions.size(), [&] { return made(*opened); },
      [&](const Made& asked, std::size_t i) {
        const JudgedPosition& position = positions[i];
        for (std::size_t p = 0; p < count && position.distance > 0; ++p) {
          if (interrupted()) return;
          RandomStream random(seed, "played out", i);
          plies[i * count + p] = plies_won(position, *asked[p], *asked[count], random);
        }
        const std::lock_guard lock(mutex);
        on_done();
      });
  if (interrupted()) return interruption();
  std::vector<Conversions> all;
  for (std::size_t p = 0; p < count; ++p) {
    Conversions& one = all.emplace_back();
    one.player = (*opened)[p].name;
    for (std::size_t i = 0; i < positions.size(); ++i) {
      if (positions[i].distance == 0) continue;
      ++one.positions;
      const int needed = plies[i * count + p];
      if (needed == 0) continue;
      ++one.won;
      one.ratios.push_back(static_cast<double>(needed) / positions[i].distance);
    }
  }
  return all;
}

}  // namespace damier::play
