// Layers without products: activations, softmax, dropout, residual blocks, flattening, pooling.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "damier/nn/layers.h"

namespace damier::nn {

template <class T>
Activation<T>::Activation(const LayerSpec& spec, Block<T> x, Builder<T>& builder)
    : curve_(
          static_cast<Curve>(static_cast<int>(spec.kind) - static_cast<int>(LayerKind::sigmoid))) {
  this->in = x;
  this->out = builder.block_after(x, spec.out);
}

template <class T>
void Activation<T>::forward(const Pass<T>& pass) {
  const int ld = this->in.ld;
  for_rows(pass, this->in.rows(pass.samples), 8.0 * ld, [&](std::int64_t begin, std::int64_t end) {
    pass.kernels.curve(curve_, this->in.value + begin * ld, this->out.value + begin * ld,
                       static_cast<std::size_t>((end - begin) * ld));
  });
}

template <class T>
void Activation<T>::backward(const Pass<T>& pass) {
  if (this->in.gradient == nullptr) return;
  const int ld = this->in.ld;
  for_rows(pass, this->in.rows(pass.samples), 8.0 * ld, [&](std::int64_t begin, std::int64_t end) {
    pass.kernels.curve_gradient(curve_, this->in.value + begin * ld, this->out.value + begin * ld,
                                this->out.gradient + begin * ld, this->in.gradient + begin * ld,
                                static_cast<std::size_t>((end - begin) * ld));
  });
}

template <class T>
Softmax<T>::Softmax(const LayerSpec& spec, Block<T> x, Builder<T>& builder) : groups_(spec.groups) {
  if (groups_.empty()) groups_ = {spec.in.channels};
  this->in = x;
  this->out = builder.block(spec.out, true);
}

template <class T>
void Softmax<T>::forward(const Pass<T>& pass) {
  for (std::int64_t row = 0; row < this->in.rows(pass.samples); ++row) {
    const T* x = this->in.value + row * this->in.ld;
    T* y = this->out.value + row * this->out.ld;
    for (const int size : groups_) {
      const T top = *std::max_element(x, x + size);
      for (int i = 0; i < size; ++i) y[i] = x[i] - top;
      pass.kernels.exponential(y, y, static_cast<std::size_t>(size));
      T sum = 0;
      for (int i = 0; i < size; ++i) sum += y[i];
      for (int i = 0; i < size; ++i) y[i] /= sum;
      x += size;
      y += size;
    }
  }
}

template <class T>
void Softmax<T>::backward(const Pass<T>& pass) {
  if (this->in.gradient == nullptr) return;
  for (std::int64_t row = 0; row < this->in.rows(pass.samples); ++row) {
    const T* y = this->out.value + row * this->out.ld;
    const T* dy = this->out.gradient + row * this->out.ld;
    T* dx = this->in.gradient + row * this->in.ld;
    for (const int size : groups_) {
      T sum = 0;
      for (int i = 0; i < size; ++i) sum += y[i] * dy[i];
      for (int i = 0; i < size; ++i) dx[i] = y[i] * (dy[i] - sum);
      y += size;
      dy += size;
      dx += size;
    }
  }
}

template <class T>
Dropout<T>::Dropout(const LayerSpec& spec, const std::string& name, Block<T> x, Builder<T>& builder)
    : rate_(spec.rate), stream_("dropout." + name) {
  this->in = x;
  this->out = builder.block_after(x, spec.out);
  mask_ = builder.training ? builder.scratch(this->out.count(builder.samples)) : nullptr;
}

template <class T>
void Dropout<T>::forward(const Pass<T>& pass) {
  const std::size_t row = static_cast<std::size_t>(this->in.squares * this->in.ld);
  if (!pass.training) {
    if (this->in.value != this->out.value) {
      std::copy_n(this->in.value, row * static_cast<std::size_t>(pass.samples), this->out.value);
    }
    return;
  }
  const T kept = static_cast<T>(1.0 / (1.0 - rate_));
  const auto threshold = static_cast<std::uint32_t>(rate_ * 4294967296.0);
  for_rows(pass, pass.samples, 8.0 * static_cast<double>(row),
           [&](std::int64_t begin, std::int64_t end) {
             for (std::int64_t sample = begin; sample < end; ++sample) {
               RandomStream random(pass.seed, stream_,
                                   pass.step * 0x100000000u + static_cast<std::uint64_t>(sample));
               const std::size_t start = static_cast<std::size_t>(sample) * row;
               for (std::size_t i = start; i < start + row; i += 2) {
                 const std::uint64_t bits = random();
                 mask_[i] = static_cast<std::uint32_t>(bits) >= threshold ? kept : T(0);
                 mask_[i + 1] = static_cast<std::uint32_t>(bits >> 32) >= threshold ? kept : T(0);
               }
               for (std::size_t i = start; i < start + row; ++i) {
                 this->out.value[i] = this->in.value[i] * mask_[i];
               }
             }
           });
}

template <class T>
void Dropout<T>::backward(const Pass<T>& pass) {
  if (this->in.gradient == nullptr) return;
  const std::size_t count = this->in.count(pass.samples);
  for (std::size_t i = 0; i < count; ++i) {
    this->in.gradient[i] = pass.training ? this->out.gradient[i] * mask_[i] : this->out.gradient[i];
  }
}

template <class T>
Residual<T>::Residual(const LayerSpec& spec, const std::string& name, Block<T> x,
                      Builder<T>& builder) {
  this->in = x;
  layers_ = make_chain(spec.layers, name + ".layers", x, builder);
  this->out = builder.block(spec.out, false);
  // The gradient of the sum is the gradient of the block's last layer: they share it.
  this->out.gradient = layers_.empty() ? nullptr : layers_.back()->out.gradient;
  if (layers_.empty() && x.gradient != nullptr) {
    this->out.gradient = builder.scratch(this->out.count(builder.samples));
  }
}

template <class T>
void Residual<T>::forward(const Pass<T>& pass) {
  const T* inner = this->in.value;
  for (auto& layer : layers_) {
    layer->forward(pass);
    inner = layer->out.value;
  }
  const std::size_t count = this->in.count(pass.samples);
  for (std::size_t i = 0; i < count; ++i) this->out.value[i] = this->in.value[i] + inner[i];
}

template <class T>
void Residual<T>::backward(const Pass<T>& pass) {
  for (auto layer = layers_.rbegin(); layer != layers_.rend(); ++layer) (*layer)->backward(pass);
  if (this->in.gradient == nullptr) return;
  const std::size_t count = this->in.count(pass.samples);
  // Without layers f(x) = x, and the block doubles its input.
  const T own = layers_.empty() ? T(2) : T(1);
  for (std::size_t i = 0; i < count; ++i) {
    this->in.gradient[i] =
        own * this->out.gradient[i] + (layers_.empty() ? T(0) : this->in.gradient[i]);
  }
}

template <class T>
void Residual<T>::list_parameters(std::vector<Parameter<T>*>& list) {
  for (auto& layer : layers_) layer->list_parameters(list);
}

template <class T>
Flatten<T>::Flatten(const LayerSpec& spec, Block<T> x, Builder<T>& builder) {
  this->in = x;
  this->out = builder.block(spec.out, true);
}

template <class T>
void Flatten<T>::forward(const Pass<T>& pass) {
  const Block<T>& x = this->in;
  for (int sample = 0; sample < pass.samples; ++sample) {
    const T* from = x.value + static_cast<std::ptrdiff_t>(sample) * x.squares * x.ld;
    T* to = this->out.value + static_cast<std::ptrdiff_t>(sample) * this->out.ld;
    for (int square = 0; square < x.squares; ++square) {
      for (int c = 0; c < x.cols; ++c) to[c * x.squares + square] = from[square * x.ld + c];
    }
  }
}

template <class T>
void Flatten<T>::backward(const Pass<T>& pass) {
  const Block<T>& x = this->in;
  if (x.gradient == nullptr) return;
  for (int sample = 0; sample < pass.samples; ++sample) {
    T* to = x.gradient + static_cast<std::ptrdiff_t>(sample) * x.squares * x.ld;
    const T* from = this->out.gradient + static_cast<std::ptrdiff_t>(sample) * this->out.ld;
    for (int square = 0; square < x.squares; ++square) {
      for (int c = 0; c < x.cols; ++c) to[square * x.ld + c] = from[c * x.squares + square];
      std::fill(to + square * x.ld + x.cols, to + (square + 1) * x.ld, T(0));
    }
  }
}

template <class T>
GlobalAveragePool<T>::GlobalAveragePool(const LayerSpec& spec, Block<T> x, Builder<T>& builder) {
  this->in = x;
  this->out = builder.block(spec.out, true);
}

template <class T>
void GlobalAveragePool<T>::forward(const Pass<T>& pass) {
  const Block<T>& x = this->in;
  const T share = T(1) / static_cast<T>(x.squares);
  for (int sample = 0; sample < pass.samples; ++sample) {
    const T* from = x.value + static_cast<std::ptrdiff_t>(sample) * x.squares * x.ld;
    T* to = this->out.value + static_cast<std::ptrdiff_t>(sample) * x.ld;
    pass.kernels.column_sums(from, x.ld, x.squares, to);
    for (int c = 0; c < x.ld; ++c) to[c] *= share;
  }
}

template <class T>
void GlobalAveragePool<T>::backward(const Pass<T>& pass) {
  const Block<T>& x = this->in;
  if (x.gradient == nullptr) return;
  const T share = T(1) / static_cast<T>(x.squares);
  for (std::int64_t row = 0; row < x.rows(pass.samples); ++row) {
    const T* from = this->out.gradient + row / x.squares * x.ld;
    for (int c = 0; c < x.ld; ++c) x.gradient[row * x.ld + c] = share * from[c];
  }
}

#define DAMIER_INSTANTIATE(T)   \
  template class Activation<T>; \
  template class Softmax<T>;    \
  template class Dropout<T>;    \
  template class Residual<T>;   \
  template class Flatten<T>;    \
  template class GlobalAveragePool<T>;
DAMIER_INSTANTIATE(float)
DAMIER_INSTANTIATE(double)
#undef DAMIER_INSTANTIATE

}  // namespace damier::nn
