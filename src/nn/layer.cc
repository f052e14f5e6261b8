#include "damier/nn/layer.h"

#include <algorithm>
#include <cstdlib>
#include <new>

#include <fmt/format.h>

#include "damier/nn/layers.h"

namespace damier::nn {

template <class T>
void Memory<T>::Free::operator()(T* data) const {
  std::free(data);
}

template <class T>
T* Memory<T>::take(std::size_t count) {
  const std::size_t bytes = (std::max<std::size_t>(count, 1) * sizeof(T) + 63) / 64 * 64;
  T* data = static_cast<T*>(std::aligned_alloc(64, bytes));
  if (data == nullptr) throw std::bad_alloc();
  std::fill_n(data, bytes / sizeof(T), T(0));
  runs_.emplace_back(data);
  bytes_ += bytes;
  return data;
}

template <class T>
Block<T> Builder<T>::block(const Shape& shape, bool with_gradient) {
  Block<T> block{nullptr, nullptr, shape.squares(), shape.channels, padded(shape.channels)};
  block.value = memory.take(block.count(samples));
  if (with_gradient && training) block.gradient = memory.take(block.count(samples));
  return block;
}

template <class T>
Parameter<T> Builder<T>::parameter(std::string name, std::vector<std::uint64_t> shape, int taps,
                                   int in, int out, bool learned) {
  Parameter<T> parameter;
  parameter.name = std::move(name);
  parameter.shape = std::move(shape);
  parameter.taps = taps;
  parameter.in = in;
  parameter.out = out;
  parameter.ld = padded(out);
  parameter.value = parameters.take(parameter.count());
  if (learned && training) parameter.gradient = memory.take(parameter.count());
  return parameter;
}

template <class T>
std::unique_ptr<Layer<T>> make_layer(const LayerSpec& spec, const std::string& name, Block<T> x,
                                     Builder<T>& builder) {
  switch (spec.kind) {
    case LayerKind::dense:
    case LayerKind::conv2d:
      return std::make_unique<Linear<T>>(spec, name, x, builder);
    case LayerKind::batch_norm:
      return std::make_unique<BatchNorm<T>>(spec, name, x, builder);
    case LayerKind::layer_norm:
      return std::make_unique<LayerNorm<T>>(spec, name, x, builder);
    case LayerKind::dropout:
      return std::make_unique<Dropout<T>>(spec, name, x, builder);
    case LayerKind::softmax:
      return std::make_unique<Softmax<T>>(spec, x, builder);
    case LayerKind::residual:
      return std::make_unique<Residual<T>>(spec, name, x, builder);
    case LayerKind::flatten:
      return std::make_unique<Flatten<T>>(spec, x, builder);
    case LayerKind::global_average_pool:
      return std::make_unique<GlobalAveragePool<T>>(spec, x, builder);
    case LayerKind::attention:
      return std::make_unique<Attention<T>>(spec, name, x, builder);
    case LayerKind::sparse:
      return std::make_unique<Sparse<T>>(spec, name, x, builder);
    case LayerKind::slice:
      return std::make_unique<Slice<T>>(spec, x, builder);
    case LayerKind::chain:
      return std::make_unique<Chain<T>>(spec, name, x, builder);
    case LayerKind::branches:
      return std::make_unique<Branches<T>>(spec, name, x, builder);
    default:
      return std::make_unique<Activation<T>>(spec, x, builder);
  }
}

template <class T>
std::vector<std::unique_ptr<Layer<T>>> make_chain(const std::vector<LayerSpec>& specs,
                                                  const std::string& name, Block<T> x,
                                                  Builder<T>& builder) {
  std::vector<std::unique_ptr<Layer<T>>> chain;
  for (std::size_t i = 0; i < specs.size(); ++i) {
    builder.alone = i > 0;  // the first one's input belongs to others too
    chain.push_back(make_layer(specs[i], fmt::format("{}.{}", name, i), x, builder));
    x = chain.back()->out;
  }
  return chain;
}

template <class T>
void freeze_chain(std::vector<std::unique_ptr<Layer<T>>>& chain, const Kernels<T>& kernels) {
  for (std::size_t i = 1; i < chain.size(); ++i) {
    auto* product = dynamic_cast<Linear<T>*>(chain[i - 1].get());
    auto* norm = dynamic_cast<BatchNorm<T>*>(chain[i].get());
    if (product != nullptr && norm != nullptr) norm->fold_into(*product);
  }
  for (auto& layer : chain) layer->freeze(kernels);
}

template class Memory<float>;
template class Memory<double>;
template struct Builder<float>;
template struct Builder<double>;
template std::unique_ptr<Layer<float>> make_layer(const LayerSpec&, const std::string&,
                                                  Block<float>, Builder<float>&);
template std::unique_ptr<Layer<double>> make_layer(const LayerSpec&, const std::string&,
                                                   Block<double>, Builder<double>&);

template std::vector<std::unique_ptr<Layer<float>>> make_chain(const std::vector<LayerSpec>&,
                                                               const std::string&, Block<float>,
                                                               Builder<float>&);
template std::vector<std::unique_ptr<Layer<double>>> make_chain(const std::vector<LayerSpec>&,
                                                                const std::string&, Block<double>,
                                                                Builder<double>&);
template void freeze_chain(std::vector<std::unique_ptr<Layer<float>>>&, const Kernels<float>&);
template void freeze_chain(std::vector<std::unique_ptr<Layer<double>>>&, const Kernels<double>&);

}  // namespace damier::nn
