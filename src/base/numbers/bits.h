// Bit counting that is fast on any x86-64: the compiler's own popcount becomes a library call where
// the instruction may be missing.
#pragma once

#include <cstddef>
#include <cstdint>

namespace damier {

[[gnu::always_inline]] constexpr inline int bit_count(std::uint64_t x) {
#if defined(__POPCNT__) || !defined(__x86_64__)
  return __builtin_popcountll(x);
#else
  x -= (x >> 1) & 0x5555555555555555u;
  x = (x & 0x3333333333333333u) + ((x >> 2) & 0x3333333333333333u);
  x = (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0Fu;
  return static_cast<int>((x * 0x0101010101010101u) >> 56);
#endif
}

// Index of the lowest set bit; x must not be 0.
[[gnu::always_inline]] constexpr inline int lowest_bit(std::uint64_t x) {
  return __builtin_ctzll(x);
}

// An int as the index of a standard container: cells and counts are ints here, sizes there.
constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace damier
