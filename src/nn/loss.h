// Losses: a figure to be made small, and its gradient at the network's outputs. All are means over
// the samples; tests/nn/gradient_test.cc checks each against finite differences.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "damier/nn/network.h"

namespace damier::nn {

enum class LossKind : std::uint8_t {
  mean_squared_error,    // mean over the outputs too
  cross_entropy,         // outputs are logits in groups; targets a distribution in each group
  binary_cross_entropy,  // outputs are logits; targets in [0, 1]; mean over the outputs too
  huber,                 // quadratic within 1 of the target, then linear; mean over the outputs
  chosen_squared_error,  // only where the mask is 1: (output - target)^2, summed (Q-learning)
};

struct Loss {
  LossKind kind = LossKind::mean_squared_error;
  std::vector<int> groups;  // cross_entropy: sizes; one of all when empty
  double weight = 1;        // of this head in the sum
};

// The loss of `samples` rows and, in output.gradient, its gradient. `targets` holds `output.cols`
// values a sample. `mask` is empty or holds as many: for cross_entropy, outputs with a 0 (illegal
// moves) take no part; for binary_cross_entropy neither, and the mean is over the others, so that
// every sample weighs the same; for chosen_squared_error it chooses.
template <class T>
double apply_loss(const Loss& loss, const Kernels<T>& kernels, const OutputView<T>& output,
                  int samples, std::span<const T> targets, std::span<const T> mask = {});

}  // namespace damier::nn
