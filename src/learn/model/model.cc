#include "damier/learn/model/model.h"

#include <algorithm>

#include <fmt/format.h>

#include "damier/base/files.h"
#include "damier/base/text.h"

namespace damier::learn {

namespace {

constexpr std::size_t kLargestModel = std::size_t{1} << 30;

template <class T>
Result<std::unique_ptr<nn::Network<T>>> load(const nn::NetworkSpec& spec, int batch,
                                             const nn::TensorFile& file, const std::string& path) {
  auto network = std::make_unique<nn::Network<T>>(spec, batch, nn::Use::inference);
  if (auto status = nn::load_weights(*network, file, path); !status) {
    return std::move(status).error();
  }
  return network;
}

Result<Model> open_text(Model model, const std::string& content, int batch) {
  const auto text = nn::parse_dense_text(content, model.path);
  if (!text) return text.error();
  auto network =
      std::make_unique<nn::Network<double>>(nn::dense_text_spec(*text), batch, nn::Use::inference);
  nn::load_dense_text(*network, *text);
  model.network = std::move(network);
  return model;
}

}  // namespace

Result<Model> open_model(const std::string& path, int batch) {
  const auto content = read_file(path, kLargestModel);
  if (!content) return content.error();
  Model model{path, {}, {}, content->size()};
  if (path.ends_with(".txt")) return open_text(std::move(model), *content, batch);
  const auto file = nn::parse_safetensors(*content, path);
  if (!file) return file.error();
  const auto spec = nn::model_spec(*file, path);
  if (!spec) return spec.error();
  const auto dtype = nn::model_dtype(*file, path);
  if (!dtype) return dtype.error();
  model.provenance = nn::model_provenance(*file);
  if (*dtype == nn::DType::f64) {
    auto network = load<double>(*spec, batch, *file, path);
    if (!network) return std::move(network).error();
    model.network = *std::move(network);
  } else {
    auto network = load<float>(*spec, batch, *file, path);
    if (!network) return std::move(network).error();
    model.network = *std::move(network);
  }
  return model;
}

Status check_model(const Model& model, const Task& task) {
  const std::string_view game = model.origin("game"), name = model.origin("task");
  // Models that name no task are of the one that has the game's name.
  if (game != task.game() || (name.empty() ? game : name) != task.name()) {
    const std::string found = game.empty() ? "no game that it names" : printable(game);
    return Error{fmt::format("is a network for {}; expected one for {}",
                             name.empty() ? found : printable(name), task.name()),
                 {model.path}};
  }
  const std::string encoder(model.origin("encoder"));
  const auto encoders = task.encoders();
  if (std::find(encoders.begin(), encoders.end(), encoder) == encoders.end()) {
    return unknown_name("encoder", encoder, encoders).in(model.path);
  }
  const std::string version = std::to_string(task.encoder_version(encoder));
  if (model.origin("encoder_version") != version) {
    return Error{fmt::format("was made for version {} of the encoder {}; expected {}",
                             printable(model.origin("encoder_version")), encoder, version),
                 {model.path}};
  }
  auto status = task.check_network(model.spec(), encoder);
  if (!status) return std::move(status).error().in(model.path);
  return status;
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

namespace {

template <class T>
std::unique_ptr<nn::Network<T>> frozen_copy(const nn::Network<T>& network, int batch) {
  auto copy = std::make_unique<nn::Network<T>>(network.spec(), batch, nn::Use::inference);
  const auto from = network.parameters();
  const auto to = copy->parameters();
  for (std::size_t i = 0; i < from.size(); ++i) {
    std::copy_n(from[i]->value, from[i]->count(), to[i]->value);
  }
  copy->freeze();
  return copy;
}

}  // namespace

Result<std::shared_ptr<nn::Network<float>>> frozen_floats(const Model& model, int batch) {
  const auto* network = std::get_if<std::unique_ptr<nn::Network<float>>>(&model.network);
  if (network == nullptr) return Error{"holds doubles; expected floats", {model.path}};
  return std::shared_ptr<nn::Network<float>>(frozen_copy(**network, batch));
}

Predictor::Predictor(std::shared_ptr<const Model> model, int batch)
    : model_(std::move(model)), batch_(batch), network_(model_->visit([&](const auto& network) {
        return Model::AnyNetwork(frozen_copy(network, batch));
      })) {}

Predictor::Predictor(const Predictor& other) : Predictor(other.model_, other.batch_) {}

const JudgedModel::Outputs& Predictor::run(std::span<const float> inputs, std::size_t count) {
  std::visit([&](auto& network) { judged_network(*network).run(inputs, count, outputs_); },
             network_);
  return outputs_;
}

}  // namespace damier::learn
