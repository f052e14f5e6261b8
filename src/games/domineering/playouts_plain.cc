// The playouts on any processor.

#include "damier/base/numbers/bits.h"
#include "damier/games/domineering/nth_bit.h"
#include "damier/games/domineering/playouts_kernel.h"

namespace damier::games::domineering {

namespace {

struct AnyBits {
  static std::uint64_t count(std::uint64_t x) { return static_cast<std::uint64_t>(bit_count(x)); }

  // The n-th set bit of x alone; 0 when x is 0.
  static std::uint64_t nth_bit(std::uint64_t x, std::uint64_t n) {
    return x == 0 ? 0 : domineering::nth_bit(x, n);
  }
};

}  // namespace

const PlayoutKernels k_playouts_plain = playout_kernels<AnyBits>();

}  // namespace damier::games::domineering
