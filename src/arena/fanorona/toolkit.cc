// Fanorona meets every search and solver.

#include "damier/arena/add_game.h"
#include "damier/games/fanorona/fanorona.h"
#include "damier/learn/fanorona/task.h"
#include "damier/solve/fanorona/exact.h"
#include "damier/solve/fanorona/table.h"

namespace damier::arena {

template Registry& Registry::add<games::fanorona::Fanorona>();

}  // namespace damier::arena
