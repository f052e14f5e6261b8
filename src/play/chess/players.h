// Players that only chess has: the engine, and other engines by UCI.
#pragma once

#include <vector>

#include "damier/games/chess/chess.h"
#include "damier/play/players/player_kind.h"

namespace damier::play {

template <>
struct OwnPlayers<games::chess::Chess> {
  static std::vector<PlayerKind> kinds(const games::chess::Chess&);
};

}  // namespace damier::play
