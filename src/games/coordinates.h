// The symmetries of a board of rows and columns: mirrors and turns, with or without an exchange of
// the two sides. Cells named by column letter and row number, as on a chess board or a spreadsheet:
// a1, c12, ab7.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "damier/base/result.h"
#include "damier/games/outcome.h"

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
  // The same for its row-major number.
  constexpr int apply(int cell, int rows, int cols) const {
    const Cell2 to = apply({cell / cols, cell % cols}, rows, cols);
    return to.row * (transpose ? rows : cols) + to.col;
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

// 0 -> "a", 25 -> "z", 26 -> "aa", 63 -> "bl".
std::string column_name(int col);

// Rows count from 1 in the text and from 0 in the cell.
std::string cell_name(Cell2 cell);

// Nothing when the text is not of that form or lies outside rows x cols.
std::optional<Cell2> parse_cell(std::string_view text, int rows, int cols);

// "8x8" and "16x30x99": whole numbers joined by x.
struct BoardSize {
  int rows = 0;
  int cols = 0;
  int third = 0;  // bombs, where asked for
};
Result<BoardSize> parse_board_size(std::string_view text, bool with_third);

Error position_error(std::string_view text, std::string_view message);

// A board as text: its rows from the top, a letter a cell, separated by '/', then a space and the
// letter of the side to move.
struct BoardForm {
  std::string_view cells;  // ".ry"
  std::string_view all;    // ". r y", for the error that asks for all of them
  std::string_view any;    // ". r or y", for the one that asks for one
  std::string_view sides;  // "ry"
};
struct BoardText {
  std::string cells;  // row-major
  Side to_move = Side::first;
};
Result<BoardText> parse_board(std::string_view text, int rows, int cols, const BoardForm& form);
std::string board_text(const BoardText& board, int cols, const BoardForm& form);

}  // namespace damier::games
