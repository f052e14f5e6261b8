// Networks inside a network: chains of layers, branches side by side, and the part of the features
// that a branch reads.

#include <algorithm>

#include <fmt/format.h>

#include "damier/nn/layers.h"

namespace damier::nn {

template <class T>
Chain<T>::Chain(const LayerSpec& spec, const std::string& name, Block<T> x, Builder<T>& builder)
    : layers_(make_chain(spec.layers, name + ".layers", x, builder)) {
  this->in = x;
  this->out = layers_.back()->out;
}

template <class T>
void Chain<T>::forward(const Pass<T>& pass) {
  for (auto& layer : layers_) layer->forward(pass);
}

template <class T>
void Chain<T>::backward(const Pass<T>& pass) {
  for (auto layer = layers_.rbegin(); layer != layers_.rend(); ++layer) (*layer)->backward(pass);
}

template <class T>
void Chain<T>::list_parameters(std::vector<Parameter<T>*>& list) {
  for (auto& layer : layers_) layer->list_parameters(list);
}

template <class T>
Branches<T>::Branches(const LayerSpec& spec, const std::string& name, Block<T> x,
                      Builder<T>& builder) {
  this->in = x;
  for (std::size_t i = 0; i < spec.layers.size(); ++i) {
    Block<T> own = x;
    // Each hands a gradient down; they are added up in order.
    if (x.gradient != nullptr) own.gradient = builder.scratch(x.count(builder.samples));
    builder.alone = false;
    branches_.push_back(
        make_layer(spec.layers[i], fmt::format("{}.layers.{}", name, i), own, builder));
  }
  this->out = builder.block(spec.out, true);
}

template <class T>
void Branches<T>::forward(const Pass<T>& pass) {
  int begin = 0;
  for (auto& branch : branches_) {
    branch->forward(pass);
    const Block<T>& part = branch->out;
    for (std::ptrdiff_t sample = 0; sample < pass.samples; ++sample) {
      std::copy_n(part.value + sample * part.ld, part.cols,
                  this->out.value + sample * this->out.ld + begin);
    }
    begin += part.cols;
  }
}

template <class T>
void Branches<T>::backward(const Pass<T>& pass) {
  const std::size_t count = this->in.count(pass.samples);
  if (this->in.gradient != nullptr) std::fill_n(this->in.gradient, count, T(0));
  int begin = 0;
  for (auto& branch : branches_) {
    const Block<T>& part = branch->out;
    for (std::ptrdiff_t sample = 0; sample < pass.samples; ++sample) {
      T* to = part.gradient + sample * part.ld;
      std::copy_n(this->out.gradient + sample * this->out.ld + begin, part.cols, to);
      std::fill(to + part.cols, to + part.ld, T(0));
    }
    begin += part.cols;
    branch->backward(pass);
    if (this->in.gradient == nullptr) continue;
    for (std::size_t i = 0; i < count; ++i) this->in.gradient[i] += branch->in.gradient[i];
  }
}

template <class T>
void Branches<T>::list_parameters(std::vector<Parameter<T>*>& list) {
  for (auto& branch : branches_) branch->list_parameters(list);
}

template <class T>
void Branches<T>::freeze(const Kernels<T>& kernels) {
  for (auto& branch : branches_) branch->freeze(kernels);
}

template <class T>
Slice<T>::Slice(const LayerSpec& spec, Block<T> x, Builder<T>& builder) : from_(spec.from) {
  this->in = x;
  this->out = builder.block(spec.out, true);
}

template <class T>
void Slice<T>::forward(const Pass<T>& pass) {
  const Block<T>& y = this->out;
  for (std::ptrdiff_t sample = 0; sample < pass.samples; ++sample) {
    const T* from = this->in.value + sample * this->in.ld + from_;
    T* to = y.value + sample * y.squares * y.ld;
    for (int square = 0; square < y.squares; ++square, to += y.ld) {
      for (int c = 0; c < y.cols; ++c) to[c] = from[c * y.squares + square];
    }
  }
}

template <class T>
void Slice<T>::backward(const Pass<T>& pass) {
  if (this->in.gradient == nullptr) return;
  const Block<T>& y = this->out;
  std::fill_n(this->in.gradient, this->in.count(pass.samples), T(0));
  for (std::ptrdiff_t sample = 0; sample < pass.samples; ++sample) {
    const T* from = y.gradient + sample * y.squares * y.ld;
    T* to = this->in.gradient + sample * this->in.ld + from_;
    for (int square = 0; square < y.squares; ++square, from += y.ld) {
      for (int c = 0; c < y.cols; ++c) to[c * y.squares + square] = from[c];
    }
  }
}

#define DAMIER_INSTANTIATE(T) \
  template class Chain<T>;    \
  template class Branches<T>; \
  template class Slice<T>;
DAMIER_INSTANTIATE(float)
DAMIER_INSTANTIATE(double)
#undef DAMIER_INSTANTIATE

}  // namespace damier::nn
