#include "damier/play/analysis/judged_positions.h"

#include <algorithm>
#include <mutex>

#include <fmt/format.h>

#include "damier/base/files/interrupt.h"
#include "damier/base/parallel/threads.h"
#include "damier/base/text/text.h"
#include "damier/games/judged_line.h"

namespace damier::play {

namespace {

Result<JudgedPosition> judged_position(std::string_view text, const games::AnyGame& game) {
  const auto line = TRY(games::read_judged_line(text));
  JudgedPosition position{.session = nullptr, .known = line.known, .moves = {}};
  position.session = TRY(game.start_from(line.position));
  if (position.session->outcome() != games::Outcome::ongoing) {
    return Error{fmt::format("the game is over in {}", in_quotes(line.position))};
  }
  for (const games::JudgedMove& move : line.moves) {
    const auto action = TRY(position.session->parse_move(move.text));
    position.moves.push_back({action, move.known});
  }
  if (!line.has_marks && line.known.verdict == Verdict::loss) {
    return Error{"the value 'loss'; expected win or draw, or every move with its own"};
  }
  return position;
}

// Some moves keep the value, not all.
bool leaves_a_choice(const JudgedPosition& position) {
  const auto keeping =
      std::ranges::count(position.moves, position.known.verdict,
                         [](const MoveAnswer& move) { return move.known.verdict; });
  return static_cast<std::size_t>(keeping) < position.session->legal_actions().size();
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
    if (!position) return Error{position.error().message, {std::string(source), number}};
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

std::vector<Metric> metrics_of(const Conversions& conversions) {
  if (conversions.positions == 0) return {};
  std::vector<Metric> metrics = {{"converted", conversions.wins()}};
  if (conversions.won > 0) metrics.emplace_back("plies_over_distance", conversions.ratio());
  return metrics;
}

namespace {

// And it is known in how many plies.
bool is_won(const JudgedPosition& position) {
  return position.known.verdict == Verdict::win && position.known.plies;
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
  return session->outcome() == games::win_of(side) ? plies : 0;
}

}  // namespace

Result<std::vector<MoveQualities>> judged_moves(const Toolkit& toolkit,
                                                const std::vector<std::string>& players,
                                                const std::vector<JudgedPosition>& positions,
                                                Seed seed, ThreadPool& pool,
                                                const std::function<void()>& on_done) {
  auto opened = TRY(open_programs(toolkit, players));
  const KnownPositions known = [&](std::uint64_t number) {
    const JudgedPosition& position = positions[static_cast<std::size_t>(number)];
    return KnownPosition{position.session, position.known,
                         [&](games::Action action) { return position.of_move(action); }};
  };
  return move_qualities(
      {std::move(opened), positions.size(), seed, "judged"}, [&] { return known; }, pool, on_done);
}

Result<std::vector<Conversions>> conversions_of(const Toolkit& toolkit,
                                                const std::vector<std::string>& players,
                                                const std::string& defender,
                                                const std::vector<JudgedPosition>& positions,
                                                Seed seed, ThreadPool& pool,
                                                const std::function<void()>& on_done) {
  auto opened = TRY(open_programs(toolkit, players));
  auto against = TRY(open_programs(toolkit, {defender}));
  opened.push_back(std::move(against.front()));
  const std::size_t count = players.size();
  Workers<MadePlayers> workers;
  std::vector<int> plies(positions.size() * count);
  std::mutex mutex;
  workers.for_each(
      pool, positions.size(), [&] { return made(opened); },
      [&](const MadePlayers& asked, std::size_t i) {
        const JudgedPosition& position = positions[i];
        for (std::size_t p = 0; p < count && is_won(position); ++p) {
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
    one.player = opened[p].name;
    for (std::size_t i = 0; i < positions.size(); ++i) {
      if (!is_won(positions[i])) continue;
      ++one.positions;
      const int needed = plies[i * count + p];
      if (needed == 0) continue;
      ++one.won;
      one.ratios.push_back(static_cast<double>(needed) / *positions[i].known.plies);
    }
  }
  return all;
}

}  // namespace damier::play
