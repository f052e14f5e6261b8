#include "damier/exact/domineering/exact.h"

#include <chrono>

#include "damier/search/watch.h"

namespace damier::exact {

using games::domineering::Domineering;

namespace solver = domineering;

namespace {

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// What a move may cost when a whole game is played or all moves are looked at.
constexpr std::uint64_t kNodesForAMove = 20'000'000;
constexpr std::uint64_t kNodesForAView = 2'000'000;
// What counting the answers to all moves of a lost position may cost.
constexpr std::uint64_t kNodesForAnswers = 2'000'000;

// Who wins an empty board, from the verdicts of Vertical and of Horizontal when they begin.
std::string winner_name(Verdict vertical_begins, Verdict horizontal_begins) {
  const bool vertical = vertical_begins == Verdict::win;
  if (vertical == (horizontal_begins == Verdict::win)) return vertical ? "first" : "second";
  return vertical ? "vertical" : "horizontal";
}

}  // namespace

Exact<Domineering>::Exact(const Domineering& game)
    : game_(game), solver_(std::make_shared<solver::DomineeringSolver>(game)) {}

search::Report<Domineering::Move> Exact<Domineering>::report(
    const games::History<Domineering>& history, RandomStream& ties, bool every_move,
    search::Watch* watch) const {
  search::Report<Domineering::Move> report;
  const Domineering::State& state = history.state();
  const auto begin = std::chrono::steady_clock::now();
  for (const Domineering::Move move : game_.legal_moves(state)) report.moves.push_back({move});
  const auto chosen = chosen_move(state, ties, watch);
  if (watch != nullptr) watch->set_best(game_.action(state, chosen));
  for (std::size_t i = 0; i < report.moves.size(); ++i) {
    auto& entry = report.moves[i];
    if (entry.move == chosen) report.best = i;
    if (!every_move) continue;
    Domineering::State next = state;
    game_.play(next, entry.move);
    const auto reply = solver_->solve(next, {.nodes = kNodesForAView, .watch = watch});
    report.nodes += reply.nodes;
    entry.proof = games::opposite(reply.verdict);
    entry.value = search::value_of(entry.proof);
  }
  report.line.push_back(chosen);
  report.seconds = seconds_since(begin);
  return report;
}

Domineering::Move Exact<Domineering>::chosen_move(const Domineering::State& state,
                                                  RandomStream& ties, search::Watch* watch) const {
  const auto found = solver_->solve(state, {.nodes = kNodesForAMove, .watch = watch});
  if (!found.winning_moves.empty()) return found.winning_moves.front();
  if (found.verdict != Verdict::loss) return promising_move(state);
  const auto hardest = solver_->hardest_moves(state, {.nodes = kNodesForAnswers, .watch = watch});
  return hardest[static_cast<std::size_t>(ties.below(hardest.size()))];
}

// What the solver would try first, after no search to speak of.
Domineering::Move Exact<Domineering>::promising_move(const Domineering::State& state) const {
  return solver_->best_move(state, {.nodes = 1});
}

Solution Exact<Domineering>::solve(const Domineering::State& state,
                                   const SolveLimits& limits) const {
  const auto begin = std::chrono::steady_clock::now();
  solver::Limits left;
  if (limits.nodes > 0) left.nodes = limits.nodes;
  if (limits.seconds > 0) left.seconds = limits.seconds;
  left.watch = limits.watch;
  if (limits.watch != nullptr && !game_.legal_moves(state).empty()) {
    limits.watch->set_best(game_.action(state, promising_move(state)));
  }
  const auto found = solver_->solve(state, left);
  Solution solution;
  solution.value = found.verdict;
  solution.nodes = found.nodes;
  if (found.verdict == Verdict::unknown) {
    solution.so_far = game_.move_text(state, promising_move(state));
  }
  for (const Domineering::Move move : found.winning_moves) {
    solution.best.push_back(game_.move_text(state, move));
  }
  // Of an empty board one also wants to know what happens when the other side begins.
  if (found.verdict != Verdict::unknown && state == game_.initial()) {
    const auto other = solver_->solve({state.free, games::Side::second}, left);
    solution.nodes += other.nodes;
    if (other.verdict != Verdict::unknown) {
      solution.winner = winner_name(found.verdict, other.verdict);
    }
  }
  solution.seconds = seconds_since(begin);
  return solution;
}

}  // namespace damier::exact
