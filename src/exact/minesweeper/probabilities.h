// The exact probability of a bomb in every masked cell of a board.
//
// A flag is a note of the player, not a fact, so a flagged cell counts as masked; a visible bomb is
// a fact.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "damier/base/result.h"
#include "damier/games/minesweeper/minesweeper.h"

namespace damier::exact::minesweeper {

struct Probabilities {
  static constexpr double kNotMasked = -1;

  int rows = 0;
  int cols = 0;
  std::vector<double> bomb;  // row-major; kNotMasked where nothing is hidden
  // Row-major; 1: masked, may be safe, and if it is, its number is known already: no news.
  std::vector<std::uint8_t> dead;
  std::string arrangements;  // how many arrangements of bombs fit, exactly
  double arrangements_log10 = 0;

  bool is_masked(int row, int col) const { return at(row, col) != kNotMasked; }
  double at(int row, int col) const { return bomb[static_cast<std::size_t>(row * cols + col)]; }
};

struct ProbabilityOptions {
  bool dead_cells = true;               // they cost several times the probabilities
  std::size_t state_limit = 4'000'000;  // of the counting: about 50 bytes each
};

// An error names what does not fit, or says that the numbers are too entangled to be counted.
Result<Probabilities> probabilities(const games::minesweeper::Observation& observation,
                                    const ProbabilityOptions& options = {});

// Whether plain doubles can hold every count on such a board.
bool fits_double(int cells, int bombs);

}  // namespace damier::exact::minesweeper
