// The move generator with POPCNT and PEXT. This file alone is compiled for them; see generator.cc
// for the choice at run time.

#include "damier/games/chess/move_kernel.h"

namespace damier::games::chess {

namespace {

struct Bmi2Bits : PextBits {
  // One move for each square in the set: `base` plus the square times kFactor. A loop of a length
  // that cannot be predicted costs more than a few unused moves written behind the end.
  template <unsigned kFactor, int kUsual>
  static Move* write(Move* out, unsigned base, Bitboard targets) {
    Move* const end = out + count(targets);
    do {
      for (int i = 0; i < kUsual; ++i) {
        const auto to = static_cast<unsigned>(__builtin_ia32_tzcnt_u64(targets));
        *out++ = static_cast<Move>(base + kFactor * to);
        targets &= targets - 1;
      }
    } while (targets != 0);
    return end;
  }
};

}  // namespace

const MoveKernel kBmi2Kernel = make_kernel<Bmi2Bits>();

}  // namespace damier::games::chess
