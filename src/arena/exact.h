// Which games have an exact answer, and where it comes from: the one place that knows.
#pragma once

#include <memory>
#include <vector>

#include "damier/arena/toolkit.h"
#include "damier/games/history.h"
#include "damier/search/evaluator.h"
#include "damier/search/report.h"
#include "damier/solve/domineering/solver.h"
#include "damier/solve/fanorona/table.h"

namespace damier::arena {

// None, unless there is a specialisation below.
template <class G>
struct Exact {
  static constexpr bool kAvailable = false;
  static constexpr bool kHasTable = false;
};

// Fanoron-telo: every state is in a table.
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

// Domineering: solved position by position.
template <>
class Exact<games::domineering::Domineering> {
 public:
  using Game = games::domineering::Domineering;
  static constexpr bool kAvailable = true;
  static constexpr bool kHasTable = false;

  explicit Exact(const Game& game);
  // Where the limit does not allow a proof, the move that resists best.
  search::Report<Game::Move> report(const games::History<Game>& history, RandomStream& ties,
                                    bool every_move) const;
  Solution solve(const Game::State& state, const SolveLimits& limits) const;

 private:
  Game game_;
  std::shared_ptr<solve::domineering::DomineeringSolver> solver_;
};

}  // namespace damier::arena
