// The files as any reader of protobuf sees them. tests/nn/onnx compares their results with ours in
// other programs.

#include "damier/nn/onnx.h"

#include <cstring>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "tests/nn/layer_cases.h"
#include <gtest/gtest.h>

#include "damier/nn/training.h"

namespace damier::nn {
namespace {

// A message as it stands on the wire, by field number. Errors throw and so fail the test.
class Message {
 public:
  explicit Message(std::string_view bytes) {
    while (!bytes.empty()) {
      const std::uint64_t key = varint(bytes);
      Field field;
      switch (key & 7) {
        case 0:
          field.integer = static_cast<std::int64_t>(varint(bytes));
          break;
        case 2:
          field.bytes = head(bytes, varint(bytes));
          break;
        case 5:
          field.bytes = head(bytes, 4);
          break;
        default:
          throw std::runtime_error("a wire type that ONNX does not use");
      }
      fields_[static_cast<int>(key >> 3)].push_back(field);
    }
  }

  std::vector<std::int64_t> integers(int number) const {
    std::vector<std::int64_t> list;
    for (const Field& field : all(number)) list.push_back(field.integer);
    return list;
  }
  std::vector<std::string> texts(int number) const {
    std::vector<std::string> list;
    for (const Field& field : all(number)) list.emplace_back(field.bytes);
    return list;
  }
  std::vector<Message> messages(int number) const {
    std::vector<Message> list;
    for (const Field& field : all(number)) list.emplace_back(field.bytes);
    return list;
  }
  std::int64_t integer(int number) const { return integers(number).at(0); }
  std::string text(int number) const { return texts(number).at(0); }
  Message message(int number) const { return messages(number).at(0); }
  float number(int number) const {
    float value = 0;
    std::memcpy(&value, text(number).data(), sizeof value);
    return value;
  }

 private:
  struct Field {
    std::int64_t integer = 0;
    std::string_view bytes;
  };

  static std::string_view head(std::string_view& bytes, std::uint64_t count) {
    if (count > bytes.size()) throw std::runtime_error("a field that goes beyond the end");
    const auto part = bytes.substr(0, count);
    bytes.remove_prefix(count);
    return part;
  }
  static std::uint64_t varint(std::string_view& bytes) {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const auto byte = static_cast<unsigned char>(head(bytes, 1)[0]);
      value |= std::uint64_t{byte & 127u} << shift;
      if (byte < 128) return value;
    }
    throw std::runtime_error("an integer of more than 64 bits");
  }
  const std::vector<Field>& all(int number) const {
    static const std::vector<Field> kNone;
    const auto at = fields_.find(number);
    return at == fields_.end() ? kNone : at->second;
  }

  std::map<int, std::vector<Field>> fields_;
};

struct Node {
  std::string type;
  std::vector<std::string> inputs, outputs;
  std::map<std::string, Message> attributes;
};

struct Value {
  std::int64_t element_type = 0;
  std::vector<std::string> sizes;
  bool operator==(const Value&) const = default;
};

struct StoredTensor {
  std::int64_t element_type = 0;
  std::vector<std::int64_t> sizes;
  std::string data;
};

// `bytes` must outlive it.
struct Graph {
  explicit Graph(std::string_view bytes) : model(bytes) {
    const Message graph = model.message(7);
    for (const Message& from : graph.messages(1)) {
      Node node{from.text(4), from.texts(1), from.texts(2), {}};
      for (const Message& each : from.messages(5)) node.attributes.emplace(each.text(1), each);
      nodes.push_back(node);
    }
    for (const Message& from : graph.messages(5)) {
      tensors.push_back({from.text(8), {from.integer(2), from.integers(1), from.text(9)}});
    }
    inputs = values(graph, 11);
    outputs = values(graph, 12);
  }

  static std::vector<std::pair<std::string, Value>> values(const Message& graph, int number) {
    std::vector<std::pair<std::string, Value>> list;
    for (const Message& from : graph.messages(number)) {
      const Message type = from.message(2).message(1);
      Value value{type.integer(1), {}};
      for (const Message& size : type.message(2).messages(1)) {
        const auto names = size.texts(2);
        value.sizes.push_back(names.empty() ? std::to_string(size.integer(1)) : names[0]);
      }
      list.emplace_back(from.text(1), value);
    }
    return list;
  }

  const StoredTensor* find(const std::string& name) const {
    for (const auto& [each, tensor] : tensors) {
      if (each == name) return &tensor;
    }
    return nullptr;
  }
  std::vector<std::string> types() const {
    std::vector<std::string> list;
    for (const Node& node : nodes) list.push_back(node.type);
    return list;
  }
  const Node& node(const std::string& type) const {
    for (const Node& each : nodes) {
      if (each.type == type) return each;
    }
    throw std::runtime_error("no node " + type);
  }

  Message model;
  std::vector<Node> nodes;
  std::vector<std::pair<std::string, StoredTensor>> tensors;
  std::vector<std::pair<std::string, Value>> inputs, outputs;
};

template <class T = float>
Network<T> network_of(const std::string& text) {
  auto spec = parse_network_text(text, "test");
  EXPECT_TRUE(spec) << spec.error().text();
  Network<T> network(*spec, 1, Use::inference);
  initialise(network, Initialisation::he_normal, Seed{1});
  return network;
}

// All names differ, and every node reads only what is there before it.
void expect_well_formed(const Graph& graph) {
  std::set<std::string> known;
  const auto add = [&](const std::string& name) {
    EXPECT_NE(name, "");
    EXPECT_TRUE(known.insert(name).second) << name << " stands twice";
  };
  for (const auto& [name, value] : graph.inputs) add(name);
  for (const auto& [name, tensor] : graph.tensors) {
    add(name);
    std::size_t bytes = tensor.element_type == 1 ? 4 : 8;
    for (const std::int64_t size : tensor.sizes) bytes *= static_cast<std::size_t>(size);
    EXPECT_EQ(tensor.data.size(), bytes) << name;
  }
  for (const Node& node : graph.nodes) {
    for (const std::string& input : node.inputs) {
      EXPECT_TRUE(known.contains(input))
          << node.type << " reads " << input << " before it is there";
    }
    EXPECT_FALSE(node.outputs.empty()) << node.type;
    for (const std::string& output : node.outputs) add(output);
  }
  for (const auto& [name, value] : graph.outputs) {
    EXPECT_TRUE(known.contains(name)) << "nothing gives the output " << name;
  }
}

// Every parameter is there under its name, each number at its place.
template <class T>
void expect_parameters(const Network<T>& network, const Graph& graph) {
  for (const Parameter<T>* parameter : network.parameters()) {
    const StoredTensor* tensor = graph.find(parameter->name);
    ASSERT_NE(tensor, nullptr) << parameter->name;
    EXPECT_EQ(tensor->element_type, sizeof(T) == 4 ? 1 : 11);
    EXPECT_EQ(tensor->sizes,
              std::vector<std::int64_t>(parameter->shape.begin(), parameter->shape.end()));
    ASSERT_EQ(tensor->data.size(), static_cast<std::size_t>(parameter->taps * parameter->in) *
                                       static_cast<std::size_t>(parameter->out) * sizeof(T));
    for (int tap = 0; tap < parameter->taps; ++tap) {
      for (int in = 0; in < parameter->in; ++in) {
        for (int out = 0; out < parameter->out; ++out) {
          const int at = (out * parameter->in + in) * parameter->taps + tap;
          T value;
          std::memcpy(&value, tensor->data.data() + static_cast<std::size_t>(at) * sizeof(T),
                      sizeof(T));
          ASSERT_EQ(value, parameter->value[(tap * parameter->in + in) * parameter->ld + out])
              << parameter->name << " " << tap << " " << in << " " << out;
        }
      }
    }
  }
}

const std::string kEveryLayer = R"({"input": [3, 4, 5], "layers": [
  {"type": "conv2d", "channels": 6, "kernel": 5},
  {"type": "batch_norm"}, {"type": "leaky_relu"}, {"type": "dropout", "rate": 0.2},
  {"type": "residual", "layers": [
    {"type": "conv2d", "channels": 7, "kernel": 3, "bias": false}, {"type": "batch_norm"},
    {"type": "relu"}, {"type": "conv2d", "channels": 6, "kernel": 1}]},
  {"type": "attention", "heads": 2}, {"type": "layer_norm"},
  {"type": "conv2d", "channels": 4, "kernel": 3, "padding": "valid"}], "heads": {
  "policy": [{"type": "flatten"}, {"type": "dense", "units": 9, "bias": false}, {"type": "tanh"},
             {"type": "layer_norm"}, {"type": "softmax", "groups": [4, 5]}],
  "value": [{"type": "global_average_pool"}, {"type": "clipped_relu"},
            {"type": "dense", "units": 3}, {"type": "squared_clipped_relu"},
            {"type": "batch_norm"}, {"type": "sigmoid"}, {"type": "softmax"}]}})";

TEST(Onnx, TheModelNamesItsVersions) {
  const auto network = network_of(R"({"input": [2]})");
  const std::string bytes = onnx_bytes(network, "1.2.3");
  const Message model(bytes);
  EXPECT_EQ(model.integer(1), 8);
  EXPECT_EQ(model.text(2), "damier");
  EXPECT_EQ(model.text(3), "1.2.3");
  ASSERT_EQ(model.messages(8).size(), 1u);
  EXPECT_EQ(model.message(8).text(1), "");
  EXPECT_EQ(model.message(8).integer(2), 13);
  EXPECT_NE(model.message(7).text(2), "");
  EXPECT_EQ(onnx_bytes(network, "1.2.3"), bytes);
}

TEST(Onnx, InputsAndOutputsHaveTheShapesOfTheNetwork) {
  const auto network = network_of(kEveryLayer);
  const std::string bytes = onnx_bytes(network, "");
  const Graph graph(bytes);
  ASSERT_EQ(graph.inputs.size(), 1u);
  EXPECT_EQ(graph.inputs[0].first, "input");
  EXPECT_EQ(graph.inputs[0].second, (Value{1, {"batch", "3", "4", "5"}}));
  ASSERT_EQ(graph.outputs.size(), 2u);
  EXPECT_EQ(graph.outputs[0].first, "policy");
  EXPECT_EQ(graph.outputs[0].second, (Value{1, {"batch", "9"}}));
  EXPECT_EQ(graph.outputs[1].first, "value");
  EXPECT_EQ(graph.outputs[1].second, (Value{1, {"batch", "3"}}));
}

TEST(Onnx, EveryLayerIsWellFormedWithItsParameters) {
  const auto network = network_of(kEveryLayer);
  const std::string bytes = onnx_bytes(network, "");
  const Graph graph(bytes);
  expect_well_formed(graph);
  expect_parameters(network, graph);
  EXPECT_EQ(graph.find("layers.0.weight")->sizes, (std::vector<std::int64_t>{6, 3, 5, 5}));
  EXPECT_EQ(graph.find("heads.policy.1.weight")->sizes, (std::vector<std::int64_t>{9, 24}));
  EXPECT_NE(graph.find("layers.4.layers.1.running_var"), nullptr);
  EXPECT_NE(graph.find("layers.5.in.weight"), nullptr);
}

TEST(Onnx, DoublesStayDoubles) {
  const auto network = network_of<double>(kEveryLayer);
  const std::string bytes = onnx_bytes(network, "");
  const Graph graph(bytes);
  expect_well_formed(graph);
  expect_parameters(network, graph);
  EXPECT_EQ(graph.inputs[0].second.element_type, 11);
  EXPECT_EQ(graph.outputs[0].second.element_type, 11);
  for (const auto& [name, tensor] : graph.tensors) {
    EXPECT_NE(tensor.element_type, 1) << name;
  }
}

TEST(Onnx, EveryLayerHasItsNodes) {
  std::set<std::string> names;
  for (const LayerCase& each : layer_cases()) {
    const auto network =
        network_of(R"({"input": [)" + each.input + R"(], "layers": [)" + each.json() + "]}");
    collect_names(network.spec().layers, names);
    const std::string bytes = onnx_bytes(network, "");
    const Graph graph(bytes);
    expect_well_formed(graph);
    auto types = each.onnx_nodes;
    types.push_back("Identity");
    EXPECT_EQ(graph.types(), types) << each.layer;
    EXPECT_EQ(graph.nodes.back().outputs, std::vector<std::string>{"output"});
  }
  expect_every_layer(names);
}

TEST(Onnx, AttributesFollowTheSpecification) {
  const auto graph_of = [](const std::string& bytes) { return Graph(bytes); };
  const auto bytes_of = [](const std::string& input, const std::string& layer) {
    return onnx_bytes(
        network_of(R"({"input": [)" + input + R"(], "layers": [{"type": )" + layer + "}]}"), "");
  };
  const auto integers = [](const Node& node, const std::string& name) {
    EXPECT_EQ(node.attributes.at(name).integer(20), 7) << name;
    return node.attributes.at(name).integers(8);
  };
  using Integers = std::vector<std::int64_t>;

  std::string bytes = bytes_of("4", R"("dense", "units": 2)");
  EXPECT_EQ(graph_of(bytes).node("Gemm").attributes.at("transB").integer(3), 1);
  EXPECT_EQ(graph_of(bytes).node("Gemm").attributes.at("transB").integer(20), 2);
  bytes = bytes_of("1, 6, 6", R"("conv2d", "channels": 2, "kernel": 5)");
  EXPECT_EQ(integers(graph_of(bytes).node("Conv"), "pads"), (Integers{2, 2, 2, 2}));
  EXPECT_EQ(integers(graph_of(bytes).node("Conv"), "kernel_shape"), (Integers{5, 5}));
  bytes = bytes_of("1, 6, 6", R"("conv2d", "channels": 2, "padding": "valid")");
  EXPECT_EQ(integers(graph_of(bytes).node("Conv"), "pads"), (Integers{0, 0, 0, 0}));
  bytes = bytes_of("4", R"("batch_norm", "epsilon": 0.25)");
  EXPECT_EQ(graph_of(bytes).node("BatchNormalization").attributes.at("epsilon").number(2), 0.25F);
  EXPECT_EQ(graph_of(bytes).node("BatchNormalization").attributes.at("epsilon").integer(20), 1);
  EXPECT_EQ(graph_of(bytes).node("BatchNormalization").inputs,
            (std::vector<std::string>{"input", "layers.0.weight", "layers.0.bias",
                                      "layers.0.running_mean", "layers.0.running_var"}));
  bytes = bytes_of("4", R"("leaky_relu")");
  EXPECT_EQ(graph_of(bytes).node("LeakyRelu").attributes.at("alpha").number(2),
            static_cast<float>(kLeak));
  bytes = bytes_of("4", R"("layer_norm")");
  EXPECT_EQ(integers(graph_of(bytes).node("ReduceMean"), "axes"), (Integers{-1}));
}

TEST(Onnx, NamesThatWouldStandTwiceAreToldApart) {
  const auto network = network_of(R"({"input": [2], "layers": [{"type": "dense", "units": 2}],
    "heads": {"input": [], "layers.0": [], "layers.0.weight": [{"type": "dropout"}], "": []}})");
  const std::string bytes = onnx_bytes(network, "");
  const Graph graph(bytes);
  expect_well_formed(graph);
  EXPECT_EQ(graph.inputs[0].first, "input_");
  ASSERT_EQ(graph.outputs.size(), 4u);
  EXPECT_EQ(graph.outputs[0].first, "input");
  EXPECT_EQ(graph.outputs[2].first, "layers.0.weight");
  EXPECT_NE(graph.find("layers.0.weight_"), nullptr);
}

}  // namespace
}  // namespace damier::nn
