// The layer-local learning rule of the dense chess report. From the top layer down it makes
// ||sigmoid(W x + b) - t||^2 smaller: W and b move against their gradient at rate a, and the layer
// below gets x - a * dL/dx as its target.
//
// For one sample at a time this equals backpropagation of the squared error with rate a * (2a)^k in
// the layer k below the output; a test holds it to that.
#pragma once

#include <span>
#include <vector>

#include "damier/nn/network.h"

namespace damier::learn {

template <class T>
class LocalRule {
 public:
  // The network is such as the report has (model/dense_text.h), and made for training.
  explicit LocalRule(nn::Network<T>& network);

  // One step on one sample at rate a; returns the squared error before it.
  double learn(std::span<const T> input, std::span<const T> target, double a);

 private:
  nn::Network<T>& network_;
  std::vector<std::vector<T>> activations_;  // of the input and of every layer
  std::vector<std::vector<T>> targets_;      // for them
  std::vector<T> slopes_;                    // of a layer's error
};

}  // namespace damier::learn
