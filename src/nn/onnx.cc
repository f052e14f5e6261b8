#include "damier/nn/onnx.h"

#include <bit>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <span>
#include <type_traits>
#include <unordered_set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "damier/nn/kernels.h"

namespace damier::nn {

namespace {

static_assert(std::endian::native == std::endian::little, "numbers are copied as they stand");

constexpr int kIrVersion = 8;
constexpr int kOperatorSet = 13;

// A message in protobuf's wire format. The numbers of the fields below are those of onnx.proto.
class Message {
 public:
  Message& integer(int field, std::int64_t value) {
    key(field, 0);
    varint(static_cast<std::uint64_t>(value));
    return *this;
  }
  Message& number(int field, float value) {
    key(field, 5);
    char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    bytes_.append(bytes, sizeof value);
    return *this;
  }
  Message& text(int field, std::string_view value) {
    key(field, 2);
    varint(value.size());
    bytes_.append(value);
    return *this;
  }
  Message& message(int field, const Message& value) { return text(field, value.bytes_); }

  std::string take() && { return std::move(bytes_); }

 private:
  void key(int field, unsigned type) { varint(static_cast<unsigned>(field) << 3 | type); }
  void varint(std::uint64_t value) {
    for (; value >= 128; value >>= 7) bytes_.push_back(static_cast<char>((value & 127) | 128));
    bytes_.push_back(static_cast<char>(value));
  }

  std::string bytes_;
};

// AttributeProto: name 1, f 2, i 3, ints 8, type 20 (1: a float, 2: an integer, 7: integers).
Message attribute(std::string_view name, float value) {
  return Message().text(1, name).number(2, value).integer(20, 1);
}
Message attribute(std::string_view name, std::int64_t value) {
  return Message().text(1, name).integer(3, value).integer(20, 2);
}
Message attribute(std::string_view name, std::initializer_list<std::int64_t> values) {
  Message message;
  message.text(1, name);
  for (const std::int64_t value : values) message.integer(8, value);
  return message.integer(20, 7);
}

// TensorProto.DataType.
template <class N>
constexpr int element_type() {
  if constexpr (std::is_same_v<N, float>) return 1;
  if constexpr (std::is_same_v<N, std::int64_t>) return 7;
  static_assert(std::is_same_v<N, float> || std::is_same_v<N, double> ||
                std::is_same_v<N, std::int64_t>);
  return 11;
}

// Walks over a specification in the order of the network's parameters and writes nodes as it goes.
// A tensor is called after the layer that gives it, "layers.2", and in between "layers.2.mean".
template <class T>
class GraphWriter {
 public:
  explicit GraphWriter(const Network<T>& network) : network_(network) {}

  // GraphProto: node 1, name 2, initializer 5, input 11, output 12.
  Message write() && {
    const NetworkSpec& spec = network_.spec();
    std::vector<std::string> outputs;
    for (const HeadSpec& head : spec.heads) outputs.push_back(unused(head.name));
    const std::string input = unused("input");
    const std::string trunk = layers(spec.layers, "layers", input);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      const HeadSpec& head = spec.heads[i];
      const std::string last = layers(head.layers, "heads." + head.name, trunk);
      // A head may have no nodes of its own, so its name is given by one more.
      add_node("Identity", {last}, {outputs[i]});
    }
    assert(next_parameter_ == network_.parameters().size());
    graph_.text(2, "damier");
    graph_.message(11, value_info(input, spec.input));
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      graph_.message(12, value_info(outputs[i], spec.head_shape(i)));
    }
    return std::move(graph_);
  }

 private:
  using Names = std::vector<std::string>;
  using Attributes = std::vector<Message>;

  std::string unused(std::string name) {
    while (name.empty() || !used_.insert(name).second) name += '_';
    return name;
  }

  // ValueInfoProto: name 1, type 2; its tensor type 1: element type 1, shape 2; dimension 1: value
  // 1 or name 2.
  static Message value_info(const std::string& name, const Shape& shape) {
    Message sizes;
    sizes.message(1, Message().text(2, "batch"));
    const auto add = [&](int size) { sizes.message(1, Message().integer(1, size)); };
    add(shape.channels);
    if (shape.board) add(shape.rows), add(shape.cols);
    const Message tensor = Message().integer(1, element_type<T>()).message(2, sizes);
    return Message().text(1, name).message(2, Message().message(1, tensor));
  }

  // TensorProto: dims 1, data_type 2, name 8, raw_data 9.
  template <class N>
  std::string initialiser(const std::string& wanted, std::span<const std::uint64_t> shape,
                          std::span<const N> values) {
    const std::string name = unused(wanted);
    Message tensor;
    for (const std::uint64_t size : shape) tensor.integer(1, static_cast<std::int64_t>(size));
    tensor.integer(2, element_type<N>()).text(8, name);
    tensor.text(9, {reinterpret_cast<const char*>(values.data()), values.size_bytes()});
    graph_.message(5, tensor);
    return name;
  }
  std::string scalar(const std::string& name, T value) {
    return initialiser<T>(name, {}, std::span<const T>(&value, 1));
  }
  std::string integers(const std::string& name, const std::vector<std::int64_t>& values) {
    const std::uint64_t size = values.size();
    return initialiser<std::int64_t>(name, {&size, 1}, values);
  }

  // The network's next parameter, from (taps, in, out) to (out, in, taps).
  std::string parameter([[maybe_unused]] const std::string& name) {
    const Parameter<T>& from = *network_.parameters()[next_parameter_++];
    assert(from.name == name);
    std::vector<T> values;
    for (int o = 0; o < from.out; ++o) {
      for (int i = 0; i < from.in; ++i) {
        for (int tap = 0; tap < from.taps; ++tap) {
          values.push_back(from.value[(std::ptrdiff_t{tap} * from.in + i) * from.ld + o]);
        }
      }
    }
    return initialiser<T>(from.name, from.shape, values);
  }

  // NodeProto: input 1, output 2, name 3, op_type 4, attribute 5.
  void add_node(std::string_view type, const Names& inputs, const Names& outputs,
                const Attributes& attributes = {}) {
    Message node;
    for (const std::string& input : inputs) node.text(1, input);
    for (const std::string& output : outputs) node.text(2, output);
    node.text(3, outputs[0]).text(4, type);
    for (const Message& each : attributes) node.message(5, each);
    graph_.message(1, node);
  }
  // A node with one output, which is returned.
  std::string node(std::string_view type, const Names& inputs, const std::string& wanted,
                   const Attributes& attributes = {}) {
    std::string name = unused(wanted);
    add_node(type, inputs, {name}, attributes);
    return name;
  }

  std::string layers(const std::vector<LayerSpec>& list, const std::string& name, std::string x) {
    for (std::size_t i = 0; i < list.size(); ++i)
      x = layer(list[i], fmt::format("{}.{}", name, i), x);
    return x;
  }

  std::string layer(const LayerSpec& spec, const std::string& name, const std::string& x) {
    switch (spec.kind) {
      case LayerKind::dense:
        return dense(spec, name, x);
      case LayerKind::conv2d:
        return convolution(name, x, spec.kernel, spec.same_padding ? spec.kernel / 2 : 0,
                           spec.bias);
      case LayerKind::batch_norm:
        return batch_norm(spec, name, x);
      case LayerKind::layer_norm:
        return layer_norm(spec, name, x);
      case LayerKind::dropout:
        return x;
      case LayerKind::sigmoid:
        return node("Sigmoid", {x}, name);
      case LayerKind::tanh:
        return node("Tanh", {x}, name);
      case LayerKind::relu:
        return node("Relu", {x}, name);
      case LayerKind::leaky_relu:
        return node("LeakyRelu", {x}, name, {attribute("alpha", static_cast<float>(kLeak))});
      case LayerKind::clipped_relu:
        return clip(name, x, name);
      case LayerKind::squared_clipped_relu: {
        const std::string clipped = clip(name, x, name + ".clipped");
        return node("Mul", {clipped, clipped}, name);
      }
      case LayerKind::softmax:
        return softmax(spec, name, x);
      case LayerKind::residual: {
        const std::string inner = layers(spec.layers, name + ".layers", x);
        return node("Add", {x, inner}, name);
      }
      case LayerKind::flatten:
        return node("Flatten", {x}, name, {attribute("axis", std::int64_t{1})});
      case LayerKind::global_average_pool: {
        const std::string means = node("GlobalAveragePool", {x}, name + ".means");
        return node("Flatten", {means}, name, {attribute("axis", std::int64_t{1})});
      }
      case LayerKind::attention:
        return attention(spec, name, x);
      case LayerKind::slice: {
        const std::string part = node(
            "Slice",
            {x, integers(name + ".begin", {spec.from}),
             integers(name + ".end", {spec.from + spec.out.size()}), integers(name + ".axes", {1})},
            spec.out.board ? name + ".part" : name);
        if (!spec.out.board) return part;
        const std::string board =
            integers(name + ".board", {0, spec.out.channels, spec.out.rows, spec.out.cols});
        return node("Reshape", {part, board}, name);
      }
      case LayerKind::sparse:
        return sparse(spec, name, x);
      case LayerKind::chain:
        return layers(spec.layers, name + ".layers", x);
      case LayerKind::branches: {
        Names parts;
        for (std::size_t i = 0; i < spec.layers.size(); ++i) {
          parts.push_back(layer(spec.layers[i], fmt::format("{}.layers.{}", name, i), x));
        }
        return node("Concat", parts, name, {attribute("axis", std::int64_t{1})});
      }
    }
    assert(false);
    return x;
  }

  std::string dense(const LayerSpec& spec, const std::string& name, const std::string& x) {
    const std::string weight = parameter(name + ".weight");
    if (spec.bias) {
      const std::string bias = parameter(name + ".bias");
      return node("Gemm", {x, weight, bias}, name, {attribute("transB", std::int64_t{1})});
    }
    const std::string turned =
        node("Transpose", {weight}, name + ".turned_weight", {attribute("perm", {1, 0})});
    return node("MatMul", {x, turned}, name);
  }

  // A last row of zeros is what the number -1 of an empty place picks.
  std::string sparse(const LayerSpec& spec, const std::string& name, const std::string& x) {
    const std::string weight = parameter(name + ".weight");
    const auto units = static_cast<std::uint64_t>(spec.units);
    const std::vector<T> zeros(units);
    const std::uint64_t empty_shape[] = {1, units};
    const std::string empty = initialiser<T>(name + ".empty", empty_shape, std::span(zeros));
    const std::string turned =
        node("Transpose", {weight}, name + ".turned_weight", {attribute("perm", {1, 0})});
    const std::string rows =
        node("Concat", {turned, empty}, name + ".rows", {attribute("axis", std::int64_t{0})});
    constexpr std::int64_t kInt64 = 7;
    const std::string numbers = node("Cast", {x}, name + ".numbers", {attribute("to", kInt64)});
    const std::string lists =
        integers(name + ".lists", {0, spec.lists, spec.in.channels / spec.lists});
    const std::string places = node("Reshape", {numbers, lists}, name + ".places");
    const std::string picked =
        node("Gather", {rows, places}, name + ".picked", {attribute("axis", std::int64_t{0})});
    std::string sums = node("ReduceSum", {picked, integers(name + ".axes", {2})}, name + ".sums",
                            {attribute("keepdims", std::int64_t{0})});
    if (spec.bias) {
      const std::string bias = parameter(name + ".bias");
      sums = node("Add", {sums, bias}, name + ".shifted");
    }
    return node("Flatten", {sums}, name, {attribute("axis", std::int64_t{1})});
  }

  std::string convolution(const std::string& name, const std::string& x, std::int64_t kernel,
                          std::int64_t pad, bool bias) {
    Names inputs = {x, parameter(name + ".weight")};
    if (bias) inputs.push_back(parameter(name + ".bias"));
    return node(
        "Conv", inputs, name,
        {attribute("kernel_shape", {kernel, kernel}), attribute("pads", {pad, pad, pad, pad})});
  }

  std::string batch_norm(const LayerSpec& spec, const std::string& name, const std::string& x) {
    Names inputs = {x};
    for (const char* part : {".weight", ".bias", ".running_mean", ".running_var"}) {
      inputs.push_back(parameter(name + part));
    }
    return node("BatchNormalization", inputs, name,
                {attribute("epsilon", static_cast<float>(spec.epsilon))});
  }

  // Operator set 13 has no such node. The channels are last while it works, as its weights expect.
  std::string layer_norm(const LayerSpec& spec, const std::string& name, const std::string& x) {
    const std::string weight = parameter(name + ".weight");
    const std::string bias = parameter(name + ".bias");
    const std::string epsilon = scalar(name + ".epsilon", static_cast<T>(spec.epsilon));
    const bool board = spec.in.board;
    const auto mean_of = [&](const std::string& values, const std::string& wanted) {
      return node("ReduceMean", {values}, wanted,
                  {attribute("axes", {-1}), attribute("keepdims", std::int64_t{1})});
    };
    const std::string rows =
        board ? node("Transpose", {x}, name + ".rows", {attribute("perm", {0, 2, 3, 1})}) : x;
    const std::string mean = mean_of(rows, name + ".mean");
    const std::string centred = node("Sub", {rows, mean}, name + ".centred");
    const std::string squared = node("Mul", {centred, centred}, name + ".squared");
    const std::string variance = mean_of(squared, name + ".variance");
    const std::string widened = node("Add", {variance, epsilon}, name + ".widened");
    const std::string deviation = node("Sqrt", {widened}, name + ".deviation");
    const std::string normal = node("Div", {centred, deviation}, name + ".normal");
    const std::string scaled = node("Mul", {normal, weight}, name + ".scaled");
    if (!board) return node("Add", {scaled, bias}, name);
    const std::string shifted = node("Add", {scaled, bias}, name + ".shifted");
    return node("Transpose", {shifted}, name, {attribute("perm", {0, 3, 1, 2})});
  }

  std::string clip(const std::string& layer, const std::string& x, const std::string& wanted) {
    const std::string low = scalar(layer + ".low", T(0)), high = scalar(layer + ".high", T(1));
    return node("Clip", {x, low, high}, wanted);
  }

  std::string softmax(const LayerSpec& spec, const std::string& name, const std::string& x) {
    const Message axis = attribute("axis", std::int64_t{1});
    if (spec.groups.size() < 2) return node("Softmax", {x}, name, {axis});
    const std::string sizes = integers(name + ".sizes", {spec.groups.begin(), spec.groups.end()});
    Names groups, results;
    for (std::size_t i = 0; i < spec.groups.size(); ++i) {
      groups.push_back(unused(fmt::format("{}.group.{}", name, i)));
    }
    add_node("Split", {x, sizes}, groups, {axis});
    for (const std::string& group : groups) {
      results.push_back(node("Softmax", {group}, group + ".softmax", {axis}));
    }
    return node("Concat", results, name, {axis});
  }

  // Everything keeps the squares last, as they come: keys^T * queries gives the scores with the
  // square that is looked at (over which softmax goes) before the square that looks.
  std::string attention(const LayerSpec& spec, const std::string& name, const std::string& x) {
    const int width = spec.in.channels / spec.heads;
    const std::string projected = convolution(name + ".in", x, 1, 0, true);
    const std::string by_head =
        integers(name + ".by_head", {0, spec.heads, width, spec.in.squares()});
    const std::string board =
        integers(name + ".board", {0, spec.in.channels, spec.in.rows, spec.in.cols});
    const std::string scale = scalar(name + ".scale", T(1) / std::sqrt(static_cast<T>(width)));
    const Names parts = {unused(name + ".queries"), unused(name + ".keys"),
                         unused(name + ".values")};
    add_node("Split", {projected}, parts, {attribute("axis", std::int64_t{1})});
    Names split;
    for (const std::string& part : parts) {
      split.push_back(node("Reshape", {part, by_head}, part + ".by_head"));
    }
    const std::string keys =
        node("Transpose", {split[1]}, name + ".keys.turned", {attribute("perm", {0, 1, 3, 2})});
    const std::string products = node("MatMul", {keys, split[0]}, name + ".products");
    const std::string scores = node("Mul", {products, scale}, name + ".scores");
    const std::string weights =
        node("Softmax", {scores}, name + ".weights", {attribute("axis", std::int64_t{2})});
    const std::string mixed = node("MatMul", {split[2], weights}, name + ".mixed");
    const std::string joined = node("Reshape", {mixed, board}, name + ".joined");
    return convolution(name + ".out", joined, 1, 0, true);
  }

  const Network<T>& network_;
  Message graph_;
  std::unordered_set<std::string> used_;
  std::size_t next_parameter_ = 0;
};

}  // namespace

// ModelProto: ir_version 1, producer_name 2, producer_version 3, graph 7, opset_import 8 (domain 1,
// version 2).
template <class T>
std::string onnx_bytes(const Network<T>& network, std::string_view producer_version) {
  Message model;
  model.integer(1, kIrVersion).text(2, "damier").text(3, producer_version);
  model.message(8, Message().text(1, "").integer(2, kOperatorSet));
  model.message(7, GraphWriter<T>(network).write());
  return std::move(model).take();
}

template std::string onnx_bytes(const Network<float>&, std::string_view);
template std::string onnx_bytes(const Network<double>&, std::string_view);

}  // namespace damier::nn
