// Options of Domineering's players by random games, for the study of a published program alone
// (docs/domineering.md): with them they go wrong as that program did.
#pragma once

#include <vector>

#include "damier/games/domineering/domineering.h"
#include "damier/play/players/player_kind.h"
#include "damier/search/monte_carlo.h"

namespace damier::play {

template <>
struct OwnPlayers<games::domineering::Domineering> {
  static std::vector<PlayerKind> kinds(const games::domineering::Domineering&) { return {}; }
  // Of `flat`: whether the last move in the list stays untried.
  static bool read_flat_faults(PlayerText& text);
  // Of `ucb`.
  static void read_bandit_faults(PlayerText& text, search::BanditOptions& options);
};

}  // namespace damier::play
