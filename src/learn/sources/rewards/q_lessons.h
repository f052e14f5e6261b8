// Q-learning: the value of a move is its reward and, discounted, the value of the best legal move
// in the next position, with the sign turned where that one belongs to the opponent.

#pragma once

#include <algorithm>
#include <cmath>

#include "damier/learn/sources/rewards/losses.h"
#include "damier/learn/sources/rewards/replay.h"
#include "damier/learn/sources/rewards/reward_lessons.h"

namespace damier::learn {

template <class T>
class QLessons final : public RewardLessons<T> {
 public:
  QLessons(Learner<T>& learner, const Experience& experience)
      : learner_(learner),
        experience_(experience),
        options_(learner.recipe().reinforcement->how),
        batch_(static_cast<std::size_t>(learner.recipe().batch)),
        replay_(experience.size(), options_.look_ahead, options_.priority),
        target_(learner.recipe().network, learner.recipe().batch, nn::Use::inference,
                &learner.pool()),
        head_(static_cast<std::size_t>(learner.network().output_index("moves"))) {
    model::copy_weights(learner.network(), target_);
  }

  Choosing choosing(double done) const override {
    return {options_.epsilon.at(done), options_.temperature.at(done)};
  }
  void advance() override { replay_.advance(experience_); }

  LessonFigures learn(double done) override {
    LessonFigures sum;
    const std::uint64_t moves = experience_.now() * static_cast<std::uint64_t>(options_.games);
    const std::int64_t due = options_.lessons_after(moves, learner_.recipe().batch);
    while (learner_.optimiser().steps() < due) sum.add(learn_once(done));
    return sum;
  }

  std::pair<std::string_view, std::string_view> figure_names() const override {
    return {"value_error", "mean_value"};
  }

  void write(nn::TensorFile& file) const override {
    replay_.write(file);
    for (const auto* parameter : target_.parameters()) {
      file.tensors.push_back(
          nn::make_tensor<T>(std::string(kTargetPrefix) + parameter->name, {parameter->count()},
                             std::span<const T>(parameter->value, parameter->count())));
    }
  }
  Status read(const nn::TensorFile& file) override {
    for (auto* parameter : target_.parameters()) {
      TRY(read_numbers<T>(file, std::string(kTargetPrefix) + parameter->name,
                          std::span(parameter->value, parameter->count())));
    }
    return replay_.read(file);
  }

 private:
  LessonFigures learn_once(double done) {
    RandomStream random(learner_.seed(), "reinforcement.replay",
                        static_cast<std::uint64_t>(learner_.optimiser().steps()));
    replay_.draw(experience_, options_.correction.at(done), random, drawn_);
    find_targets();
    for (std::size_t i = 0; i < drawn_.size(); ++i) {
      const std::size_t place = experience_.place(drawn_[i].time, drawn_[i].game);
      actions_[i] = experience_.action(place);
      weights_[i] = static_cast<T>(drawn_[i].weight);
      see(place, i);
    }
    set_inputs(learner_.network(), drawn_.size());
    learner_.network().forward(true, static_cast<std::uint64_t>(learner_.optimiser().steps()));
    const double loss = action_value_loss<T>(
        learner_.network().output(head_), {actions_, targets_, weights_}, options_.huber, errors_);
    learner_.optimiser().backward_and_step();
    LessonFigures figures = {loss * static_cast<double>(drawn_.size()), drawn_.size(), 1, 0, 0};
    for (std::size_t i = 0; i < drawn_.size(); ++i) {
      replay_.set_error(experience_, drawn_[i], static_cast<double>(errors_[i]));
      figures.first += std::abs(static_cast<double>(errors_[i]));
      figures.second += static_cast<double>(errors_[i] + targets_[i]);
    }
    figures.first /= static_cast<double>(drawn_.size());
    figures.second /= static_cast<double>(drawn_.size());
    if (learner_.optimiser().steps() % options_.target_every == 0) {
      model::copy_weights(learner_.network(), target_);
    }
    return figures;
  }

  // What the moves that were drawn should be worth.
  void find_targets() {
    std::size_t count = 0;
    for (std::size_t i = 0; i < drawn_.size(); ++i) {
      ahead_[i] = look_ahead(experience_, drawn_[i].time, drawn_[i].game, options_.look_ahead,
                             options_.discount, options_.faults);
      targets_[i] = static_cast<T>(ahead_[i].reward);
      if (ahead_[i].factor == 0) continue;
      see(experience_.place(ahead_[i].time, drawn_[i].game), count);
      following_[count++] = i;
    }
    if (count == 0) return;
    set_inputs(target_, count);
    target_.forward(false);
    if (options_.double_q) {
      set_inputs(learner_.network(), count);
      learner_.network().forward(false);
    }
    const nn::Network<T>& chooser = options_.double_q ? learner_.network() : target_;
    for (std::size_t row = 0; row < count; ++row) {
      const std::size_t i = following_[row];
      const auto legal = experience_.legal(experience_.place(ahead_[i].time, drawn_[i].game));
      targets_[i] =
          static_cast<T>(q_target<T>(ahead_[i], values_of(chooser, row), values_of(target_, row),
                                     legal, options_.faults.illegal_maxima));
    }
  }

  std::span<const T> values_of(const nn::Network<T>& network, std::size_t row) const {
    const auto view = network.output(head_);
    return {view.value + row * static_cast<std::size_t>(view.ld),
            static_cast<std::size_t>(view.cols)};
  }

  void see(std::size_t place, std::size_t row) {
    const auto input = experience_.input(place);
    std::ranges::copy(input, inputs_.begin() + static_cast<std::ptrdiff_t>(row * input.size()));
  }
  void set_inputs(nn::Network<T>& network, std::size_t rows) {
    network.set_inputs(std::span(inputs_).first(rows * experience_.size().inputs),
                       static_cast<int>(rows));
  }

  Learner<T>& learner_;
  const Experience& experience_;
  const ReinforcementOptions& options_;
  std::size_t batch_;
  Replay replay_;
  nn::Network<T> target_;
  std::size_t head_;
  // Of the moves of a lesson.
  std::vector<DrawnMove> drawn_ = std::vector<DrawnMove>(batch_);
  std::vector<Ahead> ahead_ = std::vector<Ahead>(batch_);
  std::vector<std::size_t> following_ = std::vector<std::size_t>(batch_);  // with a next position
  std::vector<int> actions_ = std::vector<int>(batch_);
  std::vector<T> inputs_ = std::vector<T>(batch_ * experience_.size().inputs);
  std::vector<T> targets_ = std::vector<T>(batch_), weights_ = targets_, errors_ = targets_;
};

}  // namespace damier::learn
