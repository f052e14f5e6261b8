#include "damier/nn/layer.h"

#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <new>

#include <fmt/format.h>

#include "damier/nn/layer_type.h"

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
  freeze_chain<T>(inner_, kernels);
}

template <class T>
void Layer<T>::list_parameters(std::vector<Parameter<T>*>& list) {
  for (Parameter<T>& parameter : parameters_) list.push_back(&parameter);
  for (auto& layer : inner_) layer->list_parameters(list);
}

template <class T>
Parameter<T>& Layer<T>::parameter(const Site<T>& site, std::string_view name) {
  const auto& all = site.spec.parameters;
  const auto at = std::find_if(all.begin(), all.end(),
                               [&](const ParameterSpec& known) { return known.name == name; });
  assert(at != all.end());
  return add_parameter(site.builder.parameter(site.name, *at));
}

template <class T>
Parameter<T>& Layer<T>::add_parameter(Parameter<T> parameter) {
  return parameters_.emplace_back(std::move(parameter));
}

template <class T>
std::unique_ptr<Layer<T>> make_layer(const Site<T>& site) {
  return site.spec.fields->make(site);
}

template <class T>
std::vector<std::unique_ptr<Layer<T>>> make_chain(const std::vector<LayerSpec>& specs,
                                                  const std::string& name, Block<T> x,
                                                  Builder<T>& builder) {
  std::vector<std::unique_ptr<Layer<T>>> chain;
  for (std::size_t i = 0; i < specs.size(); ++i) {
    builder.alone = i > 0;  // the first one's input belongs to others too
    chain.push_back(make_layer<T>({specs[i], fmt::format("{}.{}", name, i), x, builder}));
    x = chain.back()->out;
  }
  return chain;
}

template <class T>
void run_forward(std::span<const std::unique_ptr<Layer<T>>> chain, const Pass<T>& pass) {
  for (auto& layer : chain) layer->forward(pass);
}

template <class T>
void run_backward(std::span<const std::unique_ptr<Layer<T>>> chain, const Pass<T>& pass) {
  for (auto layer = chain.rbegin(); layer != chain.rend(); ++layer) (*layer)->backward(pass);
}

template <class T>
void freeze_chain(std::span<const std::unique_ptr<Layer<T>>> chain, const Kernels<T>& kernels) {
  for (std::size_t i = 1; i < chain.size(); ++i) chain[i]->fold_into(*chain[i - 1]);
  for (auto& layer : chain) layer->freeze(kernels);
}

#define DAMIER_INSTANTIATE(T)                                                             \
  template class Memory<T>;                                                               \
  template struct Builder<T>;                                                             \
  template class Layer<T>;                                                                \
  template std::unique_ptr<Layer<T>> make_layer(const Site<T>&);                          \
  template std::vector<std::unique_ptr<Layer<T>>> make_chain(                             \
      const std::vector<LayerSpec>&, const std::string&, Block<T>, Builder<T>&);          \
  template void run_forward(std::span<const std::unique_ptr<Layer<T>>>, const Pass<T>&);  \
  template void run_backward(std::span<const std::unique_ptr<Layer<T>>>, const Pass<T>&); \
  template void freeze_chain(std::span<const std::unique_ptr<Layer<T>>>, const Kernels<T>&);
DAMIER_INSTANTIATE(float)
DAMIER_INSTANTIATE(double)
#undef DAMIER_INSTANTIATE

}  // namespace damier::nn
