// Cells of moves whose game says nothing of pointing.

#include "damier/games/pointing.h"

#include <gtest/gtest.h>

namespace damier::games {
namespace {

Picture lettered(int rows, int cols) {
  Picture picture{.rows = rows, .cols = cols};
  for (int row = rows; row > 0; --row) picture.row_labels.push_back(std::to_string(row));
  for (int col = 0; col < cols; ++col) {
    picture.col_labels.emplace_back(1, static_cast<char>('a' + col));
  }
  picture.cells.resize(static_cast<std::size_t>(rows * cols));
  return picture;
}

std::vector<int> cells_of(const Picture& picture, std::string_view move) {
  return gesture_of_text(cell_names(picture), move).cells;
}

TEST(Pointing, ReadsTheCellsOfAMoveByTheLabelsOfThePicture) {
  const Picture board = lettered(4, 4);  // a4 is cell 0, a1 is cell 12
  for (const char* move : {"a1a2", "a1-a2", "a1xa2", "Pa1a2=Q+", "a1-b3-a2"}) {
    EXPECT_EQ(cells_of(board, move), (std::vector{12, 8})) << move;
    EXPECT_EQ(gesture_of_text(cell_names(board), move).kind, "move") << move;
  }
  for (const char* move : {"c2", "Nc2", "d@c2", "wall c2"}) {
    EXPECT_EQ(cells_of(board, move), (std::vector{10})) << move;
    EXPECT_EQ(gesture_of_text(cell_names(board), move).kind, "place") << move;
  }
}

TEST(Pointing, MovesWithoutCellsHaveNoGesture) {
  for (const char* move : {"pass", "swap", "e5", "a10", ""}) {
    const Gesture gesture = gesture_of_text(cell_names(lettered(4, 4)), move);
    EXPECT_TRUE(gesture.cells.empty() && gesture.kind.empty()) << move;
  }
}

TEST(Pointing, TheLongestNameCounts) {
  const Picture board = lettered(19, 19);
  EXPECT_EQ(cells_of(board, "a12"), (std::vector{7 * 19}));
  EXPECT_EQ(cells_of(board, "a1b2"), (std::vector{18 * 19, 17 * 19 + 1}));
}

TEST(Pointing, CellsMayHaveNamesOfTheirOwn) {
  Picture board{.rows = 1, .cols = 12};
  board.cells.resize(12);
  for (std::size_t i = 0; i < 12; ++i) board.cells[i].label = std::to_string(i);
  EXPECT_EQ(cells_of(board, "1-11"), (std::vector{1, 11}));
  EXPECT_EQ(cells_of(board, "3"), (std::vector{3}));
  EXPECT_TRUE(cells_of(board, "take3").empty()) << "a number within a word is none";
  EXPECT_TRUE(cells_of(Picture{.rows = 1, .cols = 1, .cells = {{}}}, "a1").empty())
      << "a board without labels";
}

}  // namespace
}  // namespace damier::games
