// A network in training: its weights, its optimiser and the schedule of a recipe. What it learns
// from is a source's business (learn/sources/source.h), when to stop and what to keep the run's
// (training_run.h).
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>

#include "damier/base/parallel/threads.h"
#include "damier/learn/train/recipe.h"
#include "damier/model/predictor.h"
#include "damier/nn/network.h"
#include "damier/nn/training.h"

namespace damier::learn {

template <class T>
class Learner {
 public:
  // With the first weights that the recipe and the seed give. The recipe and the pool must outlive
  // the learner.
  Learner(const Recipe& recipe, Seed seed, ThreadPool& pool)
      : recipe_(recipe),
        seed_(seed),
        pool_(pool),
        // One sample is too little to share out among threads.
        network_(recipe.network, recipe.batch, nn::Use::training,
                 recipe.batch > 1 ? &pool : nullptr),
        optimiser_(recipe.optimiser, network_) {
    nn::initialise(network_, recipe.initialisation, seed);
    network_.set_dropout_seed(seed);
    // Weights that have learnt already: batch norms keep their figures.
    if (!recipe.start.empty()) network_.keep_norms();
  }
  Learner(const Learner&) = delete;
  Learner& operator=(const Learner&) = delete;

  const Recipe& recipe() const { return recipe_; }
  Seed seed() const { return seed_; }
  ThreadPool& pool() { return pool_; }
  nn::Network<T>& network() { return network_; }
  const nn::Network<T>& network() const { return network_; }
  nn::Optimiser<T>& optimiser() { return optimiser_; }

  // The rate follows the recipe's schedule step by step, in a run of `steps`, …
  void schedule_by_step(std::int64_t steps) { optimiser_.set_schedule(schedule_of(steps)); }
  // … or it stays the same for all of an epoch, for a source that cannot tell its steps beforehand.
  void schedule_by_epoch(int epoch) {
    optimiser_.set_rate(recipe_.optimiser.rate * schedule_of(recipe_.epochs).at(epoch));
  }

  // The weights as they are now: in a network for larger batches, which the next call changes, …
  nn::Network<T>& measured() {
    if (measured_ == nullptr) {
      const int batch =
          nn::affordable_batch(recipe_.network, kMeasuredBatch, nn::Use::training, sizeof(T));
      measured_ =
          std::make_unique<nn::Network<T>>(recipe_.network, batch, nn::Use::training, &pool_);
      evaluated_ = model::predict_with(*measured_);
    }
    model::copy_weights(network_, *measured_);
    return *measured_;
  }
  // … as a task evaluates them, …
  model::Predictor& evaluated() {
    measured();
    return *evaluated_;
  }
  // … and for good.
  std::shared_ptr<const nn::Network<T>> weights() const {
    return model::network_copy(network_, recipe_.network, 1);
  }

  // Whether all weights and the optimiser's means are numbers.
  bool is_finite() {
    const auto finite = [](const T* values, std::size_t count) {
      return std::all_of(values, values + count, [](T value) { return std::isfinite(value); });
    };
    const auto parameters = network_.parameters();
    const auto means = optimiser_.state();
    return std::ranges::all_of(parameters,
                               [&](const auto* one) { return finite(one->value, one->count()); }) &&
           std::ranges::all_of(means,
                               [&](const auto& one) { return finite(one.data(), one.size()); });
  }

 private:
  static constexpr int kMeasuredBatch = 256;

  // A recipe gives its schedule in epochs; `steps` are those of all of them.
  nn::Schedule schedule_of(std::int64_t steps) const {
    const ScheduleRecipe& from = recipe_.schedule;
    const auto in_steps = [&](double epochs) {
      return static_cast<std::int64_t>(
          std::llround(epochs * static_cast<double>(steps) / recipe_.epochs));
    };
    const std::int64_t length = from.kind == nn::ScheduleKind::step ? in_steps(from.every) : steps;
    return {from.kind, in_steps(from.warm_up), std::max<std::int64_t>(1, length), from.factor,
            from.lowest};
  }

  const Recipe& recipe_;
  Seed seed_;
  ThreadPool& pool_;
  nn::Network<T> network_;
  nn::Optimiser<T> optimiser_;
  std::unique_ptr<nn::Network<T>> measured_;
  std::unique_ptr<model::Predictor> evaluated_;
};

}  // namespace damier::learn
