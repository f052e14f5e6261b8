// Batch norm and layer norm.

#include <algorithm>
#include <cmath>

#include "damier/nn/layers.h"

namespace damier::nn {

template <class T>
BatchNorm<T>::BatchNorm(const LayerSpec& spec, const std::string& name, Block<T> x,
                        Builder<T>& builder)
    : epsilon_(static_cast<T>(spec.epsilon)), momentum_(static_cast<T>(spec.momentum)) {
  this->in = x;
  this->out = builder.block_after(x, spec.out);
  const std::vector<std::uint64_t> shape = {static_cast<std::uint64_t>(x.cols)};
  scale_ = builder.parameter(name + ".weight", shape, 1, 1, x.cols, true);
  shift_ = builder.parameter(name + ".bias", shape, 1, 1, x.cols, true);
  running_mean_ = builder.parameter(name + ".running_mean", shape, 1, 1, x.cols, false);
  running_variance_ = builder.parameter(name + ".running_var", shape, 1, 1, x.cols, false);
  std::fill_n(scale_.value, x.cols, T(1));
  std::fill_n(running_variance_.value, x.cols, T(1));
  mean_ = builder.scratch(static_cast<std::size_t>(4 * x.ld));
  inverse_deviation_ = mean_ + x.ld;
}

template <class T>
void BatchNorm<T>::list_parameters(std::vector<Parameter<T>*>& list) {
  list.insert(list.end(), {&scale_, &shift_, &running_mean_, &running_variance_});
}

template <class T>
void BatchNorm<T>::fold_into(Linear<T>& product) {
  // Only where this layer overwrites its input, so that the product's output is the result.
  if (this->in.value != this->out.value || folded_) return;
  std::vector<T> a(static_cast<std::size_t>(this->in.cols)), b(a.size());
  for (std::size_t c = 0; c < a.size(); ++c) {
    a[c] = scale_.value[c] / std::sqrt(running_variance_.value[c] + epsilon_);
    b[c] = shift_.value[c] - running_mean_.value[c] * a[c];
  }
  product.scale_outputs(a, b);
  folded_ = true;
}

template <class T>
void BatchNorm<T>::forward(const Pass<T>& pass) {
  if (folded_) return;
  const Block<T>& x = this->in;
  const std::int64_t rows = x.rows(pass.samples);
  T* spare = mean_ + 2 * x.ld;
  if (pass.norms_learn) {
    pass.kernels.column_sums(x.value, x.ld, rows, mean_);
    for (int c = 0; c < x.ld; ++c) mean_[c] /= static_cast<T>(rows);
    // The variance around the mean, into y for now.
    for_rows(pass, rows, 4.0 * x.ld, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t row = begin; row < end; ++row) {
        for (int c = 0; c < x.ld; ++c) {
          const T d = x.value[row * x.ld + c] - mean_[c];
          this->out.value[row * x.ld + c] = d * d;
        }
      }
    });
    pass.kernels.column_sums(this->out.value, x.ld, rows, spare);
    const T unbiased = rows > 1 ? static_cast<T>(rows) / static_cast<T>(rows - 1) : T(1);
    for (int c = 0; c < x.cols; ++c) {
      const T variance = spare[c] / static_cast<T>(rows);
      inverse_deviation_[c] = T(1) / std::sqrt(variance + epsilon_);
      running_mean_.value[c] += momentum_ * (mean_[c] - running_mean_.value[c]);
      running_variance_.value[c] += momentum_ * (variance * unbiased - running_variance_.value[c]);
    }
  } else {
    for (int c = 0; c < x.cols; ++c) {
      mean_[c] = running_mean_.value[c];
      inverse_deviation_[c] = T(1) / std::sqrt(running_variance_.value[c] + epsilon_);
    }
  }
  // y = x * a + b
  T* a = spare;
  T* b = spare + x.ld;
  for (int c = 0; c < x.ld; ++c) {
    a[c] = c < x.cols ? scale_.value[c] * inverse_deviation_[c] : T(0);
    b[c] = c < x.cols ? shift_.value[c] - mean_[c] * a[c] : T(0);
  }
  for_rows(pass, rows, 4.0 * x.ld, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      for (int c = 0; c < x.ld; ++c) {
        this->out.value[row * x.ld + c] = x.value[row * x.ld + c] * a[c] + b[c];
      }
    }
  });
}

template <class T>
void BatchNorm<T>::backward(const Pass<T>& pass) {
  const Block<T>& x = this->in;
  const std::int64_t rows = x.rows(pass.samples);
  const T* dy = this->out.gradient;
  T* sum = shift_.gradient;      // of dy
  T* product = scale_.gradient;  // of dy * normalised x
  pass.kernels.column_sums(dy, x.ld, rows, sum);
  std::fill_n(product, x.ld, T(0));
  for (std::int64_t row = 0; row < rows; ++row) {
    for (int c = 0; c < x.ld; ++c) {
      product[c] += dy[row * x.ld + c] * (x.value[row * x.ld + c] - mean_[c]);
    }
  }
  for (int c = 0; c < x.ld; ++c) product[c] *= c < x.cols ? inverse_deviation_[c] : T(0);
  if (x.gradient == nullptr) return;
  // Running figures do not move with the input; those of the batch do.
  const T share = pass.norms_learn ? T(1) / static_cast<T>(rows) : T(0);
  T* a = mean_ + 2 * x.ld;
  for (int c = 0; c < x.ld; ++c) a[c] = c < x.cols ? scale_.value[c] * inverse_deviation_[c] : T(0);
  for_rows(pass, rows, 8.0 * x.ld, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      for (int c = 0; c < x.ld; ++c) {
        const std::int64_t at = row * x.ld + c;
        const T normalised = (x.value[at] - mean_[c]) * inverse_deviation_[c];
        x.gradient[at] = a[c] * (dy[at] - share * (sum[c] + normalised * product[c]));
      }
    }
  });
}

template <class T>
LayerNorm<T>::LayerNorm(const LayerSpec& spec, const std::string& name, Block<T> x,
                        Builder<T>& builder)
    : epsilon_(static_cast<T>(spec.epsilon)) {
  this->in = x;
  this->out = builder.block(spec.out, true);
  const std::vector<std::uint64_t> shape = {static_cast<std::uint64_t>(x.cols)};
  scale_ = builder.parameter(name + ".weight", shape, 1, 1, x.cols, true);
  shift_ = builder.parameter(name + ".bias", shape, 1, 1, x.cols, true);
  std::fill_n(scale_.value, x.cols, T(1));
  const auto rows = static_cast<std::size_t>(x.rows(builder.samples));
  mean_ = builder.scratch(rows);
  inverse_deviation_ = builder.scratch(rows);
}

template <class T>
void LayerNorm<T>::list_parameters(std::vector<Parameter<T>*>& list) {
  list.insert(list.end(), {&scale_, &shift_});
}

template <class T>
void LayerNorm<T>::forward(const Pass<T>& pass) {
  const Block<T>& x = this->in;
  const T share = T(1) / static_cast<T>(x.cols);
  for_rows(pass, x.rows(pass.samples), 8.0 * x.ld, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      const T* from = x.value + row * x.ld;
      T* to = this->out.value + row * x.ld;
      T mean = 0, variance = 0;
      for (int c = 0; c < x.cols; ++c) mean += from[c];
      mean *= share;
      for (int c = 0; c < x.cols; ++c) variance += (from[c] - mean) * (from[c] - mean);
      const T inverse = T(1) / std::sqrt(variance * share + epsilon_);
      mean_[row] = mean;
      inverse_deviation_[row] = inverse;
      for (int c = 0; c < x.cols; ++c) {
        to[c] = (from[c] - mean) * inverse * scale_.value[c] + shift_.value[c];
      }
    }
  });
}

template <class T>
void LayerNorm<T>::backward(const Pass<T>& pass) {
  const Block<T>& x = this->in;
  const std::int64_t rows = x.rows(pass.samples);
  const T* dy = this->out.gradient;
  pass.kernels.column_sums(dy, x.ld, rows, shift_.gradient);
  std::fill_n(scale_.gradient, x.ld, T(0));
  for (std::int64_t row = 0; row < rows; ++row) {
    for (int c = 0; c < x.cols; ++c) {
      scale_.gradient[c] +=
          dy[row * x.ld + c] * (x.value[row * x.ld + c] - mean_[row]) * inverse_deviation_[row];
    }
  }
  if (x.gradient == nullptr) return;
  const T share = T(1) / static_cast<T>(x.cols);
  for_rows(pass, rows, 12.0 * x.ld, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      const T* from = x.value + row * x.ld;
      const T* upstream = dy + row * x.ld;
      T* to = x.gradient + row * x.ld;
      const T mean = mean_[row], inverse = inverse_deviation_[row];
      T sum = 0, product = 0;
      for (int c = 0; c < x.cols; ++c) {
        const T g = upstream[c] * scale_.value[c];
        sum += g;
        product += g * (from[c] - mean) * inverse;
      }
      for (int c = 0; c < x.cols; ++c) {
        const T normalised = (from[c] - mean) * inverse;
        to[c] = inverse * (upstream[c] * scale_.value[c] - share * (sum + normalised * product));
      }
      std::fill(to + x.cols, to + x.ld, T(0));
    }
  });
}

#define DAMIER_INSTANTIATE(T)  \
  template class BatchNorm<T>; \
  template class LayerNorm<T>;
DAMIER_INSTANTIATE(float)
DAMIER_INSTANTIATE(double)
#undef DAMIER_INSTANTIATE

}  // namespace damier::nn
