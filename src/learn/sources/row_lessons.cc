#include "damier/learn/sources/row_lessons.h"

#include <algorithm>

#include "damier/base/numbers/stopwatch.h"

namespace damier::learn {

namespace {

constexpr std::int64_t kTimedEvery = 16;  // steps

}  // namespace

template <class T>
RowLessons<T>::RowLessons(Learner<T>& learner, std::span<const Column> columns,
                          const std::string& encoder)
    : learner_(learner), reader_(learner.recipe(), columns, encoder, learner.recipe().batch) {
  if (learner.recipe().rule == LearningRule::local) local_rule_.emplace(learner.network());
  if (learner.recipe().augment) find_symmetries(encoder);
}

template <class T>
void RowLessons<T>::find_symmetries(const std::string& encoder) {
  maps_ = learner_.recipe().task->encoder(encoder).value()->symmetries();
  for (const model::SymmetryMaps& maps : maps_) {
    std::vector<const model::ColumnMap*>& by_column = symmetries_.emplace_back();
    for (std::size_t k = 0; k < columns().size(); ++k) {
      const auto at = std::find_if(maps.begin(), maps.end(), [&](const model::ColumnMap& map) {
        return map.column == reader_.column(k).name;
      });
      by_column.push_back(at == maps.end() ? nullptr : &*at);
    }
  }
  chosen_.resize(columns().size());
}

template <class T>
void RowLessons<T>::choose_symmetries(std::size_t rows) {
  if (symmetries_.empty()) return;
  RandomStream stream(learner_.seed(), "train.symmetry",
                      static_cast<std::uint64_t>(learner_.optimiser().steps()));
  for (auto& chosen : chosen_) chosen.clear();
  for (std::size_t row = 0; row < rows; ++row) {
    const auto& symmetry = symmetries_[static_cast<std::size_t>(stream.below(symmetries_.size()))];
    for (std::size_t k = 0; k < symmetry.size(); ++k) chosen_[k].push_back(symmetry[k]);
  }
}

template <class T>
double RowLessons<T>::learn_locally() {
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

template <class T>
double RowLessons<T>::learn(typename RowReader<T>::Bytes bytes,
                            std::span<const std::uint32_t> rows) {
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

template class RowLessons<float>;
template class RowLessons<double>;

}  // namespace damier::learn
