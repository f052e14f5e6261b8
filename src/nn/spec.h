// A network as data: an ordered list of layers with their shapes, and the heads that stand on it.
// The same JSON is in recipes, in model files and in documentation (docs/networks.md). What a layer
// is, its own file in nn/layers says.
#pragma once

#include <cstdint>
#include <memory>
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

// What a parameter is to its layer: how it begins, and whether it is learned.
enum class Role : std::uint8_t { weight, bias, scale, running_mean, running_variance };

constexpr bool is_learned(Role role) {
  return role != Role::running_mean && role != Role::running_variance;
}
// Weights are drawn.
constexpr double first_value(Role role) {
  return role == Role::scale || role == Role::running_variance ? 1 : 0;
}

struct ParameterSpec {
  std::string name;                  // "weight"; in a network "layers.0.weight"
  std::vector<std::uint64_t> shape;  // as other tools write it: (out, in), (out, in, rows, cols)
  Role role = Role::weight;

  std::uint64_t count() const;
  bool operator==(const ParameterSpec&) const = default;
};

struct LayerFields;  // layer_type.h
struct LayerType;

struct LayerSpec {
  const LayerType* type = nullptr;
  std::shared_ptr<const LayerFields> fields;
  std::vector<LayerSpec> layers;          // that it is made of
  std::vector<ParameterSpec> parameters;  // of its own
  Shape in;                               // inferred
  Shape out;

  std::string_view name() const;  // "conv2d"
  bool is(std::string_view kind) const { return name() == kind; }
  bool operator==(const LayerSpec&) const;
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
  // The layer that gives a head's output, of the trunk where the head has none; null: the input.
  const LayerSpec* last_layer(std::size_t head) const;
  bool operator==(const NetworkSpec&) const = default;
};

// Reads, checks and infers every shape. Errors name the field by its path ("layers[2].units").
Result<NetworkSpec> parse_network(const Json& json, std::string_view source);
Result<NetworkSpec> parse_network_text(std::string_view text, std::string_view source);
Json to_json(const NetworkSpec& spec);
Json to_json(const LayerSpec& layer);

}  // namespace damier::nn
