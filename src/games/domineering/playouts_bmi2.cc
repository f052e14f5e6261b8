// The playouts with POPCNT and PDEP. This file alone is compiled for them; see domineering.cc for
// the choice at run time.

#include "damier/games/domineering/playouts_kernel.h"

namespace damier::games::domineering {

namespace {

struct Bmi2Bits {
  static std::uint64_t count(std::uint64_t x) {
    return static_cast<std::uint64_t>(__builtin_popcountll(x));
  }
  static std::uint64_t nth_bit(std::uint64_t x, std::uint64_t n) {
    return __builtin_ia32_pdep_di(std::uint64_t{1} << n, x);
  }
};

}  // namespace

const PlayoutKernels k_playouts_bmi2 = playout_kernels<Bmi2Bits>();

}  // namespace damier::games::domineering
