// Networks that together use every layer, as ONNX files, each with an input and what our engine
// makes of it: case_N.onnx and case_N.json in the folder that is given. Other programs must make
// the same of it (check.sh).

#include <algorithm>
#include <filesystem>
#include <string>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

#include "damier/base/files/files.h"
#include "damier/base/json/json.h"
#include "damier/nn/network.h"
#include "damier/nn/onnx.h"
#include "damier/nn/training.h"

namespace damier::nn {
namespace {

struct Case {
  std::string name;
  bool doubles;
  int samples;
  std::string spec;
};

const std::vector<Case> kCases = {
    {"every activation on features", false, 5, R"({"input": [11], "layers": [
        {"type": "dense", "units": 24}, {"type": "sigmoid"},
        {"type": "dense", "units": 17, "bias": false}, {"type": "tanh"},
        {"type": "dense", "units": 24}, {"type": "relu"},
        {"type": "dense", "units": 16}, {"type": "leaky_relu"},
        {"type": "dense", "units": 24}, {"type": "clipped_relu"}, {"type": "dropout"},
        {"type": "dense", "units": 24}, {"type": "squared_clipped_relu"},
        {"type": "dense", "units": 7}]})"},
    {"norms and groups on features", false, 4, R"({"input": [9], "layers": [
        {"type": "batch_norm", "epsilon": 0.01}, {"type": "dense", "units": 20},
        {"type": "layer_norm", "epsilon": 0.02},
        {"type": "residual", "layers": [
            {"type": "dense", "units": 33}, {"type": "tanh"}, {"type": "dense", "units": 20}]},
        {"type": "residual", "layers": []}],
      "heads": {
        "groups": [{"type": "dense", "units": 12}, {"type": "softmax", "groups": [1, 3, 8]}],
        "whole": [{"type": "dense", "units": 6}, {"type": "softmax"}],
        "trunk": [{"type": "dropout"}]}})"},
    {"convolutions", false, 3, R"({"input": [3, 6, 7], "layers": [
        {"type": "conv2d", "channels": 5, "kernel": 5}, {"type": "leaky_relu"},
        {"type": "conv2d", "channels": 17, "kernel": 3, "padding": "valid", "bias": false},
        {"type": "tanh"}, {"type": "conv2d", "channels": 6, "kernel": 1},
        {"type": "flatten"}, {"type": "dense", "units": 4}]})"},
    {"residual tower with two heads", false, 3, R"({"input": [4, 5, 4], "layers": [
        {"type": "conv2d", "channels": 8, "bias": false}, {"type": "batch_norm"},
        {"type": "relu"},
        {"type": "residual", "layers": [
            {"type": "conv2d", "channels": 8, "bias": false}, {"type": "batch_norm"},
            {"type": "relu"}, {"type": "conv2d", "channels": 8, "bias": false},
            {"type": "batch_norm"},
            {"type": "residual", "layers": [
                {"type": "conv2d", "channels": 8, "kernel": 1}, {"type": "sigmoid"}]}]}],
      "heads": {
        "policy": [{"type": "conv2d", "channels": 3, "kernel": 1}, {"type": "flatten"},
                   {"type": "softmax", "groups": [20, 40]}],
        "value": [{"type": "global_average_pool"}, {"type": "dense", "units": 3},
                  {"type": "tanh"}]}})"},
    {"attention and layer norm on a board", false, 2, R"({"input": [5, 3, 4], "layers": [
        {"type": "conv2d", "channels": 12}, {"type": "layer_norm"},
        {"type": "residual", "layers": [{"type": "attention", "heads": 3}]},
        {"type": "residual", "layers": [
            {"type": "layer_norm"}, {"type": "conv2d", "channels": 12, "kernel": 1}]},
        {"type": "attention"}],
      "heads": {
        "flat": [{"type": "flatten"}],
        "mean": [{"type": "global_average_pool"}]}})"},
    {"networks side by side", false, 3, R"({"input": [26], "layers": [
        {"type": "branches", "layers": [
            {"type": "chain", "layers": [
                {"type": "slice", "shape": [2, 3, 3]}, {"type": "conv2d", "channels": 5},
                {"type": "relu"}, {"type": "flatten"}, {"type": "dense", "units": 7}]},
            {"type": "chain", "layers": [
                {"type": "slice", "from": 18, "shape": [8]}, {"type": "dense", "units": 3},
                {"type": "tanh"}]},
            {"type": "sigmoid"}]}]})"},
    {"doubles on features", true, 4, R"({"input": [9], "layers": [
        {"type": "dense", "units": 20}, {"type": "batch_norm"}, {"type": "layer_norm"},
        {"type": "residual", "layers": [{"type": "dense", "units": 20}, {"type": "relu"}]},
        {"type": "dense", "units": 13, "bias": false}, {"type": "clipped_relu"},
        {"type": "dense", "units": 12}, {"type": "squared_clipped_relu"},
        {"type": "dense", "units": 12}, {"type": "softmax", "groups": [5, 7]}]})"},
    {"doubles on a board", true, 2, R"({"input": [3, 4, 3], "layers": [
        {"type": "conv2d", "channels": 6}, {"type": "batch_norm"}, {"type": "leaky_relu"},
        {"type": "attention", "heads": 2}, {"type": "layer_norm"}],
      "heads": {
        "policy": [{"type": "flatten"}],
        "value": [{"type": "global_average_pool"}, {"type": "sigmoid"}]}})"},
};

// Nothing stays 0 or 1, or a mistake with it would not show.
template <class T>
void stir(const Network<T>& network, RandomStream& random) {
  for (Parameter<T>* parameter : network.parameters()) {
    if (parameter->role == Role::weight) continue;
    const bool variance = parameter->role == Role::running_variance;
    for (int i = 0; i < parameter->out; ++i) {
      const double unit = random.uniform();
      parameter->value[i] = static_cast<T>(
          variance ? 0.3 + 2 * unit : static_cast<double>(parameter->value[i]) + unit - 0.5);
    }
  }
}

Json sizes_of(int samples, const Shape& shape) {
  Json sizes = {samples, shape.channels};
  if (shape.board) {
    sizes.push_back(shape.rows);
    sizes.push_back(shape.cols);
  }
  return sizes;
}

template <class T>
Status write_case(const Case& what, const std::filesystem::path& path) {
  auto spec = parse_network_text(what.spec, what.name);
  if (!spec) return std::move(spec).error();
  Network<T> network(*spec, what.samples, Use::inference);
  initialise(network, Initialisation::xavier_normal, Seed{1});
  RandomStream random(Seed{1}, what.name);
  stir(network, random);
  std::vector<T> inputs(static_cast<std::size_t>(what.samples * spec->input.size()));
  std::generate(inputs.begin(), inputs.end(),
                [&] { return static_cast<T>(4 * random.uniform() - 2); });
  network.set_inputs(inputs, what.samples);
  network.forward();

  Json json = {{"name", what.name},
               {"type", std::is_same_v<T, float> ? "float32" : "float64"},
               {"sizes", sizes_of(what.samples, spec->input)},
               {"input", inputs}};
  for (std::size_t head = 0; head < network.output_count(); ++head) {
    const OutputView<T> output = network.output(head);
    std::vector<T> values;
    for (int row = 0; row < what.samples; ++row) {
      const T* from = output.value + static_cast<std::ptrdiff_t>(row) * output.ld;
      values.insert(values.end(), from, from + output.cols);
    }
    json["outputs"][spec->heads[head].name] = {
        {"sizes", sizes_of(what.samples, spec->head_shape(head))}, {"values", values}};
  }
  if (auto status = write_file_atomically(path.string() + ".onnx", onnx_bytes(network, "test"));
      !status) {
    return status;
  }
  return write_file_atomically(path.string() + ".json", dump_line(json));
}

int run(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  for (std::size_t i = 0; i < kCases.size(); ++i) {
    const auto path = folder / fmt::format("case_{}", i);
    const Status status = kCases[i].doubles ? write_case<double>(kCases[i], path)
                                            : write_case<float>(kCases[i], path);
    if (!status) {
      fmt::print(stderr, "{}\n", status.error().text());
      return 1;
    }
  }
  return 0;
}

}  // namespace
}  // namespace damier::nn

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: {} FOLDER\n", argv[0]);
    return 2;
  }
  return damier::nn::run(argv[1]);
}
