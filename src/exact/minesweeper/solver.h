// A player of minesweeper: proven cells first, then the guess that looks best one opening ahead,
// and the end of the game played perfectly.
//
// The solver sees what a player sees and nothing else; its choice is a function of the observation
// alone, except for the first cell.
#pragma once

#include <memory>
#include <vector>

#include "damier/base/numbers/random.h"
#include "damier/exact/minesweeper/end_game.h"
#include "damier/exact/minesweeper/guess.h"
#include "damier/games/minesweeper/minesweeper.h"
#include "damier/games/outcome.h"

namespace damier::exact::minesweeper {

enum class FirstCell { random, corner };

// Somebody to ask where counting does not decide: a network, for example.
class Adviser {
 public:
  virtual ~Adviser() = default;
  // Of every cell, row-major; what stands at cells that are not masked means nothing.
  struct Opinion {
    std::vector<float> bomb;
    std::vector<float> win;  // once the cell is opened and was safe
  };
  virtual Opinion ask(const Observation& board) = 0;
};

struct SolverOptions {
  FirstCell first = FirstCell::random;
  EndGameLimits end_game = {.arrangements = 300, .work = 1'000'000};
  std::size_t state_limit = 200'000;  // of the counting; beyond it, probabilities are estimated
  // Asked for guesses: a cell that it takes for likelier to win than the solver's own choice, by
  // more than this part of it, is opened instead. Where the counting is too much, its probabilities
  // and its choice are taken.
  std::shared_ptr<Adviser> adviser = nullptr;
  double adviser_gain = 0.1;
};

class Solver {
 public:
  explicit Solver(const SolverOptions& options = {});
  ~Solver();
  Solver(Solver&&) noexcept;
  Solver& operator=(Solver&&) noexcept;

  // An opening, or the lifting of a flag from the cell to be opened. The game must not be over.
  games::minesweeper::Move choose(const Observation& observation, RandomStream& random);

  // A whole game.
  games::HiddenResult play(const games::minesweeper::Minesweeper& game, Seed seed,
                           RandomStream& random);

 private:
  class Engine;
  std::unique_ptr<Engine> engine_;
};

// A game from its seed; `random` chooses the first cell.
inline games::HiddenResult play_game(const games::minesweeper::Minesweeper& game, Seed seed,
                                     Solver& solver, RandomStream& random) {
  return solver.play(game, seed, random);
}

}  // namespace damier::exact::minesweeper
