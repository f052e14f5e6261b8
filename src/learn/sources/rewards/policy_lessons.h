// Actor-critic and its clipped form: moves that were better than the network expected become more
// probable. Actor-critic takes one step a round, on all its moves; with clipping (PPO) the moves
// are learnt from several times, in batches.

#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>

#include "damier/learn/sources/rewards/losses.h"
#include "damier/learn/sources/rewards/reward_lessons.h"
#include "damier/nn/training.h"

namespace damier::learn {

template <class T>
class PolicyLessons final : public RewardLessons<T> {
 public:
  PolicyLessons(Learner<T>& learner, const Experience& experience)
      : learner_(learner),
        experience_(experience),
        options_(learner.recipe().reinforcement->how),
        clips_(options_.method == ReinforcementMethod::ppo),
        moves_head_(static_cast<std::size_t>(learner.network().output_index("moves"))),
        value_head_(static_cast<std::size_t>(learner.network().output_index("value"))) {}

  Choosing choosing(double done) const override { return {options_.epsilon.at(done), 1}; }

  LessonFigures learn(double done) override {
    const Time first = experience_.now() - static_cast<Time>(options_.moves);
    const std::size_t games = experience_.size().games;
    find_shares(first, options_.epsilon.at(done));
    std::vector<float> weights = shares_;
    for (float& weight : weights) weight = std::min(weight, 1.0f);
    find_advantages(experience_, first, options_.discount, options_.lambda, advantages_, weights);
    returns_.resize(advantages_.size());
    for (std::size_t i = 0; i < returns_.size(); ++i) {
      const float better = weights.empty() ? advantages_[i] : weights[i] * advantages_[i];
      returns_[i] = better + experience_.value(experience_.place(first + i / games, i % games));
    }
    if (options_.normalise) normalise(advantages_);
    for (std::size_t i = 0; i < shares_.size(); ++i) advantages_[i] *= shares_[i];
    order_.resize(advantages_.size());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    LessonFigures sum;
    for (int pass = 0; pass < (clips_ ? options_.passes : 1); ++pass) {
      if (clips_) {
        RandomStream random(learner_.seed(), "reinforcement.order",
                            static_cast<std::uint64_t>(learner_.optimiser().steps()));
        random.shuffle(std::span(order_));
      }
      const auto batch = static_cast<std::size_t>(learner_.network().batch());
      for (std::size_t at = 0; at < order_.size(); at += batch) {
        const std::size_t count = std::min(batch, order_.size() - at);
        sum.add(learn_once(std::span(order_).subspan(at, count), first, done));
      }
    }
    return sum;
  }

  std::pair<std::string_view, std::string_view> figure_names() const override {
    return {"entropy", clips_ ? "clipped" : ""};
  }

 private:
  // To mean 0 and deviation 1.
  static void normalise(std::vector<float>& numbers) {
    const double count = static_cast<double>(numbers.size());
    double sum = 0, squares = 0;
    for (const float number : numbers) sum += static_cast<double>(number);
    const double mean = sum / count;
    for (const float number : numbers) {
      const double off = static_cast<double>(number) - mean;
      squares += off * off;
    }
    const double deviation = std::sqrt(squares / count) + 1e-8;
    for (float& number : numbers) {
      number = static_cast<float>((static_cast<double>(number) - mean) / deviation);
    }
  }

  // How probable the moves of the round were for the policy, against how probable they were with
  // moves at random among them; none where there were no such moves.
  void find_shares(Time first, double epsilon) {
    shares_.clear();
    if (epsilon <= 0) return;
    const std::size_t games = experience_.size().games;
    for (std::size_t i = 0; i < games * static_cast<std::size_t>(options_.moves); ++i) {
      const std::size_t place = experience_.place(first + i / games, i % games);
      const auto legal = experience_.legal(place);
      const auto choices = static_cast<double>(std::ranges::count(legal, 1));
      const double own = std::exp(static_cast<double>(experience_.log_probability(place)));
      shares_.push_back(static_cast<float>(own / ((1 - epsilon) * own + epsilon / choices)));
    }
  }

  LessonFigures learn_once(std::span<const std::size_t> moves, Time first, double done) {
    const std::size_t games = experience_.size().games;
    for (auto* numbers : {&inputs_, &chosen_advantages_, &log_probabilities_, &values_}) {
      numbers->clear();
    }
    actions_.clear();
    legal_.clear();
    for (const std::size_t i : moves) {
      const std::size_t place = experience_.place(first + i / games, i % games);
      const auto input = experience_.input(place);
      const auto legal = experience_.legal(place);
      inputs_.insert(inputs_.end(), input.begin(), input.end());
      legal_.insert(legal_.end(), legal.begin(), legal.end());
      actions_.push_back(experience_.action(place));
      chosen_advantages_.push_back(static_cast<T>(advantages_[i]));
      log_probabilities_.push_back(static_cast<T>(experience_.log_probability(place)));
      values_.push_back(static_cast<T>(returns_[i]));
    }
    nn::Network<T>& network = learner_.network();
    const int count = static_cast<int>(moves.size());
    network.set_inputs(inputs_, count);
    network.forward(true, static_cast<std::uint64_t>(learner_.optimiser().steps()));
    const PolicyWeights weights = {clips_ ? options_.clip : 0, options_.entropy.at(done)};
    const PolicyLoss policy =
        policy_loss<T>(network.output(moves_head_),
                       {actions_, legal_, chosen_advantages_, log_probabilities_}, weights);
    const double value =
        nn::apply_loss<T>({nn::LossKind::mean_squared_error, {}, options_.value_weight},
                          network.kernels(), network.output(value_head_), count, values_);
    learner_.optimiser().backward_and_step();
    return {(policy.loss + value) * count, moves.size(), 1, policy.entropy, policy.clipped};
  }

  Learner<T>& learner_;
  const Experience& experience_;
  const ReinforcementOptions& options_;
  bool clips_;
  std::size_t moves_head_, value_head_;
  std::vector<float> shares_, advantages_, returns_;  // of the round
  std::vector<std::size_t> order_;                    // of its moves
  // Of a lesson.
  std::vector<int> actions_;
  std::vector<std::uint8_t> legal_;
  std::vector<T> inputs_, chosen_advantages_, log_probabilities_, values_;
};

}  // namespace damier::learn
