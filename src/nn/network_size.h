// What a network takes, worked out from its specification before anything is allocated.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "damier/nn/network.h"
#include "damier/nn/spec.h"

namespace damier::nn {

// The names and shapes of Network::parameters(), in their order.
std::vector<ParameterSpec> parameter_specs(const NetworkSpec& spec);

// The numbers that stand between the layers for one sample, padding included.
std::int64_t values_of_sample(const NetworkSpec& spec);

// Multiplications that a sample costs on its way through the network.
double products_of_sample(const NetworkSpec& spec);

// About the bytes of a network for passes of `batch` samples, in numbers of `number_bytes`; with
// gradients and an optimiser's two means where it is trained.
std::uint64_t network_bytes(const NetworkSpec& spec, int batch, Use use, std::size_t number_bytes);

// A batch of `wanted` samples, or the largest one that takes no more than about a gigabyte; at
// least 1.
int affordable_batch(const NetworkSpec& spec, int wanted, Use use, std::size_t number_bytes);

}  // namespace damier::nn
