// Exact answers from a table of all states of a game, for players, `damier solve` and tree
// searches.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <utility>

#include "damier/exact/exact.h"
#include "damier/exact/state_space.h"
#include "damier/games/history.h"
#include "damier/search/evaluator.h"

namespace damier::exact {

// `Table` is a StateSpace of the game.
template <games::Game G, class Table>
class TableSource {
 public:
  using State = typename G::State;
  using Move = typename G::Move;

  // What follows needs the table.
  explicit TableSource(std::shared_ptr<const Table> table) : table_(std::move(table)) {}
  bool is_at_hand() const { return table_ != nullptr; }

  const Table& table() const { return *table_; }
  bool knows(const State& state) const {
    if constexpr (requires { table_->indexer().knows(state); }) {
      return table_->indexer().knows(state);
    } else {
      return true;
    }
  }

  // Every move with its value; chance decides among the best ones.
  Answer<Move> answer(const games::History<G>& history, const Ask& ask) const {
    const G& game = history.game();
    State state = history.state();
    Answer<Move> answer{.known = table_->value(state)};
    for (const Move move : game.legal_moves(state)) {
      const Known known = table_->value_after(state, move);
      answer.moves.push_back({.move = move, .known = known, .value = value_of(known.verdict)});
    }
    const auto best = table_->best_moves(state);
    if (best.empty()) return answer;
    const Move chosen = best[ask.random == nullptr ? 0 : ask.random->below(best.size())];
    const auto at = std::find_if(answer.moves.begin(), answer.moves.end(),
                                 [&](const auto& move) { return move.move == chosen; });
    put_best_first(answer.moves, static_cast<std::size_t>(at - answer.moves.begin()));
    answer.line.push_back(chosen);
    // A drawn line has no end.
    game.play(state, chosen);
    while (table_->value(state).verdict != Verdict::draw &&
           game.outcome(state) == games::Outcome::ongoing) {
      answer.line.push_back(table_->best_moves(state).front());
      game.play(state, answer.line.back());
    }
    return answer;
  }

  // As a tree search's evaluator, which may meet positions that the table does not have.
  static constexpr bool kGivesPriors = false;
  search::Evaluation evaluate(const G&, const State& state, std::span<const Move>, std::span<float>,
                              RandomStream&) const {
    if (!knows(state)) return {};
    const Known known = table_->value(state);
    return {static_cast<float>(value_of(known.verdict)), known};
  }

 private:
  std::shared_ptr<const Table> table_;
};

}  // namespace damier::exact
