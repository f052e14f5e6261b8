// Bremen learns as any game does.

#include "damier/games/bremen/bremen.h"
#include "damier/learn/game_task_impl.h"
#include "damier/solve/bremen/exact.h"

namespace damier::learn {

template const GameTask<games::bremen::Bremen>& game_task();

}  // namespace damier::learn
