// First weights.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "damier/base/numbers/random.h"
#include "damier/nn/network.h"

namespace damier::nn {

// How weights are drawn: with a variance that follows from the size of their layer, or uniformly
// from -limit to limit whatever the layer.
struct Initialisation {
  enum Kind : std::uint8_t { xavier_uniform, xavier_normal, he_uniform, he_normal, uniform };
  static constexpr double kLimit = 0.05;
  static constexpr double kMaxLimit = 1000;

  constexpr Initialisation(Kind how = he_uniform, double bound = kLimit)
      : kind(how), limit(bound) {}

  Kind kind;
  double limit;  // of uniform alone
};

// What recipes and the command line call them, in the order of Initialisation::Kind.
inline constexpr std::array<std::string_view, 5> kInitialisationNames = {
    "xavier_uniform", "xavier_normal", "he_uniform", "he_normal", "uniform"};

// Draws every weight matrix from the stream of its name, so that a layer's weights do not depend on
// the layers before it; biases become 0, scales 1, running figures 0 and 1.
template <class T>
void initialise(Network<T>& network, Initialisation how, Seed seed);

}  // namespace damier::nn
