// Steps of a network on rows, whether they were labelled or come from games of its own.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "damier/base/numbers/stopwatch.h"
#include "damier/learn/sources/local_rule.h"
#include "damier/learn/sources/row_reader.h"
#include "damier/learn/train/learner.h"

namespace damier::learn {

template <class T>
class RowLessons {
 public:
  // On rows with these columns, which must fit the recipe.
  RowLessons(Learner<T>& learner, std::span<const Column> columns, const std::string& encoder)
      : learner_(learner), reader_(learner.recipe(), columns, encoder, learner.recipe().batch) {
    if (learner.recipe().rule == LearningRule::local) local_rule_.emplace(learner.network());
    if (learner.recipe().augment) find_symmetries(encoder);
  }

  // The columns whose bytes learn() takes, as indices into those of the rows.
  const std::vector<int>& columns() const { return reader_.columns(); }
  // One step; the sum of the rows' losses before it.
  double learn(typename RowReader<T>::Bytes bytes, std::span<const std::uint32_t> rows) {
    nn::Optimiser<T>& optimiser = learner_.optimiser();
    const std::int64_t step = optimiser.steps();
    std::optional<Stopwatch> watch;
    if (step % kTimedEvery == 0) watch.emplace();
    choose_symmetries(rows.size());
    reader_.read(bytes, rows, chosen_);
    if (watch) loading_time_ += watch->seconds();
    double loss = 0;
    if (local_rule_) {
      loss = learn_locally();
    } else {
      loss = reader_.loss(learner_.network(), true, static_cast<std::uint64_t>(step));
      optimiser.backward_and_step();
    }
    if (watch) step_time_ += watch->seconds();
    return loss;
  }

  // The share of the steps' time that went into making batches of the rows: turning, gathering and
  // expanding them. Some steps are timed for it.
  double loading_share() const { return step_time_ > 0 ? loading_time_ / step_time_ : 0; }

 private:
  static constexpr std::int64_t kTimedEvery = 16;  // steps

  void find_symmetries(const std::string& encoder) {
    maps_ = learner_.recipe().task->encoder(encoder).value()->symmetries();
    for (const model::SymmetryMaps& maps : maps_) {
      std::vector<const model::ColumnMap*>& by_column = symmetries_.emplace_back();
      for (std::size_t k = 0; k < columns().size(); ++k) {
        const auto at = std::ranges::find(maps, reader_.column(k).name, &model::ColumnMap::column);
        by_column.push_back(at == maps.end() ? nullptr : &*at);
      }
    }
    chosen_.resize(columns().size());
  }
  void choose_symmetries(std::size_t rows) {
    if (symmetries_.empty()) return;
    RandomStream stream(learner_.seed(), "train.symmetry",
                        static_cast<std::uint64_t>(learner_.optimiser().steps()));
    for (auto& chosen : chosen_) chosen.clear();
    for (std::size_t row = 0; row < rows; ++row) {
      const auto& symmetry =
          symmetries_[static_cast<std::size_t>(stream.below(symmetries_.size()))];
      for (std::size_t k = 0; k < symmetry.size(); ++k) chosen_[k].push_back(symmetry[k]);
    }
  }
  // One of the rows after the other; their loss before each step.
  double learn_locally() {
    nn::Optimiser<T>& optimiser = learner_.optimiser();
    const auto& network = learner_.recipe().network;
    const auto inputs = static_cast<std::size_t>(network.input.size());
    const auto outputs = static_cast<std::size_t>(network.head_shape(0).size());
    const double rate = optimiser.rate();
    double error = 0;
    for (std::size_t row = 0; row < reader_.rows(); ++row) {
      error += local_rule_->learn(reader_.inputs().subspan(row * inputs, inputs),
                                  reader_.targets(0).subspan(row * outputs, outputs), rate);
    }
    optimiser.set_steps(optimiser.steps() + 1);
    return error / static_cast<double>(outputs);
  }

  Learner<T>& learner_;
  RowReader<T> reader_;
  std::optional<LocalRule<T>> local_rule_;
  std::vector<model::SymmetryMaps> maps_;
  std::vector<std::vector<const model::ColumnMap*>> symmetries_;  // by symmetry, then by column
  std::vector<std::vector<const model::ColumnMap*>>
      chosen_;                               // by column: for each row of the batch
  double loading_time_ = 0, step_time_ = 0;  // seconds, of the steps that were timed
};

}  // namespace damier::learn
