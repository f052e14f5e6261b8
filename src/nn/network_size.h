// What a network takes, worked out from its specification before anything is allocated.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "damier/nn/network.h"
#include "damier/nn/spec.h"

namespace damier::nn {

struct ParameterShape {
  std::string name;
  std::vector<std::uint64_t> shape;

  bool operator==(const ParameterShape&) const = default;
};

// The names and shapes of Network::parameters(), in their order.
std::vector<ParameterShape> parameter_shapes(const NetworkSpec& spec);

// About the bytes of a network for passes of `batch` samples, in numbers of `number_bytes`; with
// gradients and an optimiser's two means where it is trained.
std::uint64_t network_bytes(const NetworkSpec& spec, int batch, Use use, std::size_t number_bytes);

// A batch of `wanted` samples, or the largest one that takes no more than about a gigabyte; at
// least 1.
int affordable_batch(const NetworkSpec& spec, int wanted, Use use, std::size_t number_bytes);

}  // namespace damier::nn
