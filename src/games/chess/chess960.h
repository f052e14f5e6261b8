// The 960 starting positions of Chess960 (Fischer random chess) by their usual numbers; 518 is the
// start of chess.
#pragma once

#include "damier/games/chess/state.h"

namespace damier::games::chess {

// `number` from 0 to 959. The numbering is Scharnagl's.
State chess960_start(int number);

// Whether kings and rooks that may still castle stand as in chess.
bool castles_as_in_chess(const State& state);

}  // namespace damier::games::chess
