#include "damier/nn/optimiser.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace damier::nn {

double Schedule::at(std::int64_t step) const {
  double share = 1;
  if (kind == ScheduleKind::step && steps > 0) {
    share = std::pow(factor, static_cast<double>(step / steps));
  } else if (kind == ScheduleKind::cosine && steps > 0) {
    const double done = std::min(1.0, static_cast<double>(step) / static_cast<double>(steps));
    share = lowest + (1 - lowest) * 0.5 * (1 + std::cos(std::numbers::pi * done));
  }
  if (step < warm_up) share *= static_cast<double>(step + 1) / static_cast<double>(warm_up);
  return share;
}

template <class T>
Optimiser<T>::Optimiser(OptimiserOptions options, Network<T>& network, const Kernels<T>& kernels)
    : options_(options), network_(network), kernels_(kernels) {
  const bool adam = options.kind == OptimiserKind::adam || options.kind == OptimiserKind::adamw;
  const bool first = adam || (options.kind == OptimiserKind::sgd && options.momentum != 0);
  const bool second = adam || options.kind == OptimiserKind::rmsprop;
  for (Parameter<T>* parameter : network.parameters()) {
    if (parameter->gradient == nullptr) continue;
    parameter->first = first ? memory_.take(parameter->count()) : nullptr;
    parameter->second = second ? memory_.take(parameter->count()) : nullptr;
    learned_.push_back(parameter);
  }
}

template <class T>
T Optimiser<T>::gradient_scale() const {
  if (options_.clip_norm <= 0) return T(1);
  double sum = 0;
  for (const Parameter<T>* parameter : learned_) {
    const std::size_t count = parameter->count();
    for (std::size_t i = 0; i < count; ++i) {
      sum +=
          static_cast<double>(parameter->gradient[i]) * static_cast<double>(parameter->gradient[i]);
    }
  }
  const double norm = std::sqrt(sum);
  return static_cast<T>(norm > options_.clip_norm ? options_.clip_norm / (norm + 1e-6) : 1.0);
}

template <class T>
FusedStep<T> Optimiser<T>::next_step() {
  const double next_rate = rate();
  ++steps_;
  const bool adam = options_.kind == OptimiserKind::adam || options_.kind == OptimiserKind::adamw;
  const auto steps = static_cast<double>(steps_);
  Update<T> update = {};
  update.rate = static_cast<T>(next_rate);
  update.momentum = static_cast<T>(adam ? options_.beta1 : options_.momentum);
  update.decay = static_cast<T>(adam ? options_.beta2 : options_.alpha);
  update.first_share = static_cast<T>(1 - options_.beta1);
  update.second_share = static_cast<T>(1 - (adam ? options_.beta2 : options_.alpha));
  update.epsilon = static_cast<T>(options_.epsilon);
  update.weight_decay = static_cast<T>(options_.weight_decay);
  update.scale = T(1);
  update.bias1 = static_cast<T>(adam ? 1 - std::pow(options_.beta1, steps) : 1);
  update.bias2 = static_cast<T>(adam ? 1 - std::pow(options_.beta2, steps) : 1);
  return {options_.kind, update};
}

template <class T>
void Optimiser<T>::apply(const FusedStep<T>& step, const Parameter<T>& parameter) const {
  Update<T> update = step.update;
  update.value = parameter.value;
  update.gradient = parameter.gradient;
  update.first = parameter.first;
  update.second = parameter.second;
  update.count = parameter.count();
  kernels_.update(step.rule, update);
}

template <class T>
void Optimiser<T>::step() {
  FusedStep<T> step = next_step();
  step.update.scale = gradient_scale();
  for (const Parameter<T>* parameter : learned_) apply(step, *parameter);
  clip_weights();
}

template <class T>
void Optimiser<T>::clip_weights() const {
  if (options_.clip_weights <= 0) return;
  const T most = static_cast<T>(options_.clip_weights);
  for (const Parameter<T>* parameter : learned_) {
    T* const end = parameter->value + parameter->count();
    // A number that is none stays: the training is told that it diverges.
    for (T* value = parameter->value; value != end; ++value) {
      if (*value > most) *value = most;
      if (*value < -most) *value = -most;
    }
  }
}

template <class T>
void Optimiser<T>::backward_and_step() {
  if (options_.clip_norm > 0) {
    network_.backward();
    step();
    return;
  }
  const FusedStep<T> fused = next_step();
  network_.backward(&fused);
  for (const Parameter<T>* parameter : learned_) {
    if (!parameter->steps_in_backward) apply(fused, *parameter);
  }
  clip_weights();
}

template <class T>
std::vector<std::span<T>> Optimiser<T>::state() {
  std::vector<std::span<T>> spans;
  for (const Parameter<T>* parameter : learned_) {
    if (parameter->first != nullptr) spans.emplace_back(parameter->first, parameter->count());
    if (parameter->second != nullptr) spans.emplace_back(parameter->second, parameter->count());
  }
  return spans;
}

template class Optimiser<float>;
template class Optimiser<double>;

}  // namespace damier::nn
