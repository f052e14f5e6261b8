#include "damier/nn/training.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numbers>

namespace damier::nn {

namespace {

// Box and Muller's method, one of its two numbers.
double normal(RandomStream& random) {
  const double u = 1.0 - random.uniform();  // in (0, 1]
  return std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * random.uniform());
}

// The deviation of the weights, or the limit where that is what is asked for.
template <class T>
double spread(const Parameter<T>& parameter, Initialisation how) {
  const double fan_in = static_cast<double>(parameter.taps) * parameter.in;
  const double fan_out = static_cast<double>(parameter.taps) * parameter.out;
  switch (how.kind) {
    case Initialisation::xavier_uniform:
    case Initialisation::xavier_normal:
      return std::sqrt(2 / (fan_in + fan_out));
    case Initialisation::he_uniform:
    case Initialisation::he_normal:
      return std::sqrt(2 / fan_in);
    case Initialisation::uniform:
      break;
  }
  return how.limit;
}

template <class T>
void draw(Parameter<T>& parameter, Initialisation how, Seed seed) {
  RandomStream random(seed, parameter.name);
  const bool is_normal =
      how.kind == Initialisation::he_normal || how.kind == Initialisation::xavier_normal;
  // Uniform numbers in [-1, 1) have a variance of a third.
  const double unit = how.kind == Initialisation::uniform ? 1 : std::sqrt(3.0);
  const double factor = spread(parameter, how);
  for (int row = 0; row < parameter.taps * parameter.in; ++row) {
    T* values = parameter.value + static_cast<std::ptrdiff_t>(row) * parameter.ld;
    for (int i = 0; i < parameter.out; ++i) {
      const double number = is_normal ? normal(random) : unit * (2 * random.uniform() - 1);
      values[i] = static_cast<T>(factor * number);
    }
  }
}

}  // namespace

template <class T>
void initialise(Network<T>& network, Initialisation how, Seed seed) {
  for (Parameter<T>* parameter : network.parameters()) {
    if (parameter->role == Role::weight) {
      draw(*parameter, how, seed);
    } else {
      std::fill_n(parameter->value, parameter->out, static_cast<T>(first_value(parameter->role)));
    }
  }
}

template void initialise(Network<float>&, Initialisation, Seed);
template void initialise(Network<double>&, Initialisation, Seed);

namespace {

// One group of logits: the cross-entropy to `target`, gradients into `dy`. Without any weight in
// the target (a sample that this head does not teach) both are zero.
template <class T>
double group_cross_entropy(const Kernels<T>& kernels, const T* y, const T* target, const T* mask,
                           int size, T scale, T* dy) {
  T top = -std::numeric_limits<T>::infinity(), weight = 0;
  for (int i = 0; i < size; ++i) {
    if (mask != nullptr && mask[i] == T(0)) continue;
    top = std::max(top, y[i]);
    weight += target[i];
  }
  if (weight == T(0)) {
    std::fill_n(dy, size, T(0));
    return 0;
  }
  for (int i = 0; i < size; ++i) dy[i] = y[i] - top;
  kernels.exponential(dy, dy, static_cast<std::size_t>(size));
  T sum = 0;
  for (int i = 0; i < size; ++i) {
    if (mask != nullptr && mask[i] == T(0)) dy[i] = T(0);
    sum += dy[i];
  }
  const double log_sum = std::log(static_cast<double>(sum)) + static_cast<double>(top);
  double loss = 0;
  for (int i = 0; i < size; ++i) {
    const bool left_out = mask != nullptr && mask[i] == T(0);
    if (!left_out) loss += static_cast<double>(target[i]) * (log_sum - static_cast<double>(y[i]));
    dy[i] = left_out ? T(0) : (weight * dy[i] / sum - target[i]) * scale;
  }
  return loss;
}

template <class T>
double row_loss(const Loss& loss, const Kernels<T>& kernels, const T* y, const T* target,
                const T* mask, int cols, T scale, T* dy) {
  double sum = 0;
  switch (loss.kind) {
    case LossKind::mean_squared_error:
      for (int i = 0; i < cols; ++i) {
        const T d = y[i] - target[i];
        sum += static_cast<double>(d) * static_cast<double>(d);
        dy[i] = T(2) * d * scale / static_cast<T>(cols);
      }
      return sum / cols;
    case LossKind::huber:
      for (int i = 0; i < cols; ++i) {
        const T d = y[i] - target[i];
        const double size = std::abs(static_cast<double>(d));
        sum += size <= 1 ? 0.5 * size * size : size - 0.5;
        dy[i] = std::clamp(d, T(-1), T(1)) * scale / static_cast<T>(cols);
      }
      return sum / cols;
    case LossKind::binary_cross_entropy: {
      int counted = cols;
      if (mask != nullptr) {
        counted = static_cast<int>(cols - std::count(mask, mask + cols, T(0)));
      }
      for (int i = 0; i < cols; ++i) {
        if (mask != nullptr && mask[i] == T(0)) continue;
        const auto x = static_cast<double>(y[i]);
        sum += std::max(x, 0.0) - x * static_cast<double>(target[i]) +
               std::log1p(std::exp(-std::abs(x)));
      }
      kernels.curve(Curve::sigmoid, y, dy, static_cast<std::size_t>(cols));
      for (int i = 0; i < cols; ++i) {
        const bool left_out = mask != nullptr && mask[i] == T(0);
        dy[i] = left_out ? T(0) : (dy[i] - target[i]) * scale / static_cast<T>(counted);
      }
      return counted == 0 ? 0 : sum / counted;
    }
    case LossKind::chosen_squared_error:
      for (int i = 0; i < cols; ++i) {
        const T d = mask[i] == T(0) ? T(0) : y[i] - target[i];
        sum += static_cast<double>(d) * static_cast<double>(d);
        dy[i] = T(2) * d * scale;
      }
      return sum;
    case LossKind::cross_entropy:
      break;
  }
  int done = 0;
  const auto group = [&](int size) {
    sum += group_cross_entropy(kernels, y + done, target + done,
                               mask == nullptr ? nullptr : mask + done, size, scale, dy + done);
    done += size;
  };
  for (const int size : loss.groups) group(size);
  if (loss.groups.empty()) group(cols);
  assert(done == cols);
  return sum;
}

}  // namespace

template <class T>
double apply_loss(const Loss& loss, const Kernels<T>& kernels, const OutputView<T>& output,
                  int samples, std::span<const T> targets, std::span<const T> mask) {
  const auto cols = static_cast<std::size_t>(output.cols);
  assert(targets.size() == cols * static_cast<std::size_t>(samples));
  assert(mask.empty() || mask.size() == targets.size());
  const T scale = static_cast<T>(loss.weight / samples);
  double sum = 0;
  for (std::size_t sample = 0; sample < static_cast<std::size_t>(samples); ++sample) {
    const std::size_t row = sample * static_cast<std::size_t>(output.ld);
    sum += row_loss(loss, kernels, output.value + row, targets.data() + sample * cols,
                    mask.empty() ? nullptr : mask.data() + sample * cols, output.cols, scale,
                    output.gradient + row);
    std::fill(output.gradient + row + cols, output.gradient + row + output.ld, T(0));
  }
  return loss.weight * sum / samples;
}

template double apply_loss(const Loss&, const Kernels<float>&, const OutputView<float>&, int,
                           std::span<const float>, std::span<const float>);
template double apply_loss(const Loss&, const Kernels<double>&, const OutputView<double>&, int,
                           std::span<const double>, std::span<const double>);

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
      const auto slope = static_cast<double>(parameter->gradient[i]);
      sum += slope * slope;
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
void Optimiser<T>::step() {
  FusedStep<T> step = next_step();
  step.update.scale = gradient_scale();
  for (const Parameter<T>* parameter : learned_) kernels_.update(step.rule, step.of(*parameter));
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
    if (!parameter->steps_in_backward) kernels_.update(fused.rule, fused.of(*parameter));
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
