#include "damier/nn/network_size.h"

#include <algorithm>

#include <fmt/format.h>

#include "damier/nn/layer_type.h"

namespace damier::nn {

namespace {

constexpr std::uint64_t kAffordableBytes = std::uint64_t{1} << 30;

// Calls each(layer, name) for every layer, before those that it is made of.
template <class Each>
void for_layers(const std::vector<LayerSpec>& layers, const std::string& chain, const Each& each) {
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const std::string name = fmt::format("{}.{}", chain, i);
    each(layers[i], name);
    for_layers(layers[i].layers, name + ".layers", each);
  }
}

template <class Each>
void for_layers(const NetworkSpec& spec, const Each& each) {
  for_layers(spec.layers, "layers", each);
  for (const HeadSpec& head : spec.heads) for_layers(head.layers, "heads." + head.name, each);
}

std::int64_t values_of(const Shape& shape) {
  return std::int64_t{padded(shape.channels)} * shape.squares();
}

}  // namespace

std::int64_t LayerFields::values(const LayerSpec& layer) const { return values_of(layer.out); }

double LayerFields::products(const LayerSpec& layer) const {
  double products = 0;
  for (const ParameterSpec& parameter : layer.parameters) {
    if (parameter.role == Role::weight) {
      products += static_cast<double>(parameter.count()) * layer.out.squares();
    }
  }
  return products;
}

std::vector<ParameterSpec> parameter_specs(const NetworkSpec& spec) {
  std::vector<ParameterSpec> list;
  for_layers(spec, [&](const LayerSpec& layer, const std::string& name) {
    for (const ParameterSpec& own : layer.parameters) {
      list.push_back({fmt::format("{}.{}", name, own.name), own.shape, own.role});
    }
  });
  return list;
}

std::int64_t values_of_sample(const NetworkSpec& spec) {
  std::int64_t values = values_of(spec.input);
  for_layers(spec, [&](const LayerSpec& layer, const std::string&) {
    values += layer.fields->values(layer);
  });
  return values;
}

double products_of_sample(const NetworkSpec& spec) {
  double products = 0;
  for_layers(spec, [&](const LayerSpec& layer, const std::string&) {
    products += layer.fields->products(layer);
  });
  return products;
}

std::uint64_t network_bytes(const NetworkSpec& spec, int batch, Use use, std::size_t number_bytes) {
  const bool trained = use == Use::training;
  std::uint64_t weights = 0;
  for (const ParameterSpec& parameter : parameter_specs(spec)) weights += parameter.count();
  const auto samples = static_cast<std::uint64_t>(batch);
  const std::uint64_t values = static_cast<std::uint64_t>(values_of_sample(spec)) * samples;
  return (weights * (trained ? 4 : 1) + values * (trained ? 2 : 1)) * number_bytes;
}

int affordable_batch(const NetworkSpec& spec, int wanted, Use use, std::size_t number_bytes) {
  const auto values = static_cast<std::uint64_t>(values_of_sample(spec));
  const std::uint64_t sample = values * (use == Use::training ? 2 : 1) * number_bytes;
  const std::uint64_t most = std::max<std::uint64_t>(1, kAffordableBytes / sample);
  return static_cast<int>(std::min(static_cast<std::uint64_t>(wanted), most));
}

}  // namespace damier::nn
