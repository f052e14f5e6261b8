// The move generator on any processor.

#include "damier/games/chess/move_kernel.h"

namespace damier::games::chess {

namespace {

struct AnyBits {
  static int count(Bitboard x) { return bit_count(x); }
  // One move for each square in the set: `base` plus the square times kFactor.
  template <unsigned kFactor, int>
  static Move* write(Move* out, unsigned base, Bitboard targets) {
    while (targets != 0) {
      *out++ = static_cast<Move>(base + kFactor * static_cast<unsigned>(take_lowest(targets)));
    }
    return out;
  }
  static Bitboard rook(const AttackTables& tables, int square, Bitboard occupied) {
    return look_up(tables.rook[square], occupied);
  }
  static Bitboard bishop(const AttackTables& tables, int square, Bitboard occupied) {
    return look_up(tables.bishop[square], occupied);
  }

 private:
  static Bitboard look_up(const SliderEntry& entry, Bitboard occupied) {
    return entry.reached[((occupied & entry.mask) * entry.magic) >> entry.shift];
  }
};

}  // namespace

const MoveKernel kPlainKernel = make_kernel<AnyBits>();

}  // namespace damier::games::chess
