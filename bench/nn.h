// How fast the network engine is: `damier bench nn`.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bench/measure.h"

#include "damier/base/random.h"
#include "damier/base/result.h"

namespace damier::bench {

enum class NnPeer {
  plain_kernels,  // the same engine without wide instructions
  pytorch,        // python3-torch on one thread, in a process of its own, in alternation
};

struct NnReport {
  std::string kernels;  // those of ours: "avx512"
  std::string peer;     // "PyTorch 1.13.0"
  std::vector<Row> rows;
};

Result<NnReport> bench_nn(NnPeer peer, Seed seed, const Effort& effort,
                          const std::function<void(std::size_t, std::size_t)>& on_row);

}  // namespace damier::bench
