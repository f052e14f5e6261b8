// Every state of fanoron-telo is in a table: its exact answers.
#pragma once

#include <memory>
#include <vector>

#include "damier/exact/exact.h"
#include "damier/exact/fanorona/table.h"
#include "damier/games/fanorona/fanorona.h"
#include "damier/games/history.h"
#include "damier/search/evaluator.h"
#include "damier/search/report.h"

namespace damier::exact {

template <>
class Exact<games::fanorona::Fanorona> {
 public:
  using Game = games::fanorona::Fanorona;
  static constexpr bool kAvailable = true;
  static constexpr bool kHasTable = true;

  explicit Exact(const Game&) {}
  static Result<Exact> load(const Game& game) { return Exact(game); }
  bool is_at_hand() const { return true; }
  const FanoronaTable& table() const;
  bool knows(const Game::State&) const { return true; }
  search::Report<Game::Move> report(const games::History<Game>& history, RandomStream& ties,
                                    bool every_move, search::Watch* watch = nullptr) const;
  Solution solve(const Game::State& state, const SolveLimits& limits) const;
  std::vector<SpaceFigure> state_space() const;

  // The table as a tree search's evaluator.
  struct Evaluator {
    static constexpr bool kGivesPriors = false;
    search::Evaluation evaluate(const Game& game, const Game::State& state,
                                std::span<const Game::Move> moves, std::span<float> priors,
                                RandomStream& random) const;
  };
  Evaluator evaluator() const { return {}; }
};

}  // namespace damier::exact
