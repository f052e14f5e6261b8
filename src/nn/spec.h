// A network as data: an ordered list of layers with their shapes, and the heads that stand on it.
// The same JSON is in recipes, in model files and in documentation (docs/networks.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "damier/base/json/json.h"
#include "damier/base/result.h"

namespace damier::nn {

// What flows between layers: `channels` features, for every square of a board or for none.
struct Shape {
  int channels = 0;
  int rows = 1;
  int cols = 1;
  bool board = false;  // false: a plain list of features

  int squares() const { return rows * cols; }
  int size() const { return channels * squares(); }
  std::string text() const;  // "32x8x8", "128"
  bool operator==(const Shape&) const = default;
};

enum class LayerKind : std::uint8_t {
  dense,
  conv2d,
  batch_norm,
  layer_norm,
  dropout,
  sigmoid,
  tanh,
  relu,
  leaky_relu,
  clipped_relu,
  squared_clipped_relu,
  softmax,
  residual,
  flatten,
  global_average_pool,
  attention,
  slice,
  chain,
  branches,
  sparse,
};

std::string_view name_of(LayerKind kind);

struct LayerSpec {
  LayerKind kind = LayerKind::relu;
  int units = 0;                  // dense, sparse: outputs; conv2d: output channels
  int kernel = 3;                 // conv2d: 1, 3 or 5
  bool same_padding = true;       // conv2d: same or valid
  bool bias = true;               // dense, conv2d, sparse
  double rate = 0.5;              // dropout
  double epsilon = 1e-5;          // batch_norm, layer_norm
  double momentum = 0.1;          // batch_norm: share of the newest batch in the running figures
  int heads = 1;                  // attention
  std::vector<int> groups;        // softmax: sizes of the groups; one of all when empty
  int from = 0;                   // slice: the first feature
  int features = 0;               // sparse: that there are
  int lists = 1;                  // sparse: of features in the input, which share the weights
  std::vector<LayerSpec> layers;  // residual, chain, branches
  Shape in;                       // inferred
  Shape out;

  bool operator==(const LayerSpec&) const = default;
};

struct HeadSpec {
  std::string name;
  std::vector<LayerSpec> layers;
  bool operator==(const HeadSpec&) const = default;
};

struct NetworkSpec {
  Shape input;
  std::vector<LayerSpec> layers;
  // Every network has at least one; without "heads" in the JSON it is called "output" and has no
  // layers of its own.
  std::vector<HeadSpec> heads;

  Shape trunk_shape() const { return layers.empty() ? input : layers.back().out; }
  Shape head_shape(std::size_t head) const {
    return heads[head].layers.empty() ? trunk_shape() : heads[head].layers.back().out;
  }
  bool operator==(const NetworkSpec&) const = default;
};

// Reads, checks and infers every shape. Errors name the field by its path ("layers[2].units").
Result<NetworkSpec> parse_network(const Json& json, std::string_view source);
Result<NetworkSpec> parse_network_text(std::string_view text, std::string_view source);
Json to_json(const NetworkSpec& spec);

// The numbers that stand between the layers for one sample, padding included.
std::int64_t values_of_sample(const NetworkSpec& spec);

}  // namespace damier::nn
