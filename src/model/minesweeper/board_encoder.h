// A board of minesweeper as a network reads it: codes in a frame, and the planes made of them.
//
// A network for all sizes is one of convolutions, so the frame is only where boards of several
// sizes lie side by side in a batch. What is outside the board is wall, zero in every plane, as the
// convolutions' padding is.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "damier/games/minesweeper/minesweeper.h"
#include "damier/model/encoder.h"

namespace damier::model {

// Codes of a cell: 0 to 8 are numbers.
inline constexpr std::uint8_t kMaskedCode = 9;
inline constexpr std::uint8_t kWallCode = 10;

// Planes, all zero outside the board: one for each number 0 to 8; masked; inside the board; and,
// the same in all cells, the share of the masked cells that hold bombs, and how many masked cells
// hold none, as far as 8 and as far as 64, as parts of these.
inline constexpr int kBoardPlanes = 14;

// "board-10", "board-12", "board-16", "board-32": the side of the frame. Rows of data sets keep the
// codes of the cells, then the bombs.
Encoders minesweeper_board_encoders();
// The side of an encoder's frame; 0 when it is none.
int board_frame(std::string_view encoder);

// A flag is a note and counts as masked; so does a visible bomb, which stays among the bombs.
std::uint8_t board_code(games::minesweeper::Code code);

// Planes, (kBoardPlanes, squares), of the codes of a board in any frame.
template <class Code>
void expand_board(std::span<const Code> codes, int bombs, std::span<float> planes);

// For each of the eight symmetries of a square board, the identity first: which cell the content of
// every cell comes from.
std::vector<std::vector<std::uint32_t>> square_images(int side);

}  // namespace damier::model
