// ONNX files: a network as other programs run it. They hold the inference form, without dropout and
// with batch norm's running figures. Layers add their nodes to the graph (layer_type.h); a tensor
// is called after the layer that gives it, "layers.2", and in between "layers.2.mean".
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "damier/nn/safetensors.h"
#include "damier/nn/spec.h"

namespace damier::nn {

template <class T>
class Network;

// A message in protobuf's wire format.
class OnnxMessage {
 public:
  OnnxMessage& integer(int field, std::int64_t value);
  OnnxMessage& number(int field, float value);
  OnnxMessage& text(int field, std::string_view value);
  OnnxMessage& message(int field, const OnnxMessage& value) { return text(field, value.bytes_); }

  std::string take() && { return std::move(bytes_); }

 private:
  void key(int field, unsigned type);
  void varint(std::uint64_t value);

  std::string bytes_;
};

OnnxMessage attribute(std::string_view name, float value);
OnnxMessage attribute(std::string_view name, int value);
OnnxMessage attribute(std::string_view name, std::initializer_list<std::int64_t> values);

class OnnxGraph {
 public:
  using Names = std::vector<std::string>;
  using Attributes = std::vector<OnnxMessage>;

  // The network's parameters, in their order; all numbers are of `dtype`, F32 or F64.
  OnnxGraph(DType dtype, std::vector<Tensor> parameters)
      : dtype_(dtype), parameters_(std::move(parameters)) {}

  // The whole message for a network.
  OnnxMessage write(const NetworkSpec& spec) &&;

  // Names that are not there yet, `name` where that is possible.
  std::string unused(std::string name);

  // Tensors that are part of the file; what is returned is their name. Parameters are asked for in
  // the order of the network.
  std::string parameter(std::string_view name);
  std::string scalar(const std::string& name, double value);
  // 1 / sqrt(value), as the numbers of the network have it.
  std::string inverse_root(const std::string& name, int value);
  std::string integers(const std::string& name, const std::vector<std::int64_t>& values);
  std::string zeros(const std::string& name, const std::vector<std::uint64_t>& shape);

  void add_node(std::string_view type, const Names& inputs, const Names& outputs,
                const Attributes& attributes = {});
  // A node with one output, which is returned.
  std::string node(std::string_view type, const Names& inputs, const std::string& wanted,
                   const Attributes& attributes = {});

  // The nodes of layers one after the other; returns what they give.
  std::string layers(const std::vector<LayerSpec>& list, const std::string& name, std::string x);

 private:
  std::string add_tensor(const Tensor& tensor);
  OnnxMessage value_info(const std::string& name, const Shape& shape) const;

  DType dtype_;
  std::vector<Tensor> parameters_;
  std::size_t next_parameter_ = 0;
  OnnxMessage graph_;
  std::unordered_set<std::string> used_;
};

// The bytes of a file of IR version 8 and operator set 13. The graph takes "input", of shape
// (batch, features) or (batch, channels, rows, cols) with any batch, and gives one output a head,
// named as the head. Weights keep the names of the parameters. Should a name stand twice, the later
// one gets a "_" (heads, then the input, then the rest). Protobuf cannot hold more than 2 GiB.
template <class T>
std::string onnx_bytes(const Network<T>& network, std::string_view producer_version);

}  // namespace damier::nn
