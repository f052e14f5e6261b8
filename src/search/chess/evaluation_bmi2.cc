// The hand-written evaluation with POPCNT and PEXT. This file alone is compiled for them; see
// position_evaluator.cc for the choice at run time.

#include "damier/search/chess/evaluation_kernel.h"

namespace damier::search::chess {

int evaluate_bmi2(const AttackTables& tables, const State& state, PawnEntry& entry) {
  return evaluate_position<PextBits>(tables, state, entry);
}

}  // namespace damier::search::chess
