// Chess meets every search and solver.

#include "damier/arena/add_game.h"
#include "damier/games/chess/chess.h"
#include "damier/solve/chess/exact.h"

namespace damier::learn {

// Compiled with the task.
extern template const GameTask<games::chess::Chess>& game_task();

}  // namespace damier::learn

namespace damier::arena {

template Registry& Registry::add<games::chess::Chess>();

}  // namespace damier::arena
