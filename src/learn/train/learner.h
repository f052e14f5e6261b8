// A network in training: its weights, its optimiser and the schedule of a recipe. What it learns
// from is a source's business (learn/sources/source.h), when to stop and what to keep the run's
// (training_run.h).
#pragma once

#include <memory>

#include "damier/base/parallel/threads.h"
#include "damier/learn/train/recipe.h"
#include "damier/model/predictor.h"
#include "damier/nn/network.h"
#include "damier/nn/optimiser.h"

namespace damier::learn {

template <class T>
class Learner {
 public:
  // With the first weights that the recipe and the seed give. The recipe and the pool must outlive
  // the learner.
  Learner(const Recipe& recipe, Seed seed, ThreadPool& pool);
  Learner(const Learner&) = delete;
  Learner& operator=(const Learner&) = delete;

  const Recipe& recipe() const { return recipe_; }
  Seed seed() const { return seed_; }
  ThreadPool& pool() { return pool_; }
  nn::Network<T>& network() { return network_; }
  const nn::Network<T>& network() const { return network_; }
  nn::Optimiser<T>& optimiser() { return optimiser_; }

  // The rate follows the recipe's schedule step by step, in a run of `steps`, …
  void schedule_by_step(std::int64_t steps);
  // … or it stays the same for all of an epoch, for a source that cannot tell its steps beforehand.
  void schedule_by_epoch(int epoch);

  // The weights as they are now: in a network for larger batches, which the next call changes, …
  nn::Network<T>& measured();
  // … as a task evaluates them, …
  model::Predictor& evaluated();
  // … and for good.
  std::shared_ptr<const nn::Network<T>> weights() const;

  // Whether all weights and the optimiser's means are numbers.
  bool is_finite();

 private:
  const Recipe& recipe_;
  Seed seed_;
  ThreadPool& pool_;
  nn::Network<T> network_;
  nn::Optimiser<T> optimiser_;
  std::unique_ptr<nn::Network<T>> measured_;
  std::unique_ptr<model::Predictor> evaluated_;
};

}  // namespace damier::learn
