// Multi-head self-attention over squares. Boards are small, so the score matrices are plain loops;
// the projections, which are most of the work, are Linear layers.

#include <algorithm>
#include <cmath>

#include "damier/nn/layers.h"

namespace damier::nn {

namespace {

LayerSpec projection(const Shape& in, int channels) {
  LayerSpec spec;
  spec.kind = LayerKind::conv2d;
  spec.kernel = 1;
  spec.units = channels;
  spec.in = spec.out = in;
  spec.out.channels = channels;
  return spec;
}

}  // namespace

template <class T>
Attention<T>::Attention(const LayerSpec& spec, const std::string& name, Block<T> x,
                        Builder<T>& builder)
    : heads_(spec.heads), width_(spec.in.channels / spec.heads) {
  this->in = x;
  inward_ = std::make_unique<Linear<T>>(projection(spec.in, 3 * spec.in.channels), name + ".in", x,
                                        builder);
  mixed_ = builder.block(spec.in, true);
  outward_ = std::make_unique<Linear<T>>(projection(spec.in, spec.in.channels), name + ".out",
                                         mixed_, builder);
  this->out = outward_->out;
  const auto pairs = static_cast<std::size_t>(x.squares) * static_cast<std::size_t>(x.squares);
  weights_ = builder.scratch(static_cast<std::size_t>(builder.samples) *
                             static_cast<std::size_t>(heads_) * pairs);
  weight_gradients_ = builder.scratch(static_cast<std::size_t>(builder.samples) * pairs);
}

template <class T>
void Attention<T>::list_parameters(std::vector<Parameter<T>*>& list) {
  inward_->list_parameters(list);
  outward_->list_parameters(list);
}

template <class T>
void Attention<T>::forward(const Pass<T>& pass) {
  inward_->forward(pass);
  const int squares = this->in.squares, channels = this->in.cols, ld = inward_->out.ld;
  const T scale = T(1) / std::sqrt(static_cast<T>(width_));
  const double flops = 4.0 * squares * squares * channels;
  for_rows(pass, pass.samples, flops, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t sample = begin; sample < end; ++sample) {
      const T* rows = inward_->out.value + sample * squares * ld;
      for (int head = 0; head < heads_; ++head) {
        const T* queries = rows + head * width_;
        const T* keys = queries + channels;
        const T* values = keys + channels;
        T* weights = weights_ + (sample * heads_ + head) * squares * squares;
        for (int i = 0; i < squares; ++i) {
          T* row = weights + i * squares;
          for (int j = 0; j < squares; ++j) {
            T sum = 0;
            for (int c = 0; c < width_; ++c) sum += queries[i * ld + c] * keys[j * ld + c];
            row[j] = sum * scale;
          }
          const T top = *std::max_element(row, row + squares);
          for (int j = 0; j < squares; ++j) row[j] -= top;
          pass.kernels.exponential(row, row, static_cast<std::size_t>(squares));
          T sum = 0;
          for (int j = 0; j < squares; ++j) sum += row[j];
          T* result = mixed_.value + (sample * squares + i) * mixed_.ld + head * width_;
          std::fill_n(result, width_, T(0));
          for (int j = 0; j < squares; ++j) {
            row[j] /= sum;
            for (int c = 0; c < width_; ++c) result[c] += row[j] * values[j * ld + c];
          }
        }
      }
    }
  });
  outward_->forward(pass);
}

template <class T>
void Attention<T>::backward(const Pass<T>& pass) {
  outward_->backward(pass);
  const int squares = this->in.squares, channels = this->in.cols, ld = inward_->out.ld;
  const T scale = T(1) / std::sqrt(static_cast<T>(width_));
  const double flops = 8.0 * squares * squares * channels;
  for_rows(pass, pass.samples, flops, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t sample = begin; sample < end; ++sample) {
      const T* rows = inward_->out.value + sample * squares * ld;
      T* row_gradients = inward_->out.gradient + sample * squares * ld;
      std::fill_n(row_gradients, squares * ld, T(0));
      T* dw = weight_gradients_ + sample * squares * squares;
      for (int head = 0; head < heads_; ++head) {
        const T* queries = rows + head * width_;
        const T* keys = queries + channels;
        const T* values = keys + channels;
        T* dq = row_gradients + head * width_;
        T* dk = dq + channels;
        T* dv = dk + channels;
        const T* weights = weights_ + (sample * heads_ + head) * squares * squares;
        for (int i = 0; i < squares; ++i) {
          const T* dout = mixed_.gradient + (sample * squares + i) * mixed_.ld + head * width_;
          const T* w = weights + i * squares;
          T* d = dw + i * squares;
          T mean = 0;
          for (int j = 0; j < squares; ++j) {
            T sum = 0;
            for (int c = 0; c < width_; ++c) {
              sum += dout[c] * values[j * ld + c];
              dv[j * ld + c] += w[j] * dout[c];
            }
            d[j] = sum;
            mean += w[j] * sum;
          }
          for (int j = 0; j < squares; ++j) {
            const T ds = w[j] * (d[j] - mean) * scale;
            for (int c = 0; c < width_; ++c) {
              dq[i * ld + c] += ds * keys[j * ld + c];
              dk[j * ld + c] += ds * queries[i * ld + c];
            }
          }
        }
      }
    }
  });
  inward_->backward(pass);
}

template class Attention<float>;
template class Attention<double>;

}  // namespace damier::nn
