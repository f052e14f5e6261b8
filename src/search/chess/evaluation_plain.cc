// The hand-written evaluation on any processor.

#include "damier/search/chess/evaluation_kernel.h"

namespace damier::search::chess {

namespace {

struct AnyEvaluationBits {
  static int count(Bitboard x) { return bit_count(x); }
  static Bitboard rook(const AttackTables& tables, int square, Bitboard occupied) {
    return look_up(tables.rook[square], occupied);
  }
  static Bitboard bishop(const AttackTables& tables, int square, Bitboard occupied) {
    return look_up(tables.bishop[square], occupied);
  }

 private:
  static Bitboard look_up(const games::chess::SliderEntry& entry, Bitboard occupied) {
    return entry.reached[((occupied & entry.mask) * entry.magic) >> entry.shift];
  }
};

}  // namespace

int evaluate_plain(const AttackTables& tables, const games::chess::State& state, PawnEntry& entry) {
  return evaluate_position<AnyEvaluationBits>(tables, state, entry);
}

}  // namespace damier::search::chess
