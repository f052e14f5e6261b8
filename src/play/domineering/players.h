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
  static bool read_flat_faults(PlayerText& text) {
    constexpr std::string_view kLast[] = {"tried", "untried"};
    return text.word("last=L",
                     "for a study: the last move in the list, tried like the others or left at 0",
                     kLast) == "untried";
  }
  // Of `ucb`.
  static void read_bandit_faults(PlayerText& text, search::BanditOptions& options) {
    constexpr std::string_view kChoices[] = {"visits", "bound"};
    constexpr std::string_view kMeans[] = {"tried", "zero"};
    options.choose_bound =
        text.word("choice=C",
                  "for a study: play the move with most visits, or greatest upper bound",
                  kChoices) == "bound";
    options.from_zero =
        text.word("mean=M",
                  "for a study: try each move once first, or count a mean of 0 before it is tried",
                  kMeans) == "zero";
  }
};

}  // namespace damier::play
