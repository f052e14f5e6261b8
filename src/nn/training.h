// What training adds to a network: first weights, losses, optimisers and learning-rate schedules.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

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

// --- Losses: a figure to be made small, and its gradient at the network's outputs. All are means
// over the samples; tests/nn/gradient_test.cc checks each against finite differences.

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

// --- Optimisers

using OptimiserKind = Rule;
enum class ScheduleKind : std::uint8_t { constant, step, cosine };

struct Schedule {
  ScheduleKind kind = ScheduleKind::constant;
  std::int64_t warm_up = 0;  // steps from 0 to the full rate, linearly
  std::int64_t steps = 0;    // cosine: the length; step: the distance between drops
  double factor = 0.1;       // step: what a drop multiplies by
  double lowest = 0;         // cosine: the share of the rate at the end

  // What the rate is multiplied by at `step`, which counts from 0.
  double at(std::int64_t step) const;
};

struct OptimiserOptions {
  OptimiserKind kind = OptimiserKind::adam;
  double rate = 1e-3;
  double momentum = 0;  // sgd
  double alpha = 0.99;  // rmsprop
  double beta1 = 0.9;   // adam, adamw
  double beta2 = 0.999;
  double epsilon = 1e-8;
  double weight_decay = 0;
  double clip_norm = 0;     // the gradient's norm is scaled down to this; 0: never
  double clip_weights = 0;  // every weight is kept within this of zero; 0: none is
  Schedule schedule = {};
};

template <class T>
class Optimiser {
 public:
  Optimiser(OptimiserOptions options, Network<T>& network,
            const Kernels<T>& kernels = best_kernels<T>());

  // After network.backward().
  void step();
  // Both at once: the same result to the bit, but each weight moves while its gradient is still in
  // the cache (and may not be kept). With clipping, which needs all gradients first, one follows
  // the other.
  void backward_and_step();
  std::int64_t steps() const { return steps_; }
  // What the schedule makes of the rate in the next step.
  double rate() const { return options_.rate * options_.schedule.at(steps_); }

  // The state beside the weights, for checkpoints: first and second means of every parameter in
  // order.
  std::vector<std::span<T>> state();
  void set_steps(std::int64_t steps) { steps_ = steps; }

  // What comes from now on; the state stays.
  void set_rate(double rate) { options_.rate = rate; }
  void set_schedule(const Schedule& schedule) { options_.schedule = schedule; }

 private:
  FusedStep<T> next_step();
  T gradient_scale() const;
  void clip_weights() const;

  OptimiserOptions options_;
  Network<T>& network_;
  const Kernels<T>& kernels_;
  Memory<T> memory_;
  std::vector<Parameter<T>*> learned_;
  std::int64_t steps_ = 0;
};

}  // namespace damier::nn
