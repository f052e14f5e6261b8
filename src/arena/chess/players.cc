#include "damier/arena/chess/players.h"

#include "damier/arena/chess/engine_player.h"
#include "damier/arena/chess/uci_player.h"

namespace damier::arena {

std::vector<PlayerKind> OwnPlayers<games::chess::Chess>::kinds(const games::chess::Chess&) {
  return {engine_player_kind(), uci_player_kind()};
}

}  // namespace damier::arena
