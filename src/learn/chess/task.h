// Chess as something to learn. Positions of games, played by our engine or read from a file, are
// learnt with their value alone:
//
//   input     the encoder's numbers (model/chess/encoders.h), or those that they follow from
//   target    what White may expect, from 0 to 1: the score through a sigmoid, the result of the
//             game, or something between
//   score     hundredths of a pawn, White's
//   result    of the game, White's: 1, 0.5 or 0
//   value     the target for the side to move, from -1 to 1
//   position  its text, in bytes; zeros behind it
//   group     the game
//
// Rows of the encoder "pieces" are short, 40 bytes: input, score, result and group, and all are
// those of the side to move.
#pragma once

#include "damier/games/chess/chess.h"
#include "damier/learn/game_task.h"

namespace damier::learn {

template <>
const GameTask<games::chess::Chess>& game_task();

}  // namespace damier::learn
