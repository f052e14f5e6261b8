// The playouts on any processor.

#include "damier/base/bits.h"
#include "damier/games/domineering/playouts_kernel.h"

namespace damier::games::domineering {

namespace {

struct AnyBits {
  static std::uint64_t count(std::uint64_t x) { return static_cast<std::uint64_t>(bit_count(x)); }

  // The n-th set bit of x alone; 0 when x is 0.
  static std::uint64_t nth_bit(std::uint64_t x, std::uint64_t n) {
    constexpr std::uint64_t kOnes = 0x0101010101010101u, kHighs = 0x8080808080808080u;
    if (x == 0) return 0;
    // The bytes' bit counts, summed up from the lowest byte.
    std::uint64_t sums = x - ((x >> 1) & 0x5555555555555555u);
    sums = (sums & 0x3333333333333333u) + ((sums >> 2) & 0x3333333333333333u);
    sums = ((sums + (sums >> 4)) & 0x0F0F0F0F0F0F0F0Fu) * kOnes;
    // The byte that holds the bit: how many bytes have a sum of n or less.
    const std::uint64_t not_reached = (((n * kOnes) | kHighs) - sums) & kHighs;
    const std::uint64_t place = ((not_reached >> 7) * kOnes >> 56) * 8;
    std::uint64_t rank = n - (((sums << 8) >> place) & 0xFF);
    std::uint64_t byte = (x >> place) & 0xFF;
    for (; rank > 0; --rank) byte &= byte - 1;
    return (byte & (0 - byte)) << place;
  }
};

}  // namespace

KernelTally run_playouts_plain(const KernelBoard& board, std::uint64_t games,
                               std::uint64_t (*streams)[4]) {
  return run<AnyBits>(board, games, streams);
}

}  // namespace damier::games::domineering
