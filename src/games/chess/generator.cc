#include "damier/games/chess/generator.h"

#include <cassert>

#include "damier/games/chess/move_kernel.h"

namespace damier::games::chess {

namespace {

// On any processor.
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

constexpr CompiledFor<const MoveKernel*> kMoveKernels = {
    .plain = &kPlainKernel,
#if defined(__x86_64__)
    .bmi2 = &kBmi2Kernel,
#endif
};

}  // namespace

const MoveKernel kPlainKernel = make_kernel<AnyBits>();

Isa chess_isa() { return can_run(Isa::bmi2) ? Isa::bmi2 : Isa::plain; }

Generator::Generator(Isa isa) : kernel_(kMoveKernels.of(isa)), tables_(&attack_tables(isa)) {
  assert(kernel_ != nullptr);
}

}  // namespace damier::games::chess
