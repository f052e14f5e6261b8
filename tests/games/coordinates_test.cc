#include "damier/games/coordinates.h"

#include <gtest/gtest.h>

namespace damier::games {
namespace {

TEST(Coordinates, EveryCellOfTheLargestBoardReadsBack) {
  for (int row = 0; row < 64; ++row) {
    for (int col = 0; col < 64; ++col) {
      const auto cell = parse_cell(cell_name({row, col}), 64, 64);
      ASSERT_TRUE(cell) << row << " " << col;
      EXPECT_EQ(cell->row, row);
      EXPECT_EQ(cell->col, col);
    }
  }
  EXPECT_EQ(cell_name({0, 0}), "a1");
  EXPECT_EQ(cell_name({6, 27}), "ab7");
}

TEST(Coordinates, CellsOutsideTheBoardAreRefused) {
  EXPECT_TRUE(parse_cell("h8", 8, 8));
  for (const char* wrong : {"i8", "h9", "h0", "8h", "h-1", "", "h", "8", "h8 ", "aaaa1"}) {
    EXPECT_FALSE(parse_cell(wrong, 8, 8)) << wrong;
  }
}

TEST(Symmetry, InversesUndoOnASquare) {
  for (const Symmetry symmetry : board_symmetries(false)) {
    for (int cell = 0; cell < 25; ++cell) {
      const Cell2 there = symmetry.apply({cell / 5, cell % 5}, 5, 5);
      const Cell2 back = symmetry.inverse().apply(there, 5, 5);
      EXPECT_EQ(5 * back.row + back.col, cell);
    }
  }
}

}  // namespace
}  // namespace damier::games
