#include "damier/games/chess/generator.h"

#include <cassert>

#include "damier/base/parallel/isa.h"
#include "damier/games/chess/attacks.h"

namespace damier::games::chess {

Generator::Generator() : Generator(can_run(Isa::bmi2) ? KernelChoice::bmi2 : KernelChoice::plain) {}

Generator::Generator(KernelChoice choice) {
#if defined(__x86_64__)
  if (choice == KernelChoice::bmi2) {
    assert(can_run(Isa::bmi2));
    kernel_ = &kBmi2Kernel;
    tables_ = &attack_tables(SliderOrder::pext);
    return;
  }
#endif
  static_cast<void>(choice);
  kernel_ = &kPlainKernel;
  tables_ = &attack_tables(SliderOrder::magic);
}

}  // namespace damier::games::chess
