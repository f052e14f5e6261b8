// What a network learns after the games of a generation: steps on random rows of the window.
#pragma once

#include <functional>
#include <memory>

#include "damier/learn/sources/self_play/window.h"
#include "damier/learn/train/recipe.h"
#include "damier/nn/model_file.h"

namespace damier::learn {

template <class T>
struct Learnt {
  double loss = 0;  // mean over the lessons
  double samples_per_second = 0;
  nn::TensorFile checkpoint;
  std::shared_ptr<const nn::Network<T>> weights;
};

template <class T>
class Lessons {
 public:
  // `stop` is asked after every batch.
  Lessons(const Recipe& recipe, Seed seed, ThreadPool& pool, const nn::Provenance& provenance,
          std::function<bool()> stop);

  // Goes on from a checkpoint.
  Result<Learnt<T>> learn(const nn::TensorFile& checkpoint, const GamesWindow& window,
                          int generation);

 private:
  Recipe recipe_;  // with the rate of the generation
  double rate_;    // of the first one
  ScheduleRecipe schedule_;
  Seed seed_;
  ThreadPool& pool_;
  const nn::Provenance& provenance_;
  std::function<bool()> stop_;
};

}  // namespace damier::learn
