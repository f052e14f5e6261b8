// A model file, open: its specification, where it comes from, and its weights as floats or doubles.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "damier/base/result.h"
#include "damier/learn/model/judged_network.h"
#include "damier/nn/model_file.h"

namespace damier::learn {

struct Model {
  using AnyNetwork =
      std::variant<std::unique_ptr<nn::Network<float>>, std::unique_ptr<nn::Network<double>>>;

  std::string path;
  AnyNetwork network;
  nn::Provenance provenance;
  std::size_t file_bytes = 0;

  // Calls work(network) on whichever it is.
  template <class Work>
  auto visit(Work work) const {
    return std::visit([&](const auto& pointer) { return work(*pointer); }, network);
  }

  const nn::NetworkSpec& spec() const;
  // What the provenance says under a key, or nothing.
  std::string_view origin(std::string_view key) const;
};

// A safetensors model, or a text weight file (.txt), for passes of `batch` samples.
Result<Model> open_model(const std::string& path, int batch);

// A fault when the model is not one of the task's, or reads the board in a way that the task does
// not know (any more).
Status check_model(const Model& model, const Task& task);

// The network of a model of floats, in its fastest form.
Result<std::shared_ptr<nn::Network<float>>> frozen_floats(const Model& model, int batch);

// A model to be asked: its weights in their fastest form and buffers of its own, so that every
// thread can have a copy.
class Predictor {
 public:
  Predictor(std::shared_ptr<const Model> model, int batch);
  Predictor(const Predictor& other);
  Predictor& operator=(const Predictor&) = delete;
  Predictor(Predictor&&) noexcept = default;

  const Model& model() const { return *model_; }
  const nn::NetworkSpec& spec() const { return model_->spec(); }
  // Outputs by head, each (count, width), of inputs (count, input size); valid until the next call.
  const JudgedModel::Outputs& run(std::span<const float> inputs, std::size_t count);

 private:
  std::shared_ptr<const Model> model_;
  int batch_;
  Model::AnyNetwork network_;
  JudgedModel::Outputs outputs_;
};

}  // namespace damier::learn
