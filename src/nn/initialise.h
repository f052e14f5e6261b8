// First weights.
#pragma once

#include "damier/base/random.h"
#include "damier/nn/network.h"

namespace damier::nn {

enum class Initialisation : std::uint8_t { xavier_uniform, xavier_normal, he_uniform, he_normal };

// Draws every weight matrix from the stream of its name, so that a layer's weights do not depend on
// the layers before it; biases become 0, scales 1, running figures 0 and 1.
template <class T>
void initialise(Network<T>& network, Initialisation kind, Seed seed);

}  // namespace damier::nn
