// The hand-written evaluation with POPCNT and PEXT. This file alone is compiled for them; see
// evaluation.cc for the choice at run time.

#include "damier/search/chess/evaluation_kernel.h"

namespace damier::search::chess {

namespace {

struct Bmi2EvaluationBits {
  static int count(Bitboard x) { return __builtin_popcountll(x); }
  static Bitboard rook(const AttackTables& tables, int square, Bitboard occupied) {
    return look_up(tables.rook[square], occupied);
  }
  static Bitboard bishop(const AttackTables& tables, int square, Bitboard occupied) {
    return look_up(tables.bishop[square], occupied);
  }

 private:
  static Bitboard look_up(const games::chess::SliderEntry& entry, Bitboard occupied) {
    return entry.reached[__builtin_ia32_pext_di(occupied, entry.mask)];
  }
};

}  // namespace

int evaluate_bmi2(const AttackTables& tables, const games::chess::State& state, PawnEntry& entry) {
  return evaluate_position<Bmi2EvaluationBits>(tables, state, entry);
}

}  // namespace damier::search::chess
