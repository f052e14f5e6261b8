// Domineering as something to learn. Games of named players on boards of many sizes give the
// positions, and the exact solver says which moves win.
#pragma once

#include "damier/games/domineering/domineering.h"
#include "damier/learn/game_task.h"

namespace damier::learn {

// Beside the columns of every game:
//   policy    1 at each move that wins; of a lost position, at those that leave the fewest winning
//             answers or, with more than 32 free cells, that took the solver longest to refute
//   known     1 at each legal move of which is known whether it wins
template <>
const GameTask<games::domineering::Domineering>& game_task();

}  // namespace damier::learn
