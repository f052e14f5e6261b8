#include "damier/exact/bremen/exact.h"

#include "damier/base/numbers/stopwatch.h"
#include "damier/exact/bremen/draft.h"

namespace damier::exact {

using bremen::Draft;
using games::bremen::Bremen;

Exact<Bremen>::Exact(const Bremen& game) : game_(game) {
  const Bremen usual({.max_plies = game.ply_limit()});
  if (game.option_values() == usual.option_values()) draft_ = Draft::with_limit(game.ply_limit());
}

bool Exact<Bremen>::knows(const Bremen::State& state) const {
  return draft_ != nullptr && draft_->known(state).is_certain();
}

Answer<Bremen::Move> Exact<Bremen>::answer(const games::History<Bremen>& history,
                                           const Ask&) const {
  const Stopwatch watch;
  const Bremen::State& state = history.state();
  Answer<Bremen::Move> answer{.known = draft_->known(state)};
  std::size_t best = 0;
  for (const auto move : game_.legal_moves(state)) {
    MoveAnswer<Bremen::Move>& here = answer.moves.emplace_back();
    here.move = move;
    if (!game_.is_drafting(state)) continue;
    Bremen::State next = state;
    game_.play(next, move);
    here.known = one_ply_before(seen_from_other_side(draft_->known(next)));
    here.value = value_of(here.known.verdict);
    if (better(here.known, answer.moves[best].known)) best = answer.moves.size() - 1;
  }
  put_best_first(answer.moves, best);
  if (knows_moves(state)) answer.line = {answer.best().move};
  answer.nodes = 1;
  answer.seconds = watch.seconds();
  return answer;
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
