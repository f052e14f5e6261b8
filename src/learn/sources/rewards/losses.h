// The losses of learning by reward, with their gradients at the network's outputs. All are means
// over the samples; tests/learn/sources/rewards checks each against finite differences.
#pragma once

#include <cstdint>
#include <span>

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
                         bool huber, std::span<T> errors);

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

// The outputs are logits; illegal actions take no part.
template <class T>
PolicyLoss policy_loss(const nn::OutputView<T>& output, const PolicySamples<T>& samples,
                       const PolicyWeights& weights);

}  // namespace damier::learn
