// The hand-written evaluation: a sum of terms, each with a weight for the middlegame and one for
// the endgame, mixed by the material that is left. The same position with the colours exchanged has
// the same score.
#pragma once

#include <cstdint>
#include <vector>

#include "damier/games/chess/generator.h"

namespace damier::search::chess {

// What depends on the pawns alone, kept from one position to the next.
struct PawnEntry {
  std::uint64_t pawns[2] = {~std::uint64_t{0},
                            ~std::uint64_t{0}};  // by side; at first: no position
  std::uint64_t passed = 0;                      // of both sides
  std::int32_t score = 0;                        // packed, White's view
};

inline constexpr int kPawnEntryBits = 12;

// Compiled for one instruction set (evaluation_kernel.h); the tables must be in its order.
using EvaluationKernel = int (*)(const games::chess::AttackTables&, const games::chess::State&,
                                 PawnEntry&);
int evaluate_plain(const games::chess::AttackTables& tables, const games::chess::State& state,
                   PawnEntry& entry);
int evaluate_bmi2(const games::chess::AttackTables& tables, const games::chess::State& state,
                  PawnEntry& entry);

// One a thread: it remembers pawn structures.
class HandWrittenEvaluation {
 public:
  explicit HandWrittenEvaluation(Isa isa = games::chess::chess_isa());

  // Hundredths of a pawn for the side to move, within games::kHeuristicLimit.
  int score(const games::chess::State& state);

 private:
  EvaluationKernel evaluate_;
  const games::chess::AttackTables* tables_;
  std::vector<PawnEntry> pawns_;
};

}  // namespace damier::search::chess
