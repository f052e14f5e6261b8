// Domineering is solved position by position: its exact answers.
#pragma once

#include <memory>
#include <vector>

#include "damier/exact/domineering/solver.h"
#include "damier/exact/exact.h"
#include "damier/games/domineering/domineering.h"
#include "damier/games/history.h"
#include "damier/search/evaluator.h"
#include "damier/search/report.h"

namespace damier::exact {

template <>
class Exact<games::domineering::Domineering> {
 public:
  using Game = games::domineering::Domineering;
  static constexpr bool kAvailable = true;
  static constexpr bool kHasTable = false;

  explicit Exact(const Game& game);
  static Result<Exact> load(const Game& game) { return Exact(game); }
  bool is_at_hand() const { return true; }
  // In a lost position a move that leaves the fewest winning answers, by lot among equals; where
  // the limit does not allow a proof, the move that looks best.
  search::Report<Game::Move> report(const games::History<Game>& history, RandomStream& ties,
                                    bool every_move, search::Watch* watch = nullptr) const;
  Solution solve(const Game::State& state, const SolveLimits& limits) const;

 private:
  Game::Move promising_move(const Game::State& state) const;
  Game::Move chosen_move(const Game::State& state, RandomStream& ties, search::Watch* watch) const;

  Game game_;
  std::shared_ptr<domineering::DomineeringSolver> solver_;
};

}  // namespace damier::exact
