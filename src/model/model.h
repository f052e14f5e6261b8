// A model file, open: its specification, where it comes from, and its weights as floats or doubles.
#pragma once

#include <variant>

#include "damier/model/encoder.h"
#include "damier/nn/model_file.h"

namespace damier::model {

struct Model {
  // Only its weights matter: it is made for passes of one sample.
  using AnyNetwork = std::variant<std::shared_ptr<const nn::Network<float>>,
                                  std::shared_ptr<const nn::Network<double>>>;

  std::string path;
  AnyNetwork network;
  nn::Provenance provenance;
  std::size_t file_bytes = 0;

  // Calls work(network) on whichever it is.
  template <class Work>
  auto visit(Work work) const {
    return std::visit([&](const auto& pointer) { return work(*pointer); }, network);
  }

  const nn::NetworkSpec& spec() const {
    return std::visit([](const auto& pointer) -> const nn::NetworkSpec& { return pointer->spec(); },
                      network);
  }
  // What the provenance says under a key, or nothing.
  std::string_view origin(std::string_view key) const {
    for (const auto& [name, value] : provenance) {
      if (name == key) return value;
    }
    return {};
  }
};

// A safetensors model, or a text weight file (.txt).
Result<Model> open_model(const std::string& path);

// Whether the tensors of a file are those that the network in its metadata needs.
Status check_model_header(const nn::TensorHeader& header, const std::string& path);

// A network that was never in a file, or whose file was read already; `path` names it in errors.
Result<Model> model_of(const nn::TensorFile& file, const std::string& path);

// How the model reads the board: a error when it is none of these encoders' task, or reads the
// board in a way that is not known (any more).
Result<std::shared_ptr<const AnyEncoder>> encoder_of(const Model& model, const Encoders& encoders);

// The road from a model to answers: passes of `batch` samples, in its fastest form.
std::unique_ptr<Predictor> predict_with(const Model& model, int batch);

// What a layer of a model gives for one input: for looking into a network.
struct LayerValues {
  std::string name;  // how the names of its weights begin: "layers.2.layers.0"
  nn::Shape shape;
  std::vector<float> values;  // (channels, rows, cols)
};

// All layers, each before those that it is made of. `input` has model.spec().input.size() numbers.
std::vector<LayerValues> layer_values(const Model& model, std::span<const float> input);

// The weights of a model of floats, for those who run the network themselves.
Result<std::shared_ptr<const nn::Network<float>>> float_weights(const Model& model);

}  // namespace damier::model
