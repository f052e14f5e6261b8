// Chess learns as any game does.

#include "damier/games/chess/chess.h"
#include "damier/learn/game_task_impl.h"
#include "damier/solve/chess/exact.h"

namespace damier::learn {

template const GameTask<games::chess::Chess>& game_task();

}  // namespace damier::learn
