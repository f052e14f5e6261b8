// What the games of the experiment's tournament show, and what the exact solution says of the first
// placement.
#pragma once

#include "damier/base/json/json.h"
#include "damier/play/contest/contest.h"

namespace damier::lab {

// {"count", "decided", "lengths": plies, "arrivals": {ANIMAL: map and "moves"}, "draft": map}; both
// as the side that moves sees the board.
Json bremen_game_findings(const play::GameRows& games);

// {"rows": {ANIMAL: {COLUMN: plies until Blue has won, or "draw"}}, and the positions after a draft
// by what they are worth}.
Json bremen_first_placements();

}  // namespace damier::lab
