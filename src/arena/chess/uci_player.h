// Other chess engines as players, by UCI: "uci:stockfish,Skill Level=10".
#pragma once

#include "damier/arena/player_kind.h"

namespace damier::arena {

PlayerKind uci_player_kind();

}  // namespace damier::arena
