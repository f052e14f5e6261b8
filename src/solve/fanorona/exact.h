// Every state of fanoron-telo is in a table: its exact answers.
#pragma once

#include <memory>
#include <vector>

#include "damier/games/fanorona/fanorona.h"
#include "damier/games/history.h"
#include "damier/search/evaluator.h"
#include "damier/search/report.h"
#include "damier/solve/exact.h"

namespace damier::solve {

template <>
class Exact<games::fanorona::Fanorona> {
 public:
  using Game = games::fanorona::Fanorona;
  static constexpr bool kAvailable = true;
  static constexpr bool kHasTable = true;

  explicit Exact(const Game&) {}
  search::Report<Game::Move> report(const games::History<Game>& history, RandomStream& ties,
                                    bool every_move) const;
  Solution solve(const Game::State& state, const SolveLimits& limits) const;
  static std::vector<SpaceFigure> state_space();

  // The table as a tree search's evaluator.
  struct Evaluator {
    static constexpr bool kGivesPriors = false;
    search::Evaluation evaluate(const Game& game, const Game::State& state,
                                std::span<const Game::Move> moves, std::span<float> priors,
                                RandomStream& random) const;
  };
};

}  // namespace damier::solve
