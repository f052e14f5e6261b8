#include "damier/app/model.h"

#include "damier/base/files.h"

namespace damier::app {

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

}  // namespace damier::app
