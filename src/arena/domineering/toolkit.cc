// Domineering meets every search and solver.

#include "damier/arena/add_game.h"
#include "damier/games/domineering/domineering.h"
#include "damier/solve/domineering/exact.h"

namespace damier::learn {

// Compiled with the task.
extern template const GameTask<games::domineering::Domineering>& game_task();

}  // namespace damier::learn

namespace damier::arena {

template Registry& Registry::add<games::domineering::Domineering>();

}  // namespace damier::arena
