#include "damier/play/chess/players.h"

#include "damier/play/chess/engine_player.h"
#include "damier/play/chess/uci_player.h"

namespace damier::play {

std::vector<PlayerKind> OwnPlayers<games::chess::Chess>::kinds(const games::chess::Chess&) {
  return {engine_player_kind(), uci_player_kind()};
}

}  // namespace damier::play
