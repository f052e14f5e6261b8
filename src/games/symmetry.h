// The symmetries of a board of rows and columns: mirrors and turns, with or without an exchange of
// the two sides.
#pragma once

#include <array>
#include <cstdint>

namespace damier::games {

struct Cell2 {
  int row = 0;
  int col = 0;
};

// First the columns are mirrored (a to the last letter), then the rows, then rows and columns are
// exchanged.
struct Symmetry {
  bool mirror_cols = false;
  bool mirror_rows = false;
  bool transpose = false;
  bool swap_sides = false;

  constexpr bool operator==(const Symmetry&) const = default;

  // Where the cell of a board of `rows` x `cols` goes.
  constexpr Cell2 apply(Cell2 cell, int rows, int cols) const {
    const int row = mirror_rows ? rows - 1 - cell.row : cell.row;
    const int col = mirror_cols ? cols - 1 - cell.col : cell.col;
    return transpose ? Cell2{col, row} : Cell2{row, col};
  }

  // The symmetry that undoes this one.
  constexpr Symmetry inverse() const {
    if (!transpose) return *this;
    return {mirror_rows, mirror_cols, true, swap_sides};
  }
};

// The four symmetries of a rectangle, then the four more of a square. With `transpose_swaps_sides`,
// those that exchange rows and columns also exchange the sides (domineering).
constexpr std::array<Symmetry, 8> board_symmetries(bool transpose_swaps_sides) {
  std::array<Symmetry, 8> all;
  for (unsigned i = 0; i < 8; ++i) {
    all[i] = {(i & 1) != 0, (i & 2) != 0, (i & 4) != 0, (i & 4) != 0 && transpose_swaps_sides};
  }
  return all;
}

}  // namespace damier::games
