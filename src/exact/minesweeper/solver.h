// A player of minesweeper: proven cells first, then the guess that looks best one opening ahead,
// and the end of the game played perfectly.
//
// The solver sees what a player sees and nothing else; its choice is a function of the observation
// alone, except for the first cell.
#pragma once

#include <functional>
#include <unordered_map>

#include "damier/exact/minesweeper/end_game.h"
#include "damier/exact/minesweeper/guess.h"
#include "damier/games/outcome.h"

namespace damier::exact::minesweeper {

enum class FirstCell { random, corner };

// What a network, for example, says of every cell, row-major; what stands at cells that are not
// masked means nothing.
struct Opinion {
  std::vector<float> bomb;
  std::vector<float> win;  // once the cell is opened and was safe; empty: not known
};
// Is asked where counting does not decide.
using Adviser = std::function<Opinion(const Observation& board)>;

struct SolverOptions {
  FirstCell first = FirstCell::random;
  EndGameLimits end_game = {.arrangements = 300, .work = 1'000'000};
  std::size_t state_limit = 200'000;  // of the counting; beyond it, probabilities are estimated
  // Asked for guesses: a cell that it takes for likelier to win than the solver's own choice, by
  // more than this part of it, is opened instead. Where the counting is too much, its probabilities
  // and its choice are taken.
  Adviser adviser = nullptr;
  double adviser_gain = 0.1;
};

class Solver {
 public:
  explicit Solver(const SolverOptions& options = {});

  // An opening, or the lifting of a flag from the cell to be opened. The game must not be over.
  games::minesweeper::Move choose(const Observation& observation, RandomStream& random);

  // A whole game; `random` chooses the first cell.
  games::HiddenResult play(const games::minesweeper::Minesweeper& game, Seed seed,
                           RandomStream& random);

 private:
  Cell first_cell(RandomStream& random) const;
  // Proves cells safe where it can; otherwise one guess.
  std::optional<Cell> guess_unless_safe();
  template <class Number>
  std::optional<Cell> guess_unless_safe(Analysis<Number>& analysis, Guesser<Number>& guesser);
  template <class Number>
  bool mark_safe(const Analysis<Number>& analysis);
  Cell estimate() const;
  // The adviser's choice, or `own` if that is hardly worse; exact(cell) is the probability of a
  // bomb, or nothing where it is not known.
  template <class Exact>
  Cell advised(const Exact& exact, std::optional<Cell> own);

  SolverOptions options_;
  Board board_;
  // Most boards do with plain doubles.
  Analysis<double> analysis_;
  Guesser<double> guesser_;
  Analysis<Wide> wide_analysis_;
  Guesser<Wide> wide_guesser_;
  EndGameSearch end_game_;
  std::unordered_map<std::uint64_t, Cell> early_guesses_;  // by Board::key
};

}  // namespace damier::exact::minesweeper
