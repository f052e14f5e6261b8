// Writes games in Portable Game Notation: the seven tags of the roster first, moves in lines of
// less than 80 columns.
#pragma once

#include <string>

#include "damier/games/chess/pgn.h"

namespace damier::games::chess {

// Tags of the roster that the game lacks get their "?"; Result, SetUp, FEN and, for starts of
// Chess960, Variant are made from the game itself.
std::string pgn_text(const PgnGame& game);

}  // namespace damier::games::chess
