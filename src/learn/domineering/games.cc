#include "damier/learn/domineering/games.h"

#include <algorithm>
#include <utility>

#include "damier/base/files/interrupt.h"
#include "damier/base/text/text.h"
#include "damier/learn/domineering/task.h"

namespace damier::learn::domineering {

namespace {

using GameSoFar = games::History<Domineering>;
using exact::domineering::DomineeringSolver;

constexpr int kTableBits = 22, kSmallTableBits = 16;
constexpr int kMinSide = 4;        // rows and columns of a board
constexpr int kEarlyCells = 44;    // with more free cells than these a label takes long
constexpr int kEarlyStep = 4;      // with so many more, three times as long
constexpr int kOpeningCells = 52;  // with more than these it tells only some of the moves
constexpr std::uint64_t kOpeningNodes = 20'000;  // for a move of such a position
constexpr int kExactCells = 40;                  // the player `exact` is exact with so many at most
constexpr int kHardestCells = 32;  // of lost positions with so many at most, answers are counted
constexpr std::string_view kExact = "exact";  // the player of that name here

MoveChoice exact_choice(std::shared_ptr<DomineeringSolver> solver) {
  return [solver](const GameSoFar& played, RandomStream& random) {
    if (bit_count(played.state().free) > kExactCells) return random_move(played, random);
    const auto winning = solver->solve(played.state(), {.every_move = true}).moves;
    if (winning.empty()) return random_move(played, random);
    return winning[static_cast<std::size_t>(random.below(winning.size()))].move;
  };
}

Result<MoveChoice> choice_of(const Domineering& game, const std::string& name,
                             const std::shared_ptr<DomineeringSolver>& solver) {
  if (name == kExact) return exact_choice(solver);
  const auto opened = TRY(open_asked(game, name));
  return MoveChoice([player = std::shared_ptr<play::Player>(opened.make())](const GameSoFar& played,
                                                                            RandomStream& random) {
    return chosen_by(*player, played, random);
  });
}

}  // namespace

Result<std::vector<std::string>> parse_players(std::string_view text) {
  std::vector<std::string> players;
  for (const std::string_view word : split(text, ' ')) {
    if (word.empty()) continue;
    if (word != kExact) TRY(check_asked(Domineering(), word));
    players.emplace_back(word);
  }
  if (players.empty()) return Error{"no players; expected some, as 'random uct:100'"};
  return players;
}

TaughtGames::TaughtGames(const Domineering& game, const GamesPlan& plan)
    : game_(game),
      plan_(plan),
      solver_(std::make_shared<DomineeringSolver>(game, kTableBits)),
      forgetful_(std::make_shared<DomineeringSolver>(game, kSmallTableBits)) {}

Result<TaughtGames> TaughtGames::make(const Domineering& game, const GamesPlan& plan) {
  TaughtGames made(game, plan);
  for (const std::string& name : plan.players) {
    auto choice = TRY(choice_of(game, name, made.solver_));
    made.players_.push_back(std::move(choice));
  }
  return made;
}

State TaughtGames::start(RandomStream& random) const {
  State state = game_.initial();
  if (random.uniform() >= plan_.smaller) return state;
  const auto drawn = [&](int most) {
    const int least = std::min(kMinSide, most);
    return least + static_cast<int>(random.below(static_cast<std::uint64_t>(most - least + 1)));
  };
  const int rows = drawn(game_.rows()), cols = drawn(game_.cols());
  for (int cell = 0; cell < game_.rows() * game_.cols(); ++cell) {
    const bool outside = cell / game_.cols() >= rows || cell % game_.cols() >= cols;
    if (outside) state.free &= ~(CellSet{1} << cell);
  }
  // Either side may begin there.
  if (random.below(2) == 1) state.side = games::Side::second;
  return state;
}

bool TaughtGames::is_wanted(const State& state, int cells_at_start, RandomStream& random) const {
  const int free = bit_count(state.free);
  double share = 1;
  if (2 * free <= cells_at_start) {
    share = plan_.late;
  } else if (free > kEarlyCells) {
    share = plan_.early;
    for (int more = free - kEarlyCells; more > kEarlyStep; more -= kEarlyStep) share /= 3;
  }
  return random.uniform() < share;
}

std::optional<Lesson<Domineering>> TaughtGames::full_lesson(const State& state) {
  const auto answer = solver_->solve(state, {.every_move = true});
  if (answer.stopped) return std::nullopt;
  Lesson<Domineering> lesson{};
  lesson.value = value_of(answer.known.verdict);
  for (const auto& winning : answer.moves) lesson.best.push_back(winning.move);
  return lesson;
}

// Who wins is always found out, of the moves what little work tells.
std::optional<Lesson<Domineering>> TaughtGames::opening_lesson(const State& state) {
  const std::uint64_t key = game_.hash(state);
  if (const auto known = openings_.find(key); known != openings_.end()) return known->second;
  solver_->forget();  // what can be told with little work must not depend on other games
  const auto whole = solver_->solve(state);
  if (whole.stopped) return std::nullopt;
  Lesson<Domineering> lesson{};
  lesson.value = value_of(whole.known.verdict);
  if (!whole.moves.empty()) lesson.best = {whole.best().move};
  for (const Move move : game_.legal_moves(state)) {
    if (lesson.value < 0 || move == whole.best().move) continue;
    State next = state;
    game_.play(next, move);
    const auto answer = solver_->solve(next, {.nodes = kOpeningNodes});
    if (answer.known.verdict == games::Verdict::loss) lesson.best.push_back(move);
    if (!answer.known.is_certain()) lesson.unknown.push_back(move);
  }
  if (interrupted()) return std::nullopt;
  return openings_.emplace(key, std::move(lesson)).first->second;
}

std::vector<Move> TaughtGames::stubborn_moves(const State& state) {
  forgetful_->forget();  // the counts must not depend on other positions
  const auto legal = game_.legal_moves(state);
  std::vector<std::uint64_t> nodes;
  for (const Move move : legal) {
    State next = state;
    game_.play(next, move);
    nodes.push_back(forgetful_->solve(next).nodes);
  }
  const std::uint64_t most = *std::ranges::max_element(nodes);
  std::vector<Move> stubborn;
  for (std::size_t i = 0; i < legal.size(); ++i) {
    if (2 * nodes[i] >= most) stubborn.push_back(legal[i]);
  }
  return stubborn;
}

std::optional<Lesson<Domineering>> TaughtGames::lesson(const State& state, RandomStream& random) {
  const int free = bit_count(state.free);
  auto lesson = free > kOpeningCells ? opening_lesson(state) : full_lesson(state);
  if (!lesson) return lesson;
  if (lesson->best.empty()) {
    const auto moves = game_.legal_moves(state);
    lesson->best.assign(moves.begin(), moves.end());
    lesson->hardest = free <= kHardestCells ? solver_->hardest_moves(state) : stubborn_moves(state);
  }
  const auto& named = lesson->hardest.empty() ? lesson->best : lesson->hardest;
  lesson->move = named[static_cast<std::size_t>(random.below(named.size()))];
  if (plan_.one) {
    lesson->best.assign(1, lesson->move);
    lesson->hardest.clear();
  }
  return lesson;
}

std::vector<Taught<Domineering>> TaughtGames::play(std::uint64_t number) {
  RandomStream random(plan_.seed, "games", number);
  std::vector<Taught<Domineering>> taught;
  GameSoFar played(game_, start(random));
  const std::uint64_t opening = random.below(static_cast<std::uint64_t>(plan_.opening) + 1);
  std::array<const MoveChoice*, 2> sides;
  for (auto& side : sides) {
    side = &players_[static_cast<std::size_t>(random.below(players_.size()))];
  }
  const int cells_at_start = bit_count(played.start().free);
  while (played.outcome() == games::Outcome::ongoing && !interrupted()) {
    const State& state = played.state();
    if (is_wanted(state, cells_at_start, random)) {
      if (auto said = lesson(state, random)) {
        taught.push_back({state, game_task<Domineering>().group_of(game_, state), std::move(said)});
      }
    }
    const bool by_lot = played.moves().size() < opening || random.uniform() < plan_.noise;
    const MoveChoice& choice = *sides[static_cast<std::size_t>(games::index(state.side))];
    played.play(by_lot ? random_move(played, random) : choice(played, random));
  }
  return taught;
}

}  // namespace damier::learn::domineering
