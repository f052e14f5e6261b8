#include "damier/exact/bremen/exact.h"

#include <chrono>

#include "damier/exact/bremen/draft.h"

namespace damier::exact {

using bremen::Draft;
using games::bremen::Bremen;

Exact<Bremen>::Exact(const Bremen& game) : game_(game) {
  const Bremen usual({.max_plies = game.ply_limit()});
  if (game.option_values() == usual.option_values()) draft_ = Draft::with_limit(game.ply_limit());
}

bool Exact<Bremen>::knows(const Bremen::State& state) const {
  return draft_ != nullptr && draft_->value(state).has_value();
}

Solution Exact<Bremen>::solve(const Bremen::State& state) const {
  const auto begin = std::chrono::steady_clock::now();
  const ExactValue value = *draft_->value(state);
  Solution solution;
  solution.value = value.value;
  if (value.value != Verdict::draw) solution.distance = value.distance;
  if (game_.is_drafting(state)) {
    ExactValue best;
    for (const auto move : game_.legal_moves(state)) {
      Bremen::State next = state;
      game_.play(next, move);
      // As good for the side that has moved as it is bad for the one that moves then.
      const ExactValue after = *draft_->value(next);
      if (solution.best.empty() || better(best, after)) {
        best = after;
        solution.best.clear();
      }
      if (after == best) solution.best.push_back(game_.move_text(state, move));
    }
    solution.best_is_complete = true;
  }
  solution.nodes = 1;
  solution.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return solution;
}

std::vector<SpaceFigure> Exact<Bremen>::state_space() const {
  const auto draft = draft_ != nullptr ? draft_ : Draft::with_limit(game_.ply_limit());
  const Draft::Outcomes& outcomes = draft->outcomes();
  return {
      {"draft_positions", "positions of the draft", draft->positions()},
      {"outcomes", "positions right after it", outcomes.won + outcomes.drawn + outcomes.lost},
      {"won", "of these, won for Blue, who moves first", outcomes.won},
      {"drawn", "drawn", outcomes.drawn},
      {"lost", "lost", outcomes.lost},
      {"longest", "plies of the longest of these wins",
       static_cast<std::uint64_t>(outcomes.longest)},
  };
}

}  // namespace damier::exact
