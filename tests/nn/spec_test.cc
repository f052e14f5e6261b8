#include "damier/nn/spec.h"

#include "tests/nn/layer_cases.h"
#include <gtest/gtest.h>

namespace damier::nn {
namespace {

TEST(Spec, ShapesAreInferred) {
  const auto spec = parse_network_text(R"({"input": [3, 8, 8], "layers": [
      {"type": "conv2d", "channels": 32}, {"type": "conv2d", "channels": 16, "kernel": 5,
      "padding": "valid"}, {"type": "flatten"}], "heads": {"policy": [{"type": "dense", "units": 64}],
      "value": [{"type": "dense", "units": 1}, {"type": "tanh"}]}})",
                                       "x")
                        .value();
  EXPECT_EQ(spec.layers[0].out.text(), "32x8x8");
  EXPECT_EQ(spec.layers[1].out.text(), "16x4x4");
  EXPECT_EQ(spec.layers[2].out.text(), "256");
  EXPECT_EQ(spec.head_shape(0).text(), "64");
  EXPECT_EQ(spec.head_shape(1).text(), "1");
  EXPECT_EQ(parse_network(to_json(spec), "again").value(), spec);
}

TEST(Spec, EveryLayerIsWrittenAsItIsRead) {
  for (const LayerCase& each : layer_cases()) {
    const auto spec = parse_network_text(
        R"({"input": [)" + each.input + R"(], "layers": [)" + each.json() + "]}", "x");
    ASSERT_TRUE(spec) << spec.error().text();
    EXPECT_EQ(parse_network(to_json(*spec), "again").value(), *spec);
    const Json given = parse_json(each.json(), "x").value(), written = to_json(spec->layers[0]);
    for (const auto& [key, value] : given.items()) {
      // The layers inside may say more than was given.
      if (key == "layers") continue;
      EXPECT_EQ(written[key], value) << each.layer;
    }
  }
}

TEST(Spec, WithoutHeadsThereIsOneOutput) {
  const auto spec = parse_network_text(R"({"input": [4], "layers": []})", "x").value();
  ASSERT_EQ(spec.heads.size(), 1u);
  EXPECT_EQ(spec.heads[0].name, "output");
  EXPECT_EQ(spec.head_shape(0).text(), "4");
}

TEST(Spec, ErrorsAreNamedByTheirPath) {
  const auto error = [](const std::string& layers, const std::string& input = "[3, 8, 8]") {
    const auto spec =
        parse_network_text(R"({"input": )" + input + R"(, "layers": )" + layers + "}", "x");
    return spec ? std::string("accepted") : spec.error().text();
  };
  EXPECT_EQ(error(R"([{"type": "dense", "units": 4}])"),
            "x: layers[0].type: the input is 3x8x8; expected a flat input; put flatten before it");
  EXPECT_EQ(error(R"([{"type": "conv2d", "channels": 0}])"),
            "x: layers[0].channels: is 0; expected a whole number from 1 to 4096");
  EXPECT_EQ(error(R"([{"type": "conv2d", "channels": 8, "kernel": 2}])"),
            "x: layers[0].kernel: is 2; expected 1, 3 or 5");
  EXPECT_EQ(error(R"([{"type": "conv2d", "channels": 8, "kernle": 3}])").substr(0, 55),
            "x: layers[0]: unknown key 'kernle'; did you mean 'kerne");
  EXPECT_EQ(error(R"([{"type": "dens"}])").substr(0, 62),
            "x: layers[0].type: unknown layer 'dens'; did you mean 'dense'?");
  EXPECT_EQ(error(R"([{"type": "residual", "layers": [{"type": "conv2d", "channels": 4}]}])"),
            "x: layers[0].layers: lead from 3x8x8 to 4x8x8; a residual block needs equal shapes");
  EXPECT_EQ(error(R"([{"type": "residual", "layers": [{"type": "attention", "heads": 2}]}])"),
            "x: layers[0].layers[0].heads: is 2; expected a divisor of the 3 channels");
  EXPECT_EQ(error(R"([{"type": "softmax", "groups": [2, 3]}])", "[4]"),
            "x: layers[0].groups: is [2,3]; expected sizes that add up to 4");
  EXPECT_EQ(error(R"([{"type": "dropout", "rate": 1}])"),
            "x: layers[0].rate: is 1; expected a number from 0 to 0.99");
  EXPECT_EQ(
      error(R"([{"type": "conv2d", "channels": 8, "kernel": 5, "padding": "valid"}])", "[1, 4, 4]"),
      "x: layers[0].kernel: leaves nothing of a 1x4x4 board without padding");
  EXPECT_EQ(error("[]", "[0]"),
            "x: input: expected [features] or [channels, rows, cols], boards up to 64x64");
  EXPECT_EQ(error(R"([{"type": "flatten"}])", "[1048576, 64, 64]"),
            "x: input: has 4294967296 values; expected 4194304 at most");
  EXPECT_EQ(error(R"([{"type": "dense", "units": 1000000}])", "[1000000]"),
            "x: layers[0]: has 1000001000000 weights; expected 67108864 at most");
  EXPECT_EQ(
      error(R"([{"type": "attention", "heads": 2}])", "[8, 64, 64]"),
      "x: layers[0].heads: 2 times 4096 squares squared is more than the 4194304 expected at most");
  EXPECT_EQ(error(R"([{"type": "slice", "from": 3, "shape": [2, 2, 2]}])", "[10]"),
            "x: layers[0].shape: 2x2x2 from feature 3 on; expected a part of the 10 features");
  EXPECT_EQ(error(R"([{"type": "branches", "layers": [{"type": "relu"}]}])"),
            "x: layers[0].layers: a branch gives 3x8x8; expected a flat output of each, to be put "
            "side by side");
  EXPECT_EQ(error(R"([{"type": "sparse", "features": 9, "units": 2, "lists": 3}])", "[10]"),
            "x: layers[0].lists: is 3; expected a divisor of the 10 inputs");
  EXPECT_EQ(error(R"([{"type": "sparse", "features": 9, "units": 2}])"),
            "x: layers[0].type: the input is 3x8x8; expected a flat input");
  EXPECT_EQ(error(R"([{"type": "chain", "layers": []}])"),
            "x: layers[0].layers: is empty; expected at least one layer");
  EXPECT_EQ(error("5"), "x: layers: expected a list of layers");
}

// Each layer is small enough by itself.
TEST(Spec, TheWholeNetworkIsLimited) {
  const auto error = [](int count, const std::string& layer, const std::string& input) {
    std::string layers = layer;
    for (int i = 1; i < count; ++i) layers += "," + layer;
    const auto spec =
        parse_network_text(R"({"input": )" + input + R"(, "layers": [)" + layers + "]}", "x");
    return spec ? std::string("accepted") : spec.error().text();
  };
  const std::string dense = R"({"type": "dense", "units": 8000})";
  EXPECT_EQ(error(1, dense, "[8000]"), "accepted");
  EXPECT_EQ(error(2, dense, "[8000]"),
            "x: the network has 128016000 weights; expected 67108864 at most");
  EXPECT_EQ(error(900, R"({"type": "relu"})", "[1048576]"),
            "x: the network has 944766976 values a sample between its layers; expected 67108864 at "
            "most");
}

}  // namespace
}  // namespace damier::nn
