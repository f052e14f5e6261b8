#include "damier/play/domineering/players.h"

namespace damier::play {

using games::domineering::Domineering;

bool OwnPlayers<Domineering>::read_flat_faults(PlayerText& text) {
  constexpr std::string_view kLast[] = {"tried", "untried"};
  return text.word("last=L",
                   "for a study: the last move in the list, tried like the others or left at 0",
                   kLast) == "untried";
}

void OwnPlayers<Domineering>::read_bandit_faults(PlayerText& text, search::BanditOptions& options) {
  constexpr std::string_view kChoices[] = {"visits", "bound"};
  constexpr std::string_view kMeans[] = {"tried", "zero"};
  options.choose_bound =
      text.word("choice=C", "for a study: play the move with most visits, or greatest upper bound",
                kChoices) == "bound";
  options.from_zero =
      text.word("mean=M",
                "for a study: try each move once first, or count a mean of 0 before it is tried",
                kMeans) == "zero";
}

}  // namespace damier::play
