#include "damier/exact/fanorona/exact.h"

#include "damier/exact/fanorona/table.h"
#include "damier/exact/table_answers.h"

namespace damier::exact {

using games::fanorona::Fanorona;

const FanoronaTable& Exact<Fanorona>::table() const { return fanorona_table(); }

search::Report<Fanorona::Move> Exact<Fanorona>::report(const games::History<Fanorona>& history,
                                                       RandomStream& ties, bool,
                                                       search::Watch*) const {
  return table_report(fanorona_table(), history, ties);
}

Solution Exact<Fanorona>::solve(const Fanorona::State& state, const SolveLimits&) const {
  return table_solution(fanorona_table(), state);
}

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

search::Evaluation Exact<Fanorona>::Evaluator::evaluate(const Fanorona&,
                                                        const Fanorona::State& state,
                                                        std::span<const Fanorona::Move>,
                                                        std::span<float>, RandomStream&) const {
  return table_evaluation(fanorona_table(), state);
}

}  // namespace damier::exact
