// The chess engine as a player.
#pragma once

#include "damier/arena/player_kind.h"

namespace damier::arena {

PlayerKind engine_player_kind();

}  // namespace damier::arena
