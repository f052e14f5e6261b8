#include "damier/nn/onnx.h"

#include <bit>
#include <cassert>
#include <cmath>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "damier/nn/layer_type.h"
#include "damier/nn/model_file.h"

namespace damier::nn {

namespace {

static_assert(std::endian::native == std::endian::little, "numbers are copied as they stand");

constexpr int kIrVersion = 8;
constexpr int kOperatorSet = 13;

// TensorProto.DataType.
int element_type(DType dtype) {
  if (dtype == DType::i64) return 7;
  assert(dtype == DType::f32 || dtype == DType::f64);
  return dtype == DType::f32 ? 1 : 11;
}

}  // namespace

// The numbers of the fields below are those of onnx.proto.

OnnxMessage& OnnxMessage::integer(int field, std::int64_t value) {
  key(field, 0);
  varint(static_cast<std::uint64_t>(value));
  return *this;
}

OnnxMessage& OnnxMessage::number(int field, float value) {
  key(field, 5);
  char bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  bytes_.append(bytes, sizeof value);
  return *this;
}

OnnxMessage& OnnxMessage::text(int field, std::string_view value) {
  key(field, 2);
  varint(value.size());
  bytes_.append(value);
  return *this;
}

void OnnxMessage::key(int field, unsigned type) {
  varint(static_cast<unsigned>(field) << 3 | type);
}

void OnnxMessage::varint(std::uint64_t value) {
  for (; value >= 128; value >>= 7) bytes_.push_back(static_cast<char>((value & 127) | 128));
  bytes_.push_back(static_cast<char>(value));
}

// AttributeProto: name 1, f 2, i 3, ints 8, type 20 (1: a float, 2: an integer, 7: integers).
OnnxMessage attribute(std::string_view name, float value) {
  return OnnxMessage().text(1, name).number(2, value).integer(20, 1);
}
OnnxMessage attribute(std::string_view name, int value) {
  return OnnxMessage().text(1, name).integer(3, value).integer(20, 2);
}
OnnxMessage attribute(std::string_view name, std::initializer_list<std::int64_t> values) {
  OnnxMessage message;
  message.text(1, name);
  for (const std::int64_t value : values) message.integer(8, value);
  return message.integer(20, 7);
}

// GraphProto: node 1, name 2, initializer 5, input 11, output 12.
OnnxMessage OnnxGraph::write(const NetworkSpec& spec) && {
  Names outputs;
  for (const HeadSpec& head : spec.heads) outputs.push_back(unused(head.name));
  const std::string input = unused("input");
  const std::string trunk = layers(spec.layers, "layers", input);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const HeadSpec& head = spec.heads[i];
    const std::string last = layers(head.layers, "heads." + head.name, trunk);
    // A head may have no nodes of its own, so its name is given by one more.
    add_node("Identity", {last}, {outputs[i]});
  }
  assert(next_parameter_ == parameters_.size());
  graph_.text(2, "damier");
  graph_.message(11, value_info(input, spec.input));
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    graph_.message(12, value_info(outputs[i], spec.head_shape(i)));
  }
  return std::move(graph_);
}

std::string OnnxGraph::unused(std::string name) {
  while (name.empty() || !used_.insert(name).second) name += '_';
  return name;
}

// ValueInfoProto: name 1, type 2; its tensor type 1: element type 1, shape 2; dimension 1: value 1
// or name 2.
OnnxMessage OnnxGraph::value_info(const std::string& name, const Shape& shape) const {
  OnnxMessage sizes;
  sizes.message(1, OnnxMessage().text(2, "batch"));
  const auto add = [&](int size) { sizes.message(1, OnnxMessage().integer(1, size)); };
  add(shape.channels);
  if (shape.board) add(shape.rows), add(shape.cols);
  const OnnxMessage tensor = OnnxMessage().integer(1, element_type(dtype_)).message(2, sizes);
  return OnnxMessage().text(1, name).message(2, OnnxMessage().message(1, tensor));
}

// TensorProto: dims 1, data_type 2, name 8, raw_data 9.
std::string OnnxGraph::add_tensor(const Tensor& tensor) {
  std::string name = unused(tensor.name);
  OnnxMessage message;
  for (const std::uint64_t size : tensor.shape) message.integer(1, static_cast<std::int64_t>(size));
  message.integer(2, element_type(tensor.dtype)).text(8, name);
  message.text(9, {reinterpret_cast<const char*>(tensor.data.data()), tensor.data.size()});
  graph_.message(5, message);
  return name;
}

std::string OnnxGraph::parameter([[maybe_unused]] std::string_view name) {
  const Tensor& tensor = parameters_[next_parameter_++];
  assert(tensor.name == name);
  return add_tensor(tensor);
}

std::string OnnxGraph::scalar(const std::string& name, double value) {
  const float as_float = static_cast<float>(value);
  return add_tensor(dtype_ == DType::f32 ? make_tensor<float>(name, {}, {&as_float, 1})
                                         : make_tensor<double>(name, {}, {&value, 1}));
}

std::string OnnxGraph::inverse_root(const std::string& name, int value) {
  const auto as_float = static_cast<float>(value);
  return scalar(name, dtype_ == DType::f32 ? static_cast<double>(1 / std::sqrt(as_float))
                                           : 1 / std::sqrt(static_cast<double>(value)));
}

std::string OnnxGraph::integers(const std::string& name, const std::vector<std::int64_t>& values) {
  return add_tensor(make_tensor<std::int64_t>(name, {values.size()}, values));
}

std::string OnnxGraph::zeros(const std::string& name, const std::vector<std::uint64_t>& shape) {
  return add_tensor({name, dtype_, shape, std::vector<std::byte>(*bytes_of(shape, dtype_))});
}

// NodeProto: input 1, output 2, name 3, op_type 4, attribute 5.
void OnnxGraph::add_node(std::string_view type, const Names& inputs, const Names& outputs,
                         const Attributes& attributes) {
  OnnxMessage node;
  for (const std::string& input : inputs) node.text(1, input);
  for (const std::string& output : outputs) node.text(2, output);
  node.text(3, outputs[0]).text(4, type);
  for (const OnnxMessage& each : attributes) node.message(5, each);
  graph_.message(1, node);
}

std::string OnnxGraph::node(std::string_view type, const Names& inputs, const std::string& wanted,
                            const Attributes& attributes) {
  std::string name = unused(wanted);
  add_node(type, inputs, {name}, attributes);
  return name;
}

std::string OnnxGraph::layers(const std::vector<LayerSpec>& list, const std::string& name,
                              std::string x) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    x = list[i].fields->add_nodes(*this, list[i], fmt::format("{}.{}", name, i), x);
  }
  return x;
}

// ModelProto: ir_version 1, producer_name 2, producer_version 3, graph 7, opset_import 8 (domain 1,
// version 2).
template <class T>
std::string onnx_bytes(const Network<T>& network, std::string_view producer_version) {
  OnnxMessage model;
  model.integer(1, kIrVersion).text(2, "damier").text(3, producer_version);
  model.message(8, OnnxMessage().text(1, "").integer(2, kOperatorSet));
  model.message(7,
                OnnxGraph(dtype_of<T>(), model_tensors(network, {}).tensors).write(network.spec()));
  return std::move(model).take();
}

template std::string onnx_bytes(const Network<float>&, std::string_view);
template std::string onnx_bytes(const Network<double>&, std::string_view);

}  // namespace damier::nn
