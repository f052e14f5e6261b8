// Chess meets every search and solver.

#include "damier/arena/add_game.h"
#include "damier/games/chess/chess.h"

namespace damier::arena {

template Registry& Registry::add<games::chess::Chess>();

}  // namespace damier::arena
