// The move generator on any processor.

#include "damier/games/chess/move_kernel.h"

namespace damier::games::chess {

namespace {

struct AnyBits : MagicBits {
  // One move for each square in the set: `base` plus the square times kFactor.
  template <unsigned kFactor, int>
  static Move* write(Move* out, unsigned base, Bitboard targets) {
    while (targets != 0) {
      *out++ = static_cast<Move>(base + kFactor * static_cast<unsigned>(take_lowest(targets)));
    }
    return out;
  }
};

}  // namespace

const MoveKernel kPlainKernel = make_kernel<AnyBits>();

}  // namespace damier::games::chess
