#include "damier/nn/layer.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdlib>
#include <new>
#include <type_traits>

#include <fmt/format.h>

#include "damier/nn/layer_type.h"

namespace damier::nn {

template <class T>
T* Memory<T>::take(std::size_t count) {
  const std::size_t bytes = (std::max<std::size_t>(count, 1) * sizeof(T) + 63) / 64 * 64;
  T* data = static_cast<T*>(std::aligned_alloc(64, bytes));
  if (data == nullptr) throw std::bad_alloc();
  std::fill_n(data, bytes / sizeof(T), T(0));
  runs_.emplace_back(data, std::free);
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
Parameter<T> Builder<T>::parameter(const std::string& layer, const ParameterSpec& spec) {
  const auto extent = [&](std::size_t i) {
    return i < spec.shape.size() ? static_cast<int>(spec.shape[i]) : 1;
  };
  Parameter<T> parameter;
  parameter.name = fmt::format("{}.{}", layer, spec.name);
  parameter.shape = spec.shape;
  parameter.role = spec.role;
  parameter.out = extent(0);
  parameter.in = extent(1);
  parameter.taps = extent(2) * extent(3);
  parameter.ld = padded(parameter.out);
  parameter.value = parameters.take(parameter.count());
  if (const double first = first_value(spec.role); first != 0) {
    std::fill_n(parameter.value, parameter.out, static_cast<T>(first));
  }
  if (is_learned(spec.role) && training) parameter.gradient = memory.take(parameter.count());
  return parameter;
}

template <class T>
void Layer<T>::freeze(const Kernels<T>& kernels) {
  for (std::size_t i = 1; i < inner_.size(); ++i) inner_[i]->fold_into(*inner_[i - 1]);
  for (auto& layer : inner_) layer->freeze(kernels);
}

template <class T>
void Layer<T>::list_parameters(std::vector<Parameter<T>*>& list) {
  for (Parameter<T>& parameter : parameters_) list.push_back(&parameter);
  for (auto& layer : inner_) layer->list_parameters(list);
}

template <class T>
Parameter<T>& Layer<T>::parameter(const Site<T>& site, std::string_view name) {
  const auto& all = site.spec.parameters;
  const auto at = std::ranges::find(all, name, &ParameterSpec::name);
  assert(at != all.end());
  return add_parameter(site.builder.parameter(site.name, *at));
}

template <class T>
Parameter<T>& Layer<T>::add_parameter(Parameter<T> parameter) {
  return parameters_.emplace_back(std::move(parameter));
}

template <class T>
std::unique_ptr<Layer<T>> make_layer(const Site<T>& site) {
  if constexpr (std::is_same_v<T, float>) return site.spec.type->make_float(site);
  if constexpr (std::is_same_v<T, double>) return site.spec.type->make_double(site);
}

template <class T>
LayersInTurn<T>::LayersInTurn(const std::vector<LayerSpec>& specs, const std::string& name,
                              const Block<T>& x, Builder<T>& builder)
    : Layer<T>(x) {
  this->out = x;
  for (std::size_t i = 0; i < specs.size(); ++i) {
    builder.alone = i > 0;  // the first one's input belongs to others too
    this->inner_.push_back(
        make_layer<T>({specs[i], fmt::format("{}.{}", name, i), this->out, builder}));
    this->out = this->inner_.back()->out;
  }
}

template <class T>
void LayersInTurn<T>::forward(const Pass<T>& pass) {
  for (auto& layer : this->inner_) layer->forward(pass);
}

template <class T>
void LayersInTurn<T>::backward(const Pass<T>& pass) {
  for (std::size_t i = this->inner_.size(); i-- > 0;) this->inner_[i]->backward(pass);
}

#define DAMIER_INSTANTIATE(T)                                    \
  template class Memory<T>;                                      \
  template struct Builder<T>;                                    \
  template class Layer<T>;                                       \
  template std::unique_ptr<Layer<T>> make_layer(const Site<T>&); \
  template class LayersInTurn<T>;
DAMIER_INSTANTIATE(float)
DAMIER_INSTANTIATE(double)
#undef DAMIER_INSTANTIATE

std::span<const LayerType* const> layer_types() {
  static constexpr auto kTypes = [](const auto&... types) { return std::array{&types...}; }(
                                     kDense, kConv2d, kBatchNorm, kLayerNorm, kDropout, kSigmoid,
                                     kTanh, kRelu, kLeakyRelu, kClippedRelu, kSquaredClippedRelu,
                                     kSoftmax, kResidual, kFlatten, kGlobalAveragePool, kAttention,
                                     kSlice, kChain, kBranches, kSparse);
  return kTypes;
}

}  // namespace damier::nn
