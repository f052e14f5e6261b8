#include "damier/arena/exact.h"

#include <algorithm>
#include <chrono>

namespace damier::arena {

namespace {

using games::domineering::Domineering;
using games::fanorona::Fanorona;

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double value_of(Verdict verdict) {
  if (verdict == Verdict::win) return 1;
  return verdict == Verdict::loss ? -1 : 0;
}

}  // namespace

// --- Fanoron-telo ---------------------------------------------------------------------------

search::Report<Fanorona::Move> Exact<Fanorona>::report(const games::History<Fanorona>& history,
                                                       RandomStream& ties, bool) const {
  const auto& table = solve::fanorona_table();
  const Fanorona& game = history.game();
  search::Report<Fanorona::Move> report;
  for (const Fanorona::Move move : game.legal_moves(history.state())) {
    const solve::ExactValue exact = table.value_after(history.state(), move);
    search::MoveReport<Fanorona::Move> entry{move};
    entry.proof = exact.value;
    entry.value = value_of(exact.value);
    if (exact.value != Verdict::draw) entry.distance = exact.distance;
    report.moves.push_back(entry);
  }
  const auto best = table.best_moves(history.state());
  if (best.empty()) return report;
  const Fanorona::Move chosen = best[ties.below(best.size())];
  for (std::size_t i = 0; i < report.moves.size(); ++i) {
    if (report.moves[i].move == chosen) report.best = i;
  }
  report.line.push_back(chosen);
  // A drawn line has no end.
  Fanorona::State state = history.state();
  game.play(state, chosen);
  while (table.value(state).value != Verdict::draw &&
         game.outcome(state) == games::Outcome::ongoing) {
    report.line.push_back(table.best_moves(state).front());
    game.play(state, report.line.back());
  }
  return report;
}

Solution Exact<Fanorona>::solve(const Fanorona::State& state, const SolveLimits&) const {
  const auto begin = std::chrono::steady_clock::now();
  const auto& table = solve::fanorona_table();
  const solve::ExactValue exact = table.value(state);
  Solution solution;
  solution.value = exact.value;
  if (exact.value != Verdict::draw) solution.distance = exact.distance;
  for (const Fanorona::Move move : table.best_moves(state)) {
    solution.best.push_back(table.game().move_text(state, move));
  }
  solution.best_is_complete = true;
  solution.nodes = table.indexer().state_count();
  solution.seconds = seconds_since(begin);
  return solution;
}

std::vector<SpaceFigure> Exact<Fanorona>::state_space() {
  const auto counts = solve::fanorona_table().statistics();
  return {
      {"boards", "boards", counts.boards},
      {"states", "states: a board and the side to move", counts.states},
      {"already_won", "already won by one side, three in line", counts.lines},
      {"no_legal_move", "more without a legal move: lost for the side to move", counts.blocked},
      {"wins", "won for the side to move, finished states included", counts.wins},
      {"draws", "drawn", counts.draws},
      {"losses", "lost for the side to move, finished states included", counts.losses},
      {"longest_win", "plies of the longest forced win",
       static_cast<std::uint64_t>(counts.longest_distance)},
      {"reachable", "states that can be reached from the start", counts.reachable},
  };
}

search::Evaluation Exact<Fanorona>::Evaluator::evaluate(const Fanorona&,
                                                        const Fanorona::State& state,
                                                        std::span<const Fanorona::Move>,
                                                        std::span<float>, RandomStream&) const {
  const solve::ExactValue exact = solve::fanorona_table().value(state);
  search::Evaluation evaluation;
  evaluation.value = static_cast<float>(value_of(exact.value));
  evaluation.proof = exact.value;
  if (exact.value != Verdict::draw) evaluation.distance = exact.distance;
  return evaluation;
}

// --- Domineering ----------------------------------------------------------------------------

namespace {

namespace solver = solve::domineering;

// What a move may cost when a whole game is played or all moves are looked at.
constexpr std::uint64_t kNodesForAMove = 20'000'000;
constexpr std::uint64_t kNodesForAView = 2'000'000;

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
    const games::History<Domineering>& history, RandomStream&, bool every_move) const {
  search::Report<Domineering::Move> report;
  const Domineering::State& state = history.state();
  const auto begin = std::chrono::steady_clock::now();
  for (const Domineering::Move move : game_.legal_moves(state)) report.moves.push_back({move});
  const auto chosen = solver_->best_move(state, {.nodes = kNodesForAMove});
  for (std::size_t i = 0; i < report.moves.size(); ++i) {
    auto& entry = report.moves[i];
    if (entry.move == chosen) report.best = i;
    if (!every_move) continue;
    Domineering::State next = state;
    game_.play(next, entry.move);
    const auto reply = solver_->solve(next, {.nodes = kNodesForAView});
    report.nodes += reply.nodes;
    entry.proof = games::opposite(reply.verdict);
    entry.value = value_of(entry.proof);
  }
  report.line.push_back(chosen);
  report.seconds = seconds_since(begin);
  return report;
}

Solution Exact<Domineering>::solve(const Domineering::State& state,
                                   const SolveLimits& limits) const {
  const auto begin = std::chrono::steady_clock::now();
  solver::Limits left;
  if (limits.nodes > 0) left.nodes = limits.nodes;
  if (limits.seconds > 0) left.seconds = limits.seconds;
  const auto found = solver_->solve(state, left);
  Solution solution;
  solution.value = found.verdict;
  solution.nodes = found.nodes;
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

}  // namespace damier::arena
