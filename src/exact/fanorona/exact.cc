#include "damier/exact/fanorona/exact.h"

namespace damier::exact {

using games::fanorona::Fanorona;

// The process has one table, which nobody owns.
Exact<Fanorona>::Exact(const Fanorona&)
    : TableSource(
          std::shared_ptr<const FanoronaTable>(std::shared_ptr<void>(), &fanorona_table())) {}

std::vector<SpaceFigure> Exact<Fanorona>::state_space() const {
  const auto counts = fanorona_table().statistics();
  return {
      {"boards", "boards", counts.boards},
      {"states", "states: a board and the side to move", counts.states},
      {"already_won", "already won by one side, three in line", counts.lines},
      {"no_legal_move", "more without a legal move: lost for the side to move", counts.blocked},
      {"wins", "won for the side to move, finished states included", counts.wins},
      {"draws", "drawn", counts.draws},
      {"losses", "lost for the side to move, finished states included", counts.losses},
      {"longest_win", "plies of the longest forced win",
       static_cast<std::uint64_t>(counts.longest_distance)},
      {"reachable", "states that can be reached from the start", counts.reachable},
  };
}

}  // namespace damier::exact
