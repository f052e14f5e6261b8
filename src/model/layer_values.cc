#include "damier/model/layer_values.h"

#include <type_traits>

namespace damier::model {

namespace {

// Blocks have the channels of a square side by side.
template <class T>
std::vector<float> channels_first(const nn::Block<T>& block) {
  std::vector<float> values;
  values.reserve(static_cast<std::size_t>(block.squares) * static_cast<std::size_t>(block.cols));
  for (int channel = 0; channel < block.cols; ++channel) {
    for (int square = 0; square < block.squares; ++square) {
      values.push_back(static_cast<float>(block.value[square * block.ld + channel]));
    }
  }
  return values;
}

}  // namespace

std::vector<LayerValues> layer_values(const Model& model, std::span<const float> input) {
  return model.visit([&](const auto& weights) {
    using T = std::remove_cvref_t<decltype(*weights.output(0).value)>;
    // Only a network for training keeps what its layers gave.
    nn::Network<T> network(weights.spec(), 1, nn::Use::training);
    copy_weights(weights, network);
    const std::vector<T> numbers(input.begin(), input.end());
    network.set_inputs(numbers, 1);
    network.forward(false);
    std::vector<LayerValues> all;
    for (const nn::LayerOutput<T>& layer : network.layer_outputs()) {
      all.push_back({layer.name, layer.spec->out, channels_first(layer.block)});
    }
    return all;
  });
}

}  // namespace damier::model
