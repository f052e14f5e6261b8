#include "damier/learn/sources/local_rule.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "damier/model/dense_text.h"

namespace damier::learn {

template <class T>
LocalRule<T>::LocalRule(nn::Network<T>& network) : network_(network) {
  assert(model::is_dense_report_network(network.spec()));
  activations_.emplace_back(static_cast<std::size_t>(network.spec().input.size()));
  for (std::size_t i = 1; i < network.spec().layers.size(); i += 2) {
    activations_.emplace_back(static_cast<std::size_t>(network.spec().layers[i].out.size()));
  }
  targets_ = activations_;
  for (const auto& layer : activations_) slopes_.resize(std::max(slopes_.size(), layer.size()));
}

template <class T>
double LocalRule<T>::learn(std::span<const T> input, std::span<const T> target, double a) {
  const auto parameters = network_.parameters();
  const std::size_t layers = activations_.size() - 1;
  std::copy(input.begin(), input.end(), activations_.front().begin());
  for (std::size_t layer = 0; layer < layers; ++layer) {
    const nn::Parameter<T>& weight = *parameters[2 * layer];
    const auto& x = activations_[layer];
    auto& y = activations_[layer + 1];
    std::copy_n(parameters[2 * layer + 1]->value, y.size(), y.begin());
    for (std::size_t i = 0; i < x.size(); ++i) {
      const T* row = weight.value + i * static_cast<std::size_t>(weight.ld);
      for (std::size_t o = 0; o < y.size(); ++o) y[o] += row[o] * x[i];
    }
    for (T& sum : y) sum = 1 / (1 + std::exp(-sum));
  }
  double error = 0;
  std::copy(target.begin(), target.end(), targets_.back().begin());
  for (std::size_t o = 0; o < target.size(); ++o) {
    const double off = static_cast<double>(activations_.back()[o] - target[o]);
    error += off * off;
  }
  const T rate = static_cast<T>(a);
  for (std::size_t layer = layers; layer-- > 0;) {
    const nn::Parameter<T>& weight = *parameters[2 * layer];
    T* bias = parameters[2 * layer + 1]->value;
    const auto& x = activations_[layer];
    const auto& y = activations_[layer + 1];
    for (std::size_t o = 0; o < y.size(); ++o) {
      slopes_[o] = rate * 2 * (y[o] - targets_[layer + 1][o]) * y[o] * (1 - y[o]);
      bias[o] -= slopes_[o];
    }
    for (std::size_t i = 0; i < x.size(); ++i) {
      T* row = weight.value + i * static_cast<std::size_t>(weight.ld);
      T below = x[i];  // x - a * dL/dx
      for (std::size_t o = 0; o < y.size(); ++o) {
        below -= slopes_[o] * row[o];
        row[o] -= slopes_[o] * x[i];
      }
      targets_[layer][i] = below;
    }
  }
  return error;
}

template class LocalRule<float>;
template class LocalRule<double>;

}  // namespace damier::learn
