// Q-learning: the value of a move is its reward and, discounted, the value of the best legal move
// in the next position, with the sign turned where that one belongs to the opponent.

#include <algorithm>
#include <cmath>

#include "damier/learn/sources/rewards/losses.h"
#include "damier/learn/sources/rewards/replay.h"
#include "damier/learn/sources/rewards/returns.h"
#include "damier/learn/sources/rewards/reward_lessons.h"

namespace damier::learn {

namespace {

template <class T>
class QLessons final : public RewardLessons<T> {
 public:
  explicit QLessons(const Pupil<T>& pupil)
      : pupil_(pupil),
        options_(pupil.recipe.reinforcement->how),
        replay_(pupil.experience.size(), options_.look_ahead, options_.priority),
        target_(pupil.recipe.network, pupil.recipe.batch, nn::Use::inference, &pupil.pool),
        head_(static_cast<std::size_t>(pupil.network.output_index("moves"))) {
    const auto batch = static_cast<std::size_t>(pupil.recipe.batch);
    const std::size_t width = pupil.experience.size().inputs;
    drawn_.resize(batch);
    ahead_.resize(batch);
    following_.resize(batch);
    actions_.resize(batch);
    inputs_.resize(batch * width);
    targets_.resize(batch);
    weights_.resize(batch);
    errors_.resize(batch);
    model::copy_weights(pupil_.network, target_);
  }

  Choosing choosing(double done) const override {
    return {options_.epsilon.at(done), options_.temperature.at(done)};
  }
  void advance() override { replay_.advance(pupil_.experience); }

  LessonFigures learn(double done) override {
    LessonFigures sum;
    const std::uint64_t moves =
        pupil_.experience.now() * static_cast<std::uint64_t>(options_.games);
    const std::int64_t due = options_.lessons_after(moves, pupil_.recipe.batch);
    while (pupil_.optimiser.steps() < due) sum.add(learn_once(done));
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
      auto status = read_numbers<T>(file, std::string(kTargetPrefix) + parameter->name,
                                    std::span(parameter->value, parameter->count()));
      if (!status) return status;
    }
    return replay_.read(file);
  }

 private:
  LessonFigures learn_once(double done) {
    RandomStream random(pupil_.seed, "reinforcement.replay",
                        static_cast<std::uint64_t>(pupil_.optimiser.steps()));
    replay_.draw(pupil_.experience, options_.correction.at(done), random, drawn_);
    find_targets();
    for (std::size_t i = 0; i < drawn_.size(); ++i) {
      const std::size_t place = pupil_.experience.place(drawn_[i].time, drawn_[i].game);
      actions_[i] = pupil_.experience.action(place);
      weights_[i] = static_cast<T>(drawn_[i].weight);
      see(place, i);
    }
    set_inputs(pupil_.network, drawn_.size());
    pupil_.network.forward(true, static_cast<std::uint64_t>(pupil_.optimiser.steps()));
    const double loss = action_value_loss<T>(
        pupil_.network.output(head_), {actions_, targets_, weights_}, options_.huber, errors_);
    pupil_.optimiser.backward_and_step();
    LessonFigures figures = {loss * static_cast<double>(drawn_.size()), drawn_.size(), 1, 0, 0};
    for (std::size_t i = 0; i < drawn_.size(); ++i) {
      replay_.set_error(pupil_.experience, drawn_[i], static_cast<double>(errors_[i]));
      figures.first += std::abs(static_cast<double>(errors_[i]));
      figures.second += static_cast<double>(errors_[i] + targets_[i]);
    }
    figures.first /= static_cast<double>(drawn_.size());
    figures.second /= static_cast<double>(drawn_.size());
    if (pupil_.optimiser.steps() % options_.target_every == 0) {
      model::copy_weights(pupil_.network, target_);
    }
    return figures;
  }

  // What the moves that were drawn should be worth.
  void find_targets() {
    std::size_t count = 0;
    for (std::size_t i = 0; i < drawn_.size(); ++i) {
      ahead_[i] = look_ahead(pupil_.experience, drawn_[i].time, drawn_[i].game, options_.look_ahead,
                             options_.discount, options_.faults);
      targets_[i] = static_cast<T>(ahead_[i].reward);
      if (ahead_[i].factor == 0) continue;
      see(pupil_.experience.place(ahead_[i].time, drawn_[i].game), count);
      following_[count++] = i;
    }
    if (count == 0) return;
    set_inputs(target_, count);
    target_.forward(false);
    if (options_.double_q) {
      set_inputs(pupil_.network, count);
      pupil_.network.forward(false);
    }
    const nn::Network<T>& chooser = options_.double_q ? pupil_.network : target_;
    for (std::size_t row = 0; row < count; ++row) {
      const std::size_t i = following_[row];
      const auto legal =
          pupil_.experience.legal(pupil_.experience.place(ahead_[i].time, drawn_[i].game));
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
    const auto input = pupil_.experience.input(place);
    std::copy(input.begin(), input.end(),
              inputs_.begin() + static_cast<std::ptrdiff_t>(row * input.size()));
  }
  void set_inputs(nn::Network<T>& network, std::size_t rows) {
    network.set_inputs(std::span(inputs_).first(rows * pupil_.experience.size().inputs),
                       static_cast<int>(rows));
  }

  Pupil<T> pupil_;
  const ReinforcementOptions& options_;
  Replay replay_;
  nn::Network<T> target_;
  std::size_t head_;
  std::vector<DrawnMove> drawn_;
  std::vector<Ahead> ahead_;
  std::vector<std::size_t> following_;  // of those that were drawn: with a next position
  std::vector<int> actions_;
  std::vector<T> inputs_, targets_, weights_, errors_;
};

}  // namespace

template <class T>
std::unique_ptr<RewardLessons<T>> make_q_lessons(const Pupil<T>& pupil) {
  return std::make_unique<QLessons<T>>(pupil);
}
template std::unique_ptr<RewardLessons<float>> make_q_lessons(const Pupil<float>&);
template std::unique_ptr<RewardLessons<double>> make_q_lessons(const Pupil<double>&);

}  // namespace damier::learn
