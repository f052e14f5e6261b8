#include "damier/nn/loss.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace damier::nn {

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

}  // namespace damier::nn
