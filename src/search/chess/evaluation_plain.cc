// The hand-written evaluation on any processor.

#include "damier/search/chess/evaluation_kernel.h"

namespace damier::search::chess {

int evaluate_plain(const AttackTables& tables, const games::chess::State& state, PawnEntry& entry) {
  return evaluate_position<games::chess::MagicBits>(tables, state, entry);
}

}  // namespace damier::search::chess
