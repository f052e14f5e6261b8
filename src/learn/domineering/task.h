// Domineering as something to learn. Beside the board's own features, the encoder "mover" lets one
// network play every board of up to 8x8 cells (learn/domineering/frame.h); its moves are the 64
// cells of the frame. Games of named players on boards of many sizes give the positions, and the
// exact solver says which moves win.
#pragma once

#include "damier/games/domineering/domineering.h"
#include "damier/learn/game_task.h"

namespace damier::learn {

template <>
const GameTask<games::domineering::Domineering>& game_task();

}  // namespace damier::learn
