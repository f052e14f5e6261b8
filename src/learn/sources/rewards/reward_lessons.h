// What a network learns from its experience: one interface, two ways (values of actions, or a
// policy with a value of the position). When to play and what to keep is the source's business
// (reward_source.h).
#pragma once

#include <string_view>
#include <utility>

#include "damier/learn/sources/rewards/acting.h"
#include "damier/learn/train/learner.h"
#include "damier/learn/train/recipe.h"
#include "damier/nn/training.h"

namespace damier::learn {

// Sums over lessons, for means.
struct LessonFigures {
  double loss = 0;            // times samples
  std::uint64_t samples = 0;  // that were learnt from
  double lessons = 0;
  double first = 0, second = 0;  // two more figures of the method, summed over lessons

  void add(const LessonFigures& other) {
    loss += other.loss;
    samples += other.samples;
    lessons += other.lessons;
    first += other.first;
    second += other.second;
  }
};

// The names of tensors that belong to a target network begin with it.
inline constexpr std::string_view kTargetPrefix = "target.";

template <class T>
class RewardLessons {
 public:
  virtual ~RewardLessons() = default;

  // `done` is the share of the run that is over.
  virtual Choosing choosing(double done) const = 0;
  // After experience.advance().
  virtual void advance() {}
  // All lessons that are due after a round.
  virtual LessonFigures learn(double done) = 0;
  // What the two figures are called; empty: there is none.
  virtual std::pair<std::string_view, std::string_view> figure_names() const = 0;

  // All that it has beside the network, as tensors whose names begin with
  // kTargetPrefix or Experience::kPrefix, and back.
  virtual void write(nn::TensorFile&) const {}
  virtual Status read(const nn::TensorFile&) { return Done{}; }
};

}  // namespace damier::learn
