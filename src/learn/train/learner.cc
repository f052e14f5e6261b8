#include "damier/learn/train/learner.h"

#include <algorithm>
#include <cmath>

#include "damier/nn/initialise.h"
#include "damier/nn/network_size.h"

namespace damier::learn {

namespace {

constexpr int kMeasuredBatch = 256;

// A recipe gives its schedule in epochs; `steps` are those of all of them.
nn::Schedule schedule_of(const Recipe& recipe, std::int64_t steps) {
  const ScheduleRecipe& from = recipe.schedule;
  const auto in_steps = [&](double epochs) {
    return static_cast<std::int64_t>(
        std::llround(epochs * static_cast<double>(steps) / recipe.epochs));
  };
  const std::int64_t length = from.kind == nn::ScheduleKind::step ? in_steps(from.every) : steps;
  return {from.kind, in_steps(from.warm_up), std::max<std::int64_t>(1, length), from.factor,
          from.lowest};
}

}  // namespace

template <class T>
Learner<T>::Learner(const Recipe& recipe, Seed seed, ThreadPool& pool)
    : recipe_(recipe),
      seed_(seed),
      pool_(pool),
      // One sample is too little to share out among threads.
      network_(recipe.network, recipe.batch, nn::Use::training, recipe.batch > 1 ? &pool : nullptr),
      optimiser_(recipe.optimiser, network_) {
  nn::initialise(network_, recipe.initialisation, seed);
  network_.set_dropout_seed(seed);
  // Weights that have learnt already: batch norms keep their figures.
  if (!recipe.start.empty()) network_.keep_norms();
}

template <class T>
void Learner<T>::schedule_by_step(std::int64_t steps) {
  optimiser_.set_schedule(schedule_of(recipe_, steps));
}

template <class T>
void Learner<T>::schedule_by_epoch(int epoch) {
  optimiser_.set_rate(recipe_.optimiser.rate * schedule_of(recipe_, recipe_.epochs).at(epoch));
}

template <class T>
nn::Network<T>& Learner<T>::measured() {
  if (measured_ == nullptr) {
    const int batch =
        nn::affordable_batch(recipe_.network, kMeasuredBatch, nn::Use::training, sizeof(T));
    measured_ = std::make_unique<nn::Network<T>>(recipe_.network, batch, nn::Use::training, &pool_);
    evaluated_ = model::predict_with(*measured_);
  }
  model::copy_weights(network_, *measured_);
  return *measured_;
}

template <class T>
model::Predictor& Learner<T>::evaluated() {
  measured();
  return *evaluated_;
}

template <class T>
std::shared_ptr<const nn::Network<T>> Learner<T>::weights() const {
  return model::network_copy(network_, recipe_.network, 1);
}

template <class T>
bool Learner<T>::is_finite() {
  const auto finite = [](const T* values, std::size_t count) {
    return std::all_of(values, values + count, [](T value) { return std::isfinite(value); });
  };
  const auto parameters = network_.parameters();
  const auto means = optimiser_.state();
  return std::all_of(parameters.begin(), parameters.end(),
                     [&](const auto* one) { return finite(one->value, one->count()); }) &&
         std::all_of(means.begin(), means.end(),
                     [&](const auto& one) { return finite(one.data(), one.size()); });
}

template class Learner<float>;
template class Learner<double>;

}  // namespace damier::learn
