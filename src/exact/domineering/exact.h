// Domineering is solved position by position: its exact answers.
#pragma once

#include "damier/exact/domineering/solver.h"
#include "damier/exact/exact.h"

namespace damier::exact {

template <>
class Exact<games::domineering::Domineering> {
 public:
  using Game = games::domineering::Domineering;

  explicit Exact(const Game& game);
  static Result<Exact> load(const Game& game) { return Exact(game); }
  bool is_at_hand() const { return true; }

  // Without chance: who wins, and by which move; of an empty board also who wins when the other
  // side begins. With chance a move is chosen: in a lost position one that leaves the fewest
  // winning answers, or the most promising one where that takes too long. With `every_move` also
  // whether each move wins.
  Answer<Game::Move> answer(const games::History<Game>& history, const Ask& ask) const;

 private:
  Answer<Game::Move> solved(const Game::State& state, const Ask& ask) const;
  Answer<Game::Move> chosen(const Game::State& state, const Ask& ask) const;
  Game::Move chosen_move(const Game::State& state, const Ask& ask) const;

  Game game_;
  std::shared_ptr<domineering::DomineeringSolver> solver_;
};

}  // namespace damier::exact
