// The layers. Each is one small class with its two passes; tests/nn/gradient_test.cc checks every
// one against finite differences.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "damier/nn/fast_convolution.h"
#include "damier/nn/layer.h"
#include "damier/nn/taps.h"

namespace damier::nn {

// Dense and convolution: a sum of products over taps (kernels.h), or the fast way where it pays.
template <class T>
class Linear final : public Layer<T> {
 public:
  Linear(const LayerSpec& spec, const std::string& name, Block<T> x, Builder<T>& builder);
  void forward(const Pass<T>& pass) override;
  void backward(const Pass<T>& pass) override;
  void list_parameters(std::vector<Parameter<T>*>& list) override;
  void freeze(const Kernels<T>& kernels) override;

  // Every output c becomes a[c] * output + b[c]: the weights are changed for good.
  void scale_outputs(std::span<const T> a, std::span<const T> b);

 private:
  void multiply(const Pass<T>& pass, const GatherProduct<T>& product,
                const TapTables& tables) const;
  void input_gradient(const Pass<T>& pass);

  Parameter<T> weight_;
  Parameter<T> bias_;
  bool has_bias_;
  TapTables forward_;                         // from in to out
  TapTables backward_;                        // from out to in
  T* transposed_ = nullptr;                   // (taps, out, ld of x): the weights the other way
  std::unique_ptr<FastConvolution<T>> fast_;  // none: the plain way
  bool frozen_ = false;
};

// A dense layer for inputs that are almost all zero: each list of the input names the features that
// are 1 by their numbers, and only their rows of the weights are read. A number that is no feature,
// such as -1, is an empty place. Every list has outputs of its own; the weights are the same.
template <class T>
class Sparse final : public Layer<T> {
 public:
  Sparse(const LayerSpec& spec, const std::string& name, Block<T> x, Builder<T>& builder);
  void forward(const Pass<T>& pass) override;
  void backward(const Pass<T>& pass) override;
  void list_parameters(std::vector<Parameter<T>*>& list) override;

 private:
  int places() const { return this->in.cols / lists_; }  // of a list

  Parameter<T> weight_;  // (features, ld of the units)
  Parameter<T> bias_;
  bool has_bias_;
  int lists_;
  std::vector<std::int32_t> rows_;    // (samples * lists, places): the features, packed
  std::vector<std::int32_t> counts_;  // (samples * lists): how many
};

template <class T>
class Activation final : public Layer<T> {
 public:
  Activation(const LayerSpec& spec, Block<T> x, Builder<T>& builder);
  void forward(const Pass<T>& pass) override;
  void backward(const Pass<T>& pass) override;

 private:
  Curve curve_;
};

// Over each group of features apart.
template <class T>
class Softmax final : public Layer<T> {
 public:
  Softmax(const LayerSpec& spec, Block<T> x, Builder<T>& builder);
  void forward(const Pass<T>& pass) override;
  void backward(const Pass<T>& pass) override;

 private:
  std::vector<int> groups_;
};

// Over samples and squares, for every channel: batch figures in training, running ones otherwise.
template <class T>
class BatchNorm final : public Layer<T> {
 public:
  BatchNorm(const LayerSpec& spec, const std::string& name, Block<T> x, Builder<T>& builder);
  void forward(const Pass<T>& pass) override;
  void backward(const Pass<T>& pass) override;
  void list_parameters(std::vector<Parameter<T>*>& list) override;

  // For inference: the product gives this layer's output, and this layer does nothing any more.
  void fold_into(Linear<T>& product);

 private:
  Parameter<T> scale_, shift_, running_mean_, running_variance_;
  T epsilon_, momentum_;
  bool folded_ = false;
  T* mean_;
  T* inverse_deviation_;
};

// Over the channels of every square apart.
template <class T>
class LayerNorm final : public Layer<T> {
 public:
  LayerNorm(const LayerSpec& spec, const std::string& name, Block<T> x, Builder<T>& builder);
  void forward(const Pass<T>& pass) override;
  void backward(const Pass<T>& pass) override;
  void list_parameters(std::vector<Parameter<T>*>& list) override;

 private:
  Parameter<T> scale_, shift_;
  T epsilon_;
  T* mean_;               // one a row
  T* inverse_deviation_;  // one a row
};

// In training each value is dropped with the given rate and the others are scaled up. Which ones
// follows from the seed, the step and the sample, not from the thread.
template <class T>
class Dropout final : public Layer<T> {
 public:
  Dropout(const LayerSpec& spec, const std::string& name, Block<T> x, Builder<T>& builder);
  void forward(const Pass<T>& pass) override;
  void backward(const Pass<T>& pass) override;

 private:
  double rate_;
  std::string stream_;
  T* mask_;
};

// y = x + f(x).
template <class T>
class Residual final : public Layer<T> {
 public:
  Residual(const LayerSpec& spec, const std::string& name, Block<T> x, Builder<T>& builder);
  void forward(const Pass<T>& pass) override;
  void backward(const Pass<T>& pass) override;
  void list_parameters(std::vector<Parameter<T>*>& list) override;
  void freeze(const Kernels<T>& kernels) override { freeze_chain(layers_, kernels); }
  std::span<const std::unique_ptr<Layer<T>>> inner() const override { return layers_; }

 private:
  std::vector<std::unique_ptr<Layer<T>>> layers_;
};

// Layers one after the other.
template <class T>
class Chain final : public Layer<T> {
 public:
  Chain(const LayerSpec& spec, const std::string& name, Block<T> x, Builder<T>& builder);
  void forward(const Pass<T>& pass) override;
  void backward(const Pass<T>& pass) override;
  void list_parameters(std::vector<Parameter<T>*>& list) override;
  void freeze(const Kernels<T>& kernels) override { freeze_chain(layers_, kernels); }
  std::span<const std::unique_ptr<Layer<T>>> inner() const override { return layers_; }

 private:
  std::vector<std::unique_ptr<Layer<T>>> layers_;
};

// Layers that all read the same input; what they give stands side by side, in their order.
template <class T>
class Branches final : public Layer<T> {
 public:
  Branches(const LayerSpec& spec, const std::string& name, Block<T> x, Builder<T>& builder);
  void forward(const Pass<T>& pass) override;
  void backward(const Pass<T>& pass) override;
  void list_parameters(std::vector<Parameter<T>*>& list) override;
  void freeze(const Kernels<T>& kernels) override;
  std::span<const std::unique_ptr<Layer<T>>> inner() const override { return branches_; }

 private:
  std::vector<std::unique_ptr<Layer<T>>> branches_;
};

// Some of the features, as they stand or as a board: channel by channel, each row by row.
template <class T>
class Slice final : public Layer<T> {
 public:
  Slice(const LayerSpec& spec, Block<T> x, Builder<T>& builder);
  void forward(const Pass<T>& pass) override;
  void backward(const Pass<T>& pass) override;

 private:
  int from_;
};

// Channels first, as other tools do it: feature = channel * squares + square.
template <class T>
class Flatten final : public Layer<T> {
 public:
  Flatten(const LayerSpec& spec, Block<T> x, Builder<T>& builder);
  void forward(const Pass<T>& pass) override;
  void backward(const Pass<T>& pass) override;
};

template <class T>
class GlobalAveragePool final : public Layer<T> {
 public:
  GlobalAveragePool(const LayerSpec& spec, Block<T> x, Builder<T>& builder);
  void forward(const Pass<T>& pass) override;
  void backward(const Pass<T>& pass) override;
};

// Multi-head self-attention over the squares of a board, with projections in and out.
template <class T>
class Attention final : public Layer<T> {
 public:
  Attention(const LayerSpec& spec, const std::string& name, Block<T> x, Builder<T>& builder);
  void forward(const Pass<T>& pass) override;
  void backward(const Pass<T>& pass) override;
  void list_parameters(std::vector<Parameter<T>*>& list) override;

 private:
  int heads_;
  int width_;                          // channels of a head
  std::unique_ptr<Linear<T>> inward_;  // to queries, keys and values, side by side
  Block<T> mixed_;                     // the heads' results, side by side
  std::unique_ptr<Linear<T>> outward_;
  T* weights_;           // (samples, heads, squares, squares)
  T* weight_gradients_;  // of one sample and head
};

}  // namespace damier::nn
