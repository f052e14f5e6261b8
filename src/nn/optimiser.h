// Optimisers and learning-rate schedules.
#pragma once

#include <cstdint>
#include <vector>

#include "damier/nn/network.h"

namespace damier::nn {

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
  void apply(const FusedStep<T>& step, const Parameter<T>& parameter) const;
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
