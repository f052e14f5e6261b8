// Draws one cell out of a set on any processor: the n-th set bit of a word. Files compiled for
// wider instructions have one of their own, and must not include this one.
#pragma once

#include <cstdint>

namespace damier::games::domineering {

// The n-th set bit of x, alone; x has more than n of them.
[[gnu::always_inline]] inline std::uint64_t nth_bit(std::uint64_t x, std::uint64_t n) {
  constexpr std::uint64_t kOnes = 0x0101010101010101u, kHighs = 0x8080808080808080u;
  // The bytes' bit counts, summed up from the lowest byte; then the byte that holds the bit.
  std::uint64_t sums = x - ((x >> 1) & 0x5555555555555555u);
  sums = (sums & 0x3333333333333333u) + ((sums >> 2) & 0x3333333333333333u);
  sums = ((sums + (sums >> 4)) & 0x0F0F0F0F0F0F0F0Fu) * kOnes;
  const std::uint64_t not_reached = (((n * kOnes) | kHighs) - sums) & kHighs;
  const std::uint64_t place = ((not_reached >> 7) * kOnes >> 56) * 8;
  std::uint64_t rank = n - (((sums << 8) >> place) & 0xFF);
  std::uint64_t byte = (x >> place) & 0xFF;
  for (; rank > 0; --rank) byte &= byte - 1;
  return (byte & (0 - byte)) << place;
}

}  // namespace damier::games::domineering
