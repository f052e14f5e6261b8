// The arithmetic of the evaluation network in whole numbers. It is written once
// (network_kernels_body.h), compiled for several instruction sets and chosen at run time; all give
// the same bits.
#pragma once

#include <cstdint>

#include "damier/base/parallel/isa.h"

namespace damier::search::chess {

// Units are a multiple of this, and so are all places in memory in bytes twice over.
inline constexpr int kUnitStep = 32;
inline constexpr int kActivationOne = 255;    // what stands for 1 between the layers
inline constexpr int kOutputOne = 64;         // what stands for 1 among the output's weights
inline constexpr int kMaxOutputWeight = 127;  // 255 times it fits into 16 bits

// Rows of the feature weights, `units` numbers each.
struct RowChanges {
  const std::int16_t* added[32];
  const std::int16_t* removed[32];
  int added_count = 0;
  int removed_count = 0;
};

struct NetworkKernels {
  const char* name;
  // to = from + the rows that are added - the rows that are removed.
  void (*update)(const std::int16_t* from, const RowChanges& changes, std::int16_t* to, int units);
  // The sum over units of weight * clamp(x, 0, 255)^2.
  std::int32_t (*output)(const std::int16_t* x, const std::int16_t* weights, int units);
};

extern const NetworkKernels k_network_plain, k_network_sse42, k_network_avx2, k_network_avx512;

// Null where it was not compiled in or the processor lacks it.
const NetworkKernels* network_kernels_of(Isa isa);
const NetworkKernels& best_network_kernels();

}  // namespace damier::search::chess
