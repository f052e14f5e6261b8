// A model file, open: its specification, where it comes from, and its weights as floats or doubles.
#pragma once

#include <memory>
#include <string>
#include <variant>

#include "damier/base/result.h"
#include "damier/nn/model_file.h"

namespace damier::app {

struct Model {
  std::string path;
  std::variant<std::unique_ptr<nn::Network<float>>, std::unique_ptr<nn::Network<double>>> network;
  nn::Provenance provenance;
  std::size_t file_bytes = 0;

  // Calls work(network) on whichever it is.
  template <class Work>
  auto visit(Work work) const {
    return std::visit([&](const auto& pointer) { return work(*pointer); }, network);
  }
};

// A safetensors model, or a text weight file (.txt), for passes of `batch` samples.
Result<Model> open_model(const std::string& path, int batch);

}  // namespace damier::app
