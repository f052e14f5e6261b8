// Players that only chess has: the engine, and other engines by UCI.
#pragma once

#include <vector>

#include "damier/arena/player_kind.h"
#include "damier/games/chess/chess.h"

namespace damier::arena {

template <>
struct OwnPlayers<games::chess::Chess> {
  static std::vector<PlayerKind> kinds(const games::chess::Chess&);
};

}  // namespace damier::arena
