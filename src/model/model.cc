#include "damier/model/model.h"

#include <filesystem>
#include <type_traits>

#include "damier/base/files/files.h"
#include "damier/base/text/text.h"
#include "damier/model/dense_text.h"

namespace damier::model {

namespace {

constexpr std::size_t kMaxTextBytes = std::size_t{1} << 30;  // 50 million numbers

template <class T>
Result<std::shared_ptr<nn::Network<T>>> load(const nn::NetworkSpec& spec,
                                             const nn::TensorFile& file, const std::string& path) {
  auto network = std::make_shared<nn::Network<T>>(spec, 1, nn::Use::inference);
  TRY(nn::load_weights(*network, file, path));
  return network;
}

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

Status check_model_header(const nn::TensorHeader& header, const std::string& path) {
  const auto spec = TRY(nn::model_spec(header.metadata, path));
  return nn::check_tensors(spec, header, path);
}

Result<Model> model_of(const nn::TensorFile& file, const std::string& path) {
  TRY(check_model_header(nn::header_of(file), path));
  const auto spec = TRY(nn::model_spec(file.metadata, path));
  Model model{path, {}, nn::model_provenance(file), 0};
  if (nn::model_dtype(file) == nn::DType::f64) {
    model.network = TRY(load<double>(spec, file, path));
  } else {
    model.network = TRY(load<float>(spec, file, path));
  }
  return model;
}

Result<Model> open_model(const std::string& path) {
  if (path.ends_with(".txt")) {
    const auto content = TRY(read_file(path, kMaxTextBytes));
    const auto text = TRY(parse_dense_text(content, path));
    return Model{path, network_of(text), {}, content.size()};
  }
  const auto file = TRY(nn::read_safetensors(
      path, [&](const nn::TensorHeader& header) { return check_model_header(header, path); }));
  auto model = TRY(model_of(file, path));
  std::error_code unknown;
  const auto bytes = std::filesystem::file_size(path, unknown);
  if (!unknown) model.file_bytes = static_cast<std::size_t>(bytes);
  return model;
}

Result<std::shared_ptr<const AnyEncoder>> encoder_of(const Model& model, const Encoders& encoders) {
  const std::string_view game = model.origin("game"), name = model.origin("task");
  // Models that name no task are of the one that has the game's name.
  if (game != encoders.game || (name.empty() ? game : name) != encoders.task) {
    const std::string found = game.empty() ? "no game that it names" : printable(game);
    return Error{fmt::format("is a network for {}; expected one for {}",
                             name.empty() ? found : printable(name), encoders.task),
                 {model.path}};
  }
  auto encoder = TRY(encoders.find(model.origin("encoder")).in(model.path));
  const std::string version = std::to_string(encoder->version());
  if (model.origin("encoder_version") != version) {
    return Error{
        fmt::format("was made for version {} of the encoder {}; expected {}",
                    printable(model.origin("encoder_version")), model.origin("encoder"), version),
        {model.path}};
  }
  TRY(encoder->check_network(model.spec()).in(model.path));
  return encoder;
}

std::unique_ptr<Predictor> predict_with(const Model& model, int batch) {
  return std::visit([&](const auto& weights) { return predict_with(weights, batch); },
                    model.network);
}

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

Result<std::shared_ptr<const nn::Network<float>>> float_weights(const Model& model) {
  const auto* network = std::get_if<std::shared_ptr<const nn::Network<float>>>(&model.network);
  if (network == nullptr) return Error{"holds doubles; expected floats", {model.path}};
  return *network;
}

}  // namespace damier::model
