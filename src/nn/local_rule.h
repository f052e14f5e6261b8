// The layer-local learning rule of the dense chess report, a trainer of its own. From the top layer
// down it makes ||sigmoid(W x + b) - t||^2 smaller: W and b move against their gradient at rate a,
// and the layer below gets x - a * dL/dx as its target.
//
// For one sample at a time this equals backpropagation of the squared error with rate a * (2a)^k in
// the layer k below the output; a test holds it to that.
#pragma once

#include <span>

#include "damier/nn/network.h"

namespace damier::nn {

// Whether the rule applies: dense layers with biases, each followed by a sigmoid.
bool fits_local_rule(const NetworkSpec& spec);

class LocalRule {
 public:
  // The network must fit, and be made for training.
  LocalRule(Network<double>& network, double rate);

  // One step on one sample; returns the squared error before it.
  double learn(std::span<const double> input, std::span<const double> target);

 private:
  Network<double>& network_;
  double rate_;
  std::vector<std::vector<double>> activations_;
};

}  // namespace damier::nn
