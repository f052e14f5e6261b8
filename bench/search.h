// How fast search and the exact solvers are: `damier bench search`.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "bench/measure.h"

#include "damier/base/random.h"

namespace damier::bench {

struct SearchReport {
  std::vector<Row> rows;
  std::uint64_t domineering_nodes = 0;  // to solve 8x8 from the empty board
};

inline constexpr std::size_t kSearchRows = 5;

SearchReport bench_search(Seed seed, const Effort& effort,
                          const std::function<void(std::size_t, std::size_t)>& on_row);

}  // namespace damier::bench
