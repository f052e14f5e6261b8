// Chess as something to learn. Beside the board's own features there are a report's 97 bytes, as
// they are or divided by 255, its 769 bits (games/chess/encoders.h), and "mover": the 768 bits of
// the board as the side to move sees it. Positions of games, played by our engine or read from a
// file, are learnt with their value alone:
//
//   input     the encoder's numbers; of all but "features" the 97 bytes that they follow from
//   target    what White may expect, from 0 to 1: the score through a sigmoid, the result of the
//             game, or something between
//   score     hundredths of a pawn, White's
//   result    of the game, White's: 1, 0.5 or 0
//   value     the target for the side to move, from -1 to 1
//   position  its text, in bytes; zeros behind it
//   group     the game
//
// The encoder "pieces" is for the engine's evaluation network: the numbers of the pieces as each
// side sees them (piece_rows.h). Its rows are short, 40 bytes: input, score, result and group, and
// all are those of the side to move.
//
// A head "value" that ends in a sigmoid says what White may expect, any other one what the side to
// move may, as in every game.
#pragma once

#include "damier/games/chess/chess.h"
#include "damier/learn/game_task.h"

namespace damier::learn {

template <>
const GameTask<games::chess::Chess>& game_task();

}  // namespace damier::learn
