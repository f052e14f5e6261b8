// Minesweeper meets every search and solver.

#include "damier/arena/add_game.h"
#include "damier/arena/minesweeper/players.h"
#include "damier/games/minesweeper/minesweeper.h"

namespace damier::arena {

template Registry& Registry::add<games::minesweeper::Minesweeper>();

}  // namespace damier::arena
