// Whole boards of minesweeper as something to learn: the probability of a bomb in every masked
// cell, and the probability to win after opening it.
//
// Probabilities of bombs are exact; probabilities to win are exact where the end of the
// game can be searched, and elsewhere the result, 1 or 0, of one game that was played
// on.
#pragma once

#include "damier/learn/minesweeper/board_positions.h"
#include "damier/learn/task.h"

namespace damier::learn {

// The columns of a data set, for a frame of n x n cells ("board-16"):
//   input   (n * n + 1): the codes of the cells, row by row, then the bombs; the network reads
//           (14, n, n), see model/minesweeper/board_encoder.h
//   bomb    (n * n): the probability of a bomb, where the cell is masked
//   masked  (n * n): 1 in masked cells
//   win     (n * n): the probability to win after opening the cell, if it is safe, in parts of 250
//   tried   (n * n): 1 where that is known
//   group   the game's number
const Task& minesweeper_board_task();

// What the options say; an error when they do not fit together.
Result<BoardMix> board_mix(const GenerateOptions& options);

// "10x12x15": rows, columns, bombs.
Result<BoardSize> parse_board_size(std::string_view text);

}  // namespace damier::learn
