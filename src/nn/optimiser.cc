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
    : options_(options), kernels_(kernels) {
  const bool adam = options.kind == OptimiserKind::adam || options.kind == OptimiserKind::adamw;
  const bool first = adam || (options.kind == OptimiserKind::sgd && options.momentum != 0);
  const bool second = adam || options.kind == OptimiserKind::rmsprop;
  for (Parameter<T>* parameter : network.parameters()) {
    if (parameter->gradient == nullptr) continue;
    slots_.push_back({parameter, first ? memory_.take(parameter->count()) : nullptr,
                      second ? memory_.take(parameter->count()) : nullptr});
  }
}

template <class T>
T Optimiser<T>::gradient_scale() const {
  if (options_.clip_norm <= 0) return T(1);
  double sum = 0;
  for (const Slot& slot : slots_) {
    const std::size_t count = slot.parameter->count();
    for (std::size_t i = 0; i < count; ++i) {
      sum += static_cast<double>(slot.parameter->gradient[i]) *
             static_cast<double>(slot.parameter->gradient[i]);
    }
  }
  const double norm = std::sqrt(sum);
  return static_cast<T>(norm > options_.clip_norm ? options_.clip_norm / (norm + 1e-6) : 1.0);
}

template <class T>
void Optimiser<T>::step() {
  const double rate = options_.rate * options_.schedule.at(steps_);
  ++steps_;
  const T scale = gradient_scale();
  const bool adam = options_.kind == OptimiserKind::adam || options_.kind == OptimiserKind::adamw;
  const auto steps = static_cast<double>(steps_);
  const T bias1 = static_cast<T>(adam ? 1 - std::pow(options_.beta1, steps) : 1);
  const T bias2 = static_cast<T>(adam ? 1 - std::pow(options_.beta2, steps) : 1);
  for (const Slot& slot : slots_) {
    const Update<T> update = {
        slot.parameter->value,
        slot.parameter->gradient,
        slot.first,
        slot.second,
        slot.parameter->count(),
        static_cast<T>(rate),
        static_cast<T>(adam ? options_.beta1 : options_.momentum),
        static_cast<T>(adam ? options_.beta2 : options_.alpha),
        static_cast<T>(options_.epsilon),
        static_cast<T>(options_.weight_decay),
        scale,
        bias1,
        bias2,
    };
    switch (options_.kind) {
      case OptimiserKind::sgd:
        kernels_.sgd(update);
        break;
      case OptimiserKind::rmsprop:
        kernels_.rmsprop(update);
        break;
      case OptimiserKind::adam:
      case OptimiserKind::adamw:
        kernels_.adam(update, options_.kind == OptimiserKind::adamw);
        break;
    }
  }
}

template <class T>
std::vector<std::span<T>> Optimiser<T>::state() {
  std::vector<std::span<T>> spans;
  for (const Slot& slot : slots_) {
    if (slot.first != nullptr) spans.emplace_back(slot.first, slot.parameter->count());
    if (slot.second != nullptr) spans.emplace_back(slot.second, slot.parameter->count());
  }
  return spans;
}

template class Optimiser<float>;
template class Optimiser<double>;

}  // namespace damier::nn
