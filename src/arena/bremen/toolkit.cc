// Bremen meets every search and solver.

#include "damier/arena/add_game.h"
#include "damier/games/bremen/bremen.h"

namespace damier::arena {

template Registry& Registry::add<games::bremen::Bremen>();

}  // namespace damier::arena
