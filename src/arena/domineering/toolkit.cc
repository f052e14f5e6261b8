// Domineering meets every search and solver.

#include "damier/arena/add_game.h"
#include "damier/games/domineering/domineering.h"
#include "damier/solve/domineering/exact.h"

namespace damier::arena {

template Registry& Registry::add<games::domineering::Domineering>();

}  // namespace damier::arena
