// Bremen meets every search and solver.

#include "damier/arena/add_game.h"
#include "damier/games/bremen/bremen.h"
#include "damier/solve/bremen/exact.h"

namespace damier::learn {

// Compiled with the task.
extern template const GameTask<games::bremen::Bremen>& game_task();

}  // namespace damier::learn

namespace damier::arena {

template Registry& Registry::add<games::bremen::Bremen>();

}  // namespace damier::arena
