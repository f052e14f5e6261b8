#include "damier/nn/local_rule.h"

#include <cassert>
#include <cmath>

namespace damier::nn {

bool fits_local_rule(const NetworkSpec& spec) {
  if (spec.heads.size() != 1 || !spec.heads[0].layers.empty() || spec.layers.size() % 2 != 0) {
    return false;
  }
  for (std::size_t i = 0; i < spec.layers.size(); i += 2) {
    if (spec.layers[i].kind != LayerKind::dense || !spec.layers[i].bias ||
        spec.layers[i + 1].kind != LayerKind::sigmoid) {
      return false;
    }
  }
  return !spec.layers.empty();
}

LocalRule::LocalRule(Network<double>& network, double rate) : network_(network), rate_(rate) {
  assert(fits_local_rule(network.spec()));
  activations_.emplace_back(static_cast<std::size_t>(network.spec().input.size()));
  for (std::size_t i = 1; i < network.spec().layers.size(); i += 2) {
    activations_.emplace_back(static_cast<std::size_t>(network.spec().layers[i].out.size()));
  }
}

double LocalRule::learn(std::span<const double> input, std::span<const double> target) {
  activations_[0].assign(input.begin(), input.end());
  const auto parameters = network_.parameters();
  const std::size_t layers = activations_.size() - 1;
  for (std::size_t layer = 0; layer < layers; ++layer) {
    const Parameter<double>& weight = *parameters[2 * layer];
    const Parameter<double>& bias = *parameters[2 * layer + 1];
    for (std::size_t o = 0; o < activations_[layer + 1].size(); ++o) {
      double sum = bias.value[o];
      for (std::size_t i = 0; i < activations_[layer].size(); ++i) {
        sum += weight.value[i * static_cast<std::size_t>(weight.ld) + o] * activations_[layer][i];
      }
      activations_[layer + 1][o] = 1 / (1 + std::exp(-sum));
    }
  }
  double error = 0;
  std::vector<double> goal(target.begin(), target.end());
  for (std::size_t o = 0; o < goal.size(); ++o) {
    error += (activations_.back()[o] - goal[o]) * (activations_.back()[o] - goal[o]);
  }
  for (std::size_t layer = layers; layer-- > 0;) {
    const Parameter<double>& weight = *parameters[2 * layer];
    const Parameter<double>& bias = *parameters[2 * layer + 1];
    const auto& x = activations_[layer];
    const auto& y = activations_[layer + 1];
    std::vector<double> below = x;  // x - a * dL/dx
    for (std::size_t o = 0; o < y.size(); ++o) {
      const double delta = 2 * (y[o] - goal[o]) * y[o] * (1 - y[o]);
      for (std::size_t i = 0; i < x.size(); ++i) {
        double& w = weight.value[i * static_cast<std::size_t>(weight.ld) + o];
        below[i] -= rate_ * delta * w;
        w -= rate_ * delta * x[i];
      }
      bias.value[o] -= rate_ * delta;
    }
    goal = std::move(below);
  }
  return error;
}

}  // namespace damier::nn
