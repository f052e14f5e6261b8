// Games as a table for other programs: a line of names, then a line a game, commas between.
#pragma once

#include <string>

#include "damier/play/contest/contest.h"

namespace damier::play {

// number,first,second,opening,outcome,plies,moves; games that were not played are left out. The
// opening is a part of the moves.
std::string games_csv(const GameRows& rows);

}  // namespace damier::play
