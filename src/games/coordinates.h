// Cells named by column letter and row number, as on a chess board or a spreadsheet: a1, c12, ab7.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "damier/base/result.h"
#include "damier/games/symmetry.h"

namespace damier::games {

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

}  // namespace damier::games
