#include "damier/solve/fanorona/exact.h"

#include <chrono>

#include "damier/solve/fanorona/table.h"

namespace damier::solve {

using games::fanorona::Fanorona;

namespace {

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

search::Report<Fanorona::Move> Exact<Fanorona>::report(const games::History<Fanorona>& history,
                                                       RandomStream& ties, bool) const {
  const auto& table = fanorona_table();
  const Fanorona& game = history.game();
  search::Report<Fanorona::Move> report;
  for (const Fanorona::Move move : game.legal_moves(history.state())) {
    const ExactValue exact = table.value_after(history.state(), move);
    search::MoveReport<Fanorona::Move> entry{move};
    entry.proof = exact.value;
    entry.value = search::value_of(exact.value);
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
  const auto& table = fanorona_table();
  const ExactValue exact = table.value(state);
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
  const auto counts = fanorona_table().statistics();
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
  const ExactValue exact = fanorona_table().value(state);
  search::Evaluation evaluation;
  evaluation.value = static_cast<float>(search::value_of(exact.value));
  evaluation.proof = exact.value;
  if (exact.value != Verdict::draw) evaluation.distance = exact.distance;
  return evaluation;
}

}  // namespace damier::solve
