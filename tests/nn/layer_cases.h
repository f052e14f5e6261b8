// Small cases of every layer: for the tests of gradients, of ONNX files and of specifications. A
// layer without a case fails them.
#pragma once

#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "damier/nn/layer_type.h"

namespace damier::nn {

struct LayerCase {
  std::string input;  // "4" or "4, 3, 3"
  std::string layer;  // what follows {"type":
  std::vector<std::string> onnx_nodes;
  bool reads_numbers = false;  // of features, which are no smooth values

  std::string json() const { return R"({"type": )" + layer + "}"; }
};

inline const std::vector<LayerCase>& layer_cases() {
  static const std::vector<std::string> kNorm = {"ReduceMean", "Sub", "Mul", "ReduceMean", "Add",
                                                 "Sqrt",       "Div", "Mul", "Add"};
  static const std::vector<LayerCase> kCases = [] {
    std::vector<std::string> norm_of_board = {"Transpose"};
    norm_of_board.insert(norm_of_board.end(), kNorm.begin(), kNorm.end());
    norm_of_board.push_back("Transpose");
    return std::vector<LayerCase>{
        {"4", R"("dense", "units": 18)", {"Gemm"}},
        {"4", R"("dense", "units": 2, "bias": false)", {"Transpose", "MatMul"}},
        {"4, 3, 3", R"("conv2d", "channels": 2)", {"Conv"}},
        {"4, 3, 3", R"("batch_norm")", {"BatchNormalization"}},
        {"4", R"("batch_norm")", {"BatchNormalization"}},
        {"4, 3, 3", R"("layer_norm")", norm_of_board},
        {"6", R"("layer_norm")", kNorm},
        {"20", R"("dropout", "rate": 0.4)", {}},
        {"9", R"("sigmoid")", {"Sigmoid"}},
        {"9", R"("tanh")", {"Tanh"}},
        {"9", R"("relu")", {"Relu"}},
        {"9", R"("leaky_relu")", {"LeakyRelu"}},
        {"9", R"("clipped_relu")", {"Clip"}},
        {"9", R"("squared_clipped_relu")", {"Clip", "Mul"}},
        {"9", R"("softmax")", {"Softmax"}},
        {"4", R"("softmax", "groups": [4])", {"Softmax"}},
        {"9",
         R"("softmax", "groups": [2, 4, 3])",
         {"Split", "Softmax", "Softmax", "Softmax", "Concat"}},
        {"4", R"("residual", "layers": [])", {"Add"}},
        {"4", R"("residual", "layers": [{"type": "tanh"}])", {"Tanh", "Add"}},
        {"4, 3, 3", R"("flatten")", {"Flatten"}},
        {"4, 3, 3", R"("global_average_pool")", {"GlobalAveragePool", "Flatten"}},
        {"6, 2, 3",
         R"("attention", "heads": 3)",
         {"Conv", "Split", "Reshape", "Reshape", "Reshape", "Transpose", "MatMul", "Mul", "Softmax",
          "MatMul", "Reshape", "Conv"}},
        {"9", R"("slice", "shape": [4])", {"Slice"}},
        {"9", R"("slice", "from": 1, "shape": [2, 2, 2])", {"Slice", "Reshape"}},
        {"4", R"("chain", "layers": [{"type": "tanh"}, {"type": "relu"}])", {"Tanh", "Relu"}},
        {"4",
         R"("branches", "layers": [{"type": "tanh"}, {"type": "dense", "units": 2}])",
         {"Tanh", "Gemm", "Concat"}},
        {"6",
         R"("sparse", "features": 9, "units": 2, "lists": 2)",
         {"Transpose", "Concat", "Cast", "Reshape", "Gather", "ReduceSum", "Add", "Flatten"},
         true},
        {"6",
         R"("sparse", "features": 9, "units": 2, "bias": false)",
         {"Transpose", "Concat", "Cast", "Reshape", "Gather", "ReduceSum", "Flatten"},
         true},
    };
  }();
  return kCases;
}

inline void collect_names(const std::vector<LayerSpec>& layers, std::set<std::string>& names) {
  for (const LayerSpec& layer : layers) {
    names.emplace(layer.name());
    collect_names(layer.layers, names);
  }
}

// The layers that a test has been through are all that there are.
inline void expect_every_layer(const std::set<std::string>& names) {
  for (const LayerType* type : layer_types()) {
    EXPECT_TRUE(names.contains(std::string(type->name))) << "no case of " << type->name;
  }
}

}  // namespace damier::nn
