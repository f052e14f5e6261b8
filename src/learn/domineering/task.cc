// Domineering learns as any game does.

#include "damier/games/domineering/domineering.h"
#include "damier/learn/game_task_impl.h"
#include "damier/solve/domineering/exact.h"

namespace damier::learn {

template const GameTask<games::domineering::Domineering>& game_task();

}  // namespace damier::learn
