// What a table of all states of a game says, in the words that players, `damier solve` and tree
// searches use.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "damier/exact/exact.h"
#include "damier/exact/state_space.h"
#include "damier/games/history.h"
#include "damier/search/evaluator.h"
#include "damier/search/report.h"

namespace damier::exact {

// Every move with its value; `ties` chooses among the best ones.
template <games::Game G, class Table>
search::Report<typename G::Move> table_report(const Table& table, const games::History<G>& history,
                                              RandomStream& ties) {
  using Move = typename G::Move;
  const G& game = history.game();
  search::Report<Move> report;
  for (const Move move : game.legal_moves(history.state())) {
    const ExactValue exact = table.value_after(history.state(), move);
    search::MoveReport<Move> entry{move};
    entry.proof = exact.value;
    entry.value = search::value_of(exact.value);
    if (exact.value != Verdict::draw) entry.distance = exact.distance;
    report.moves.push_back(entry);
  }
  const auto best = table.best_moves(history.state());
  if (best.empty()) return report;
  const Move chosen = best[ties.below(best.size())];
  for (std::size_t i = 0; i < report.moves.size(); ++i) {
    if (report.moves[i].move == chosen) report.best = i;
  }
  report.line.push_back(chosen);
  // A drawn line has no end.
  typename G::State state = history.state();
  game.play(state, chosen);
  while (table.value(state).value != Verdict::draw &&
         game.outcome(state) == games::Outcome::ongoing) {
    report.line.push_back(table.best_moves(state).front());
    game.play(state, report.line.back());
  }
  return report;
}

template <class Table, class State>
Solution table_solution(const Table& table, const State& state) {
  const auto begin = std::chrono::steady_clock::now();
  const ExactValue exact = table.value(state);
  Solution solution;
  solution.value = exact.value;
  if (exact.value != Verdict::draw) solution.distance = exact.distance;
  for (const auto move : table.best_moves(state)) {
    solution.best.push_back(table.game().move_text(state, move));
  }
  solution.best_is_complete = true;
  solution.nodes = table.indexer().state_count();
  solution.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return solution;
}

template <class Table, class State>
search::Evaluation table_evaluation(const Table& table, const State& state) {
  const ExactValue exact = table.value(state);
  search::Evaluation evaluation;
  evaluation.value = static_cast<float>(search::value_of(exact.value));
  evaluation.proof = exact.value;
  if (exact.value != Verdict::draw) evaluation.distance = exact.distance;
  return evaluation;
}

}  // namespace damier::exact
