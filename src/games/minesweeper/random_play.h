// Openings at random, without listing all the cells that could be opened.
#pragma once

#include "damier/base/numbers/random.h"
#include "damier/games/minesweeper/minesweeper.h"

namespace damier::games::minesweeper {

// A masked cell without a flag, all equally likely; the game must not be over.
Move random_opening(const Minesweeper& game, const State& state, RandomStream& random);

}  // namespace damier::games::minesweeper
