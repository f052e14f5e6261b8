// `damier export`: models for other tools.

#include <memory>

#include <fmt/format.h>

#include "damier/app/commands/commands.h"
#include "damier/base/files/atomic_file.h"
#include "damier/base/files/files.h"
#include "damier/base/text/standard_streams.h"
#include "damier/base/text/text.h"
#include "damier/base/text/version.h"
#include "damier/model/library.h"
#include "damier/nn/onnx.h"

namespace damier::app {

namespace {

struct ExportArguments {
  std::string model;
  std::string format;
  std::string output;
  bool blank_lines = false;
};

const std::vector<std::string> kFormats = {"onnx", "safetensors", "text"};

// The text form is of doubles; floats fit into them exactly.
Result<nn::DenseText> text_of(const nn::Network<double>& network) {
  return nn::to_dense_text(network);
}
Result<nn::DenseText> text_of(const nn::Network<float>& network) {
  nn::Network<double> copy(network.spec(), 1, nn::Use::inference);
  TRY(nn::load_weights(copy, nn::model_tensors(network, {}), "model"));
  return nn::to_dense_text(copy);
}

template <class T>
Result<std::string> exported(const model::Model& model, const nn::Network<T>& network,
                             const ExportArguments& arguments) {
  if (arguments.format == "onnx") return nn::onnx_bytes(network, version());
  if (arguments.format == "safetensors") {
    return nn::serialize_safetensors(nn::model_tensors(network, model.provenance));
  }
  const auto text = TRY(text_of(network));
  return nn::dense_text(
      text, arguments.blank_lines ? nn::DenseTextForm::blank_lines : nn::DenseTextForm::compact);
}

Result<int> run_export(const ExportArguments& arguments) {
  if (std::find(kFormats.begin(), kFormats.end(), arguments.format) == kFormats.end()) {
    return unknown_name("format", arguments.format, kFormats);
  }
  if (arguments.blank_lines && arguments.format != "text") {
    return Error{"--blank-lines goes with --format text"};
  }
  TRY(check_output(arguments.output));
  const auto model = TRY(model::open_named_model(arguments.model));
  auto bytes =
      model.visit([&](const auto& network) { return exported(model, network, arguments); });
  if (!bytes) return std::move(bytes).error().in(arguments.model);
  TRY(write_file_atomically(arguments.output, *bytes));
  print_about_file(arguments.output, fmt::format("{} bytes", bytes->size()));
  return kDone;
}

}  // namespace

Action setup_export(CommandLine line, Context&) {
  auto arguments = std::make_shared<ExportArguments>();
  line.add_option("MODEL", arguments->model,
                  "a model: its file, its folder or the name of one that ships")
      .required();
  line.add_option("--format", arguments->format, "onnx, safetensors or text")
      .type_name("FORMAT")
      .required();
  line.add_option("-o,--output", arguments->output, "the file to write")
      .type_name("FILE")
      .required();
  line.add_flag("--blank-lines", arguments->blank_lines, "text: a blank line after each matrix");
  return [arguments] { return run_export(*arguments); };
}

}  // namespace damier::app
