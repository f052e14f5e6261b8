// Whether the pieces on a board and the side to move can be a position of chess, for readers of
// positions from outside. The move generator may be given nothing that fails here.
#pragma once

#include "damier/base/result.h"
#include "damier/games/chess/generator.h"

namespace damier::games::chess {

// One king a side and not side by side, no pawns on the last ranks, no more pieces than promotion
// allows, the side that has moved not in check, at most two checks at once. Castling rights and en
// passant are not looked at.
Status check_position(const State& state, const Generator& generator);

}  // namespace damier::games::chess
