#include "damier/games/chess/generator.h"

#include <cassert>

#include "damier/games/chess/attacks.h"

namespace damier::games::chess {

namespace {

constexpr CompiledFor<const MoveKernel*> kMoveKernels = {
    .plain = &kPlainKernel,
#if defined(__x86_64__)
    .bmi2 = &kBmi2Kernel,
#endif
};

}  // namespace

Isa chess_isa() { return can_run(Isa::bmi2) ? Isa::bmi2 : Isa::plain; }

Generator::Generator(Isa isa) : kernel_(kMoveKernels.of(isa)), tables_(&attack_tables(isa)) {
  assert(kernel_ != nullptr);
}

}  // namespace damier::games::chess
