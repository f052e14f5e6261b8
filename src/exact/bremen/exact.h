// Brême is solved, but its table has no place here: only what follows from the outcomes of the
// draft is known. Positions of play are left to a search.
#pragma once

#include <memory>
#include <vector>

#include "damier/exact/bremen/draft.h"
#include "damier/exact/exact.h"
#include "damier/games/bremen/bremen.h"

namespace damier::exact {

template <>
class Exact<games::bremen::Bremen> {
 public:
  using Game = games::bremen::Bremen;

  explicit Exact(const Game& game);
  bool knows(const Game::State& state) const;
  bool knows_moves(const Game::State& state) const {
    return game_.is_drafting(state) && knows(state);
  }
  // Of a position that is known.
  Answer<Game::Move> answer(const games::History<Game>& history, const Ask& ask) const;
  std::vector<SpaceFigure> state_space() const;

 private:
  Game game_;
  std::shared_ptr<const bremen::Draft> draft_;  // of the usual rules
};

}  // namespace damier::exact
