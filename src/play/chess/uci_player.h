// Other chess engines as players, by UCI: "uci:stockfish,Skill Level=10".
#pragma once

#include "damier/play/players/player_kind.h"

namespace damier::play {

PlayerKind uci_player_kind();

}  // namespace damier::play
