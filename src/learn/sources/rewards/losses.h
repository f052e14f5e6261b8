// The losses of learning by reward, with their gradients at the network's outputs. All are means
// over the samples; tests/learn/sources/rewards checks each against finite differences.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "damier/nn/network.h"

namespace damier::learn {

// One move of each sample: what it is to be worth, and the weight of its error.
template <class T>
struct ActionTargets {
  std::span<const int> actions;
  std::span<const T> targets;
  std::span<const T> weights;
};

// The squared error of the values of the actions, or with `huber` one that grows linearly from a
// distance of 1 on. `errors` gets value minus target.
template <class T>
double action_value_loss(const nn::OutputView<T>& output, const ActionTargets<T>& samples,
                         bool huber, std::span<T> errors) {
  const std::size_t count = samples.actions.size();
  double sum = 0;
  for (std::size_t row = 0; row < count; ++row) {
    const std::size_t begin = row * static_cast<std::size_t>(output.ld);
    const std::size_t at = begin + static_cast<std::size_t>(samples.actions[row]);
    std::fill_n(output.gradient + begin, output.ld, T(0));
    const T error = errors[row] = output.value[at] - samples.targets[row];
    const auto size = std::abs(static_cast<double>(error));
    const auto weight = static_cast<double>(samples.weights[row]);
    sum += weight * (huber && size > 1 ? size - 0.5 : 0.5 * size * size);
    const T slope = huber ? std::clamp(error, T(-1), T(1)) : error;
    output.gradient[at] = samples.weights[row] * slope / static_cast<T>(count);
  }
  return sum / static_cast<double>(count);
}

// One move of each sample: how much better than expected it was, and what made it be chosen.
template <class T>
struct PolicySamples {
  std::span<const int> actions;
  std::span<const std::uint8_t> legal;  // (samples, outputs)
  std::span<const T> advantages;
  std::span<const T> log_probabilities;  // of the actions when they were chosen
};
struct PolicyWeights {
  // A probability earns nothing more once it has changed by this share in the wanted direction
  // (PPO); 0: no limit, and what made the move be chosen does not matter (actor-critic).
  double clip = 0;
  double entropy = 0;  // a reward for not being sure
};
struct PolicyLoss {
  double loss = 0;
  double entropy = 0;  // of the policy, in nats
  double clipped = 0;  // the share of samples beyond the limit
};

namespace detail {

// Probabilities of the legal actions and their logarithms; the others are 0.
template <class T>
void find_policy(const T* logits, std::span<const std::uint8_t> legal, std::vector<double>& shares,
                 std::vector<double>& logarithms) {
  double top = -std::numeric_limits<double>::infinity(), sum = 0;
  for (std::size_t i = 0; i < legal.size(); ++i) {
    if (legal[i] != 0) top = std::max(top, static_cast<double>(logits[i]));
  }
  for (std::size_t i = 0; i < legal.size(); ++i) {
    logarithms[i] = static_cast<double>(logits[i]) - top;
    shares[i] = legal[i] == 0 ? 0 : std::exp(logarithms[i]);
    sum += shares[i];
  }
  for (std::size_t i = 0; i < legal.size(); ++i) {
    shares[i] /= sum;
    logarithms[i] = legal[i] == 0 ? 0 : logarithms[i] - std::log(sum);
  }
}

}  // namespace detail

// The outputs are logits; illegal actions take no part.
template <class T>
PolicyLoss policy_loss(const nn::OutputView<T>& output, const PolicySamples<T>& samples,
                       const PolicyWeights& weights) {
  const std::size_t count = samples.actions.size();
  const auto width = static_cast<std::size_t>(output.cols);
  const double scale = 1.0 / static_cast<double>(count);
  std::vector<double> shares(width), logarithms(width);
  PolicyLoss sum;
  for (std::size_t row = 0; row < count; ++row) {
    const std::size_t begin = row * static_cast<std::size_t>(output.ld);
    const auto action = static_cast<std::size_t>(samples.actions[row]);
    detail::find_policy(output.value + begin, samples.legal.subspan(row * width, width), shares,
                        logarithms);
    const auto advantage = static_cast<double>(samples.advantages[row]);
    double slope = -advantage;  // of the loss, by the logarithm of the action's probability
    if (weights.clip > 0) {
      const double before = static_cast<double>(samples.log_probabilities[row]);
      const double ratio = std::exp(logarithms[action] - before);
      const double limited = std::clamp(ratio, 1 - weights.clip, 1 + weights.clip);
      const bool beyond = limited * advantage < ratio * advantage;
      sum.loss -= std::min(ratio * advantage, limited * advantage);
      sum.clipped += beyond;
      slope = beyond ? 0 : -advantage * ratio;
    } else {
      sum.loss -= advantage * logarithms[action];
    }
    double entropy = 0;
    for (std::size_t i = 0; i < width; ++i) entropy -= shares[i] * logarithms[i];
    sum.entropy += entropy;
    sum.loss -= weights.entropy * entropy;
    T* gradient = output.gradient + begin;
    for (std::size_t i = 0; i < width; ++i) {
      const double by_action = slope * ((i == action ? 1.0 : 0.0) - shares[i]);
      const double by_entropy = weights.entropy * shares[i] * (logarithms[i] + entropy);
      gradient[i] = static_cast<T>(scale * (by_action + by_entropy));
    }
    std::fill(gradient + width, gradient + output.ld, T(0));
  }
  sum.loss *= scale;
  sum.entropy *= scale;
  sum.clipped *= scale;
  return sum;
}

}  // namespace damier::learn
