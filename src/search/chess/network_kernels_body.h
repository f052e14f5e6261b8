// The kernels, included once for each instruction set by a file that is compiled with its flags.
// Plain loops over whole numbers: the compiler makes vectors of them, and no order of the sums
// changes a bit. Internal linkage only, so that no wide copy is shared.
#pragma once

#include "damier/search/chess/network_kernels.h"

namespace damier::search::chess {
namespace {

const std::int16_t* aligned_row(const std::int16_t* x) {
  return static_cast<const std::int16_t*>(__builtin_assume_aligned(x, 64));
}

// Sixteen-bit numbers wrap around as the vector instructions do; the network is checked when it is
// loaded, so that whole sums fit.
std::int16_t wrapped_sum(int x) { return static_cast<std::int16_t>(x); }

template <int kAdded, int kRemoved>
void update_sums_few(const std::int16_t* from, const RowChanges& c, std::int16_t* to, int units) {
  const std::int16_t* const a0 = aligned_row(c.added[0]);
  const std::int16_t* const a1 = kAdded > 1 ? aligned_row(c.added[1]) : a0;
  const std::int16_t* const r0 = aligned_row(c.removed[0]);
  const std::int16_t* const r1 = kRemoved > 1 ? aligned_row(c.removed[1]) : r0;
  from = aligned_row(from);
  std::int16_t* const out = static_cast<std::int16_t*>(__builtin_assume_aligned(to, 64));
  for (int block = 0; block < units; block += kUnitStep) {
    for (int i = block; i < block + kUnitStep; ++i) {
      int sum = from[i] + a0[i] - r0[i];
      if constexpr (kAdded > 1) sum += a1[i];
      if constexpr (kRemoved > 1) sum -= r1[i];
      out[i] = wrapped_sum(sum);
    }
  }
}

// Blocks of units that stay in registers while all rows pass.
void update_sums_many(const std::int16_t* from, const RowChanges& c, std::int16_t* to, int units) {
  for (int block = 0; block < units; block += kUnitStep) {
    std::int16_t sum[kUnitStep];
    for (int i = 0; i < kUnitStep; ++i) sum[i] = from[block + i];
    for (int row = 0; row < c.added_count; ++row) {
      const std::int16_t* const added = aligned_row(c.added[row] + block);
      for (int i = 0; i < kUnitStep; ++i) sum[i] = wrapped_sum(sum[i] + added[i]);
    }
    for (int row = 0; row < c.removed_count; ++row) {
      const std::int16_t* const removed = aligned_row(c.removed[row] + block);
      for (int i = 0; i < kUnitStep; ++i) sum[i] = wrapped_sum(sum[i] - removed[i]);
    }
    for (int i = 0; i < kUnitStep; ++i) to[block + i] = sum[i];
  }
}

void update_sums(const std::int16_t* from, const RowChanges& changes, std::int16_t* to, int units) {
  if (changes.added_count == 1 && changes.removed_count == 1) {
    return update_sums_few<1, 1>(from, changes, to, units);
  }
  if (changes.added_count == 1 && changes.removed_count == 2) {
    return update_sums_few<1, 2>(from, changes, to, units);
  }
  if (changes.added_count == 2 && changes.removed_count == 2) {
    return update_sums_few<2, 2>(from, changes, to, units);
  }
  update_sums_many(from, changes, to, units);
}

std::int32_t output_sum(const std::int16_t* x, const std::int16_t* weights, int units) {
  x = aligned_row(x);
  weights = aligned_row(weights);
  std::int32_t sum = 0;
  for (int block = 0; block < units; block += kUnitStep) {
    for (int i = block; i < block + kUnitStep; ++i) {
      const std::int16_t low = x[i] < 0 ? std::int16_t{0} : x[i];
      const std::int16_t clipped = low > kActivationOne ? std::int16_t{kActivationOne} : low;
      const std::int16_t product = wrapped_sum(clipped * weights[i]);
      sum += static_cast<std::int32_t>(product) * static_cast<std::int32_t>(clipped);
    }
  }
  return sum;
}

}  // namespace
}  // namespace damier::search::chess
