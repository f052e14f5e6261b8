// The chess engine as a player.
#pragma once

#include "damier/play/players/player_kind.h"

namespace damier::play {

PlayerKind engine_player_kind();

}  // namespace damier::play
