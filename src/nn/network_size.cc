#include "damier/nn/network_size.h"

#include <algorithm>

#include <fmt/format.h>

namespace damier::nn {

namespace {

constexpr std::uint64_t kAffordableBytes = std::uint64_t{1} << 30;

std::uint64_t as_extent(int size) { return static_cast<std::uint64_t>(size); }

void list_product(const std::string& name, std::vector<std::uint64_t> shape, bool bias,
                  std::vector<ParameterShape>& list) {
  const std::uint64_t outputs = shape.front();
  list.push_back({name + ".weight", std::move(shape)});
  if (bias) list.push_back({name + ".bias", {outputs}});
}

void list_layers(const std::vector<LayerSpec>& layers, const std::string& chain,
                 std::vector<ParameterShape>& list) {
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const LayerSpec& layer = layers[i];
    const std::string name = fmt::format("{}.{}", chain, i);
    const std::uint64_t in = as_extent(layer.in.channels), out = as_extent(layer.out.channels);
    const std::uint64_t side = as_extent(layer.kernel);
    switch (layer.kind) {
      case LayerKind::dense:
        list_product(name, {out, in}, layer.bias, list);
        break;
      case LayerKind::sparse:
        list_product(name, {as_extent(layer.units), as_extent(layer.features)}, layer.bias, list);
        break;
      case LayerKind::conv2d:
        list_product(name, {out, in, side, side}, layer.bias, list);
        break;
      case LayerKind::attention:
        list_product(name + ".in", {3 * in, in, 1, 1}, true, list);
        list_product(name + ".out", {in, in, 1, 1}, true, list);
        break;
      case LayerKind::batch_norm:
        for (const char* part : {".weight", ".bias", ".running_mean", ".running_var"}) {
          list.push_back({name + part, {in}});
        }
        break;
      case LayerKind::layer_norm:
        list.push_back({name + ".weight", {in}});
        list.push_back({name + ".bias", {in}});
        break;
      case LayerKind::residual:
      case LayerKind::chain:
      case LayerKind::branches:
        list_layers(layer.layers, name + ".layers", list);
        break;
      default:
        break;
    }
  }
}

}  // namespace

std::vector<ParameterShape> parameter_shapes(const NetworkSpec& spec) {
  std::vector<ParameterShape> list;
  list_layers(spec.layers, "layers", list);
  for (const HeadSpec& head : spec.heads) list_layers(head.layers, "heads." + head.name, list);
  return list;
}

std::uint64_t network_bytes(const NetworkSpec& spec, int batch, Use use, std::size_t number_bytes) {
  const bool trained = use == Use::training;
  std::uint64_t weights = 0;
  for (const ParameterShape& parameter : parameter_shapes(spec)) {
    std::uint64_t count = 1;
    for (const std::uint64_t extent : parameter.shape) count *= extent;
    weights += count;
  }
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
