// Les Tacticiens de Brême as something to learn, also from positions with their exact answers.
#pragma once

#include "damier/games/bremen/bremen.h"
#include "damier/learn/game_task.h"

namespace damier::learn {

template <>
const GameTask<games::bremen::Bremen>& game_task();

}  // namespace damier::learn
