#include "damier/model/model.h"

#include <filesystem>

#include <fmt/format.h>

#include "damier/base/files/files.h"
#include "damier/base/text/text.h"

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

Result<Model> open_text(Model model, const std::string& content) {
  const auto text = TRY(nn::parse_dense_text(content, model.path));
  auto network =
      std::make_shared<nn::Network<double>>(nn::dense_text_spec(text), 1, nn::Use::inference);
  nn::load_dense_text(*network, text);
  model.network = std::move(network);
  return model;
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
    return open_text({path, {}, {}, content.size()}, content);
  }
  const auto file = nn::read_safetensors(
      path, [&](const nn::TensorHeader& header) { return check_model_header(header, path); });
  if (!file) return file.error();
  auto model = model_of(*file, path);
  if (!model) return model;
  std::error_code unknown;
  const auto bytes = std::filesystem::file_size(path, unknown);
  if (!unknown) model->file_bytes = static_cast<std::size_t>(bytes);
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

const nn::NetworkSpec& Model::spec() const {
  return std::visit([](const auto& pointer) -> const nn::NetworkSpec& { return pointer->spec(); },
                    network);
}

std::string_view Model::origin(std::string_view key) const {
  for (const auto& [name, value] : provenance) {
    if (name == key) return value;
  }
  return {};
}

std::unique_ptr<Predictor> predict_with(const Model& model, int batch) {
  return std::visit([&](const auto& weights) { return predict_with(weights, batch); },
                    model.network);
}

Result<std::shared_ptr<const nn::Network<float>>> float_weights(const Model& model) {
  const auto* network = std::get_if<std::shared_ptr<const nn::Network<float>>>(&model.network);
  if (network == nullptr) return Error{"holds doubles; expected floats", {model.path}};
  return *network;
}

}  // namespace damier::model
