// What every kind of layer says of itself, in one file of nn/layers: its name, its fields, the
// shape that it gives, its parameters, how it runs and how other tools write it. All lists of
// layers are made from these records.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "damier/nn/layer.h"
#include "damier/nn/onnx.h"
#include "damier/nn/spec.h"

namespace damier::nn {

// No network of ours comes near these; a wrong figure in a file must not take the memory.
inline constexpr int kMaxFeatures = 1 << 20;
inline constexpr std::int64_t kMaxValues = std::int64_t{4} << 20;  // of a sample between two layers

// Goes over the fields of a layer, to read them from JSON or to write them.
class SpecFields {
 public:
  // The layers of a list that begins with a shape: each after the one before or, side by side, all
  // from that shape.
  using ReadLayers =
      std::function<Result<std::vector<LayerSpec>>(const Json& list, Shape in, bool side_by_side)>;

  SpecFields(JsonFields& from, ReadLayers read_layers)
      : from_(&from), read_layers_(std::move(read_layers)) {}
  explicit SpecFields(Json& to) : to_(&to) {}

  // Must be given.
  void required(std::string_view key, int& value, int low, int high);
  void required(std::string_view key, Shape& value);
  // Keep their value where they are not given; always written.
  void with_default(std::string_view key, int& value, int low, int high);
  void with_default(std::string_view key, double& value, double low, double high);
  // One of two words.
  void with_default(std::string_view key, bool& is_first, std::string_view first,
                    std::string_view second);
  // Written only where they differ from what they are when they are not given.
  void optional(std::string_view key, int& value, int low, int high, int missing);
  void optional(std::string_view key, double& value, double low, double high, double missing);
  void optional(std::string_view key, bool& value, bool missing);
  // Sizes that add up to `sum`; empty where they are not given.
  void optional_sizes(std::string_view key, std::vector<int>& sizes, int sum);
  // The list "layers"; side by side they all read the layer's input.
  void inner_layers(LayerSpec& layer, bool side_by_side = false);

  void fail(std::string_view key, std::string message);
  // For layers that work on features, or on boards, alone.
  void expect_flat(const Shape& in, std::string_view advice = "");
  void expect_board(const Shape& in);

  const std::optional<Error>& inner_error() const { return inner_error_; }

 private:
  void expect_shape(bool fits, const Shape& in, std::string_view expected);

  JsonFields* from_ = nullptr;
  ReadLayers read_layers_;
  std::optional<Error> inner_error_;  // of the layers inside, which says its own place
  Json* to_ = nullptr;
};

// The fields of one kind of layer, and what follows from them.
struct LayerFields {
  virtual ~LayerFields() = default;

  // Goes over the fields, and gives the shape that comes out. `layer` has its input.
  virtual Shape describe(SpecFields& fields, LayerSpec& layer) = 0;
  virtual std::vector<ParameterSpec> parameters(const LayerSpec&) const { return {}; }
  // Numbers that it keeps of a sample, padding included.
  virtual std::int64_t values(const LayerSpec& layer) const;
  // Multiplications that a sample costs.
  virtual double products(const LayerSpec& layer) const;

  // Adds its nodes, whose input is the tensor `x`; returns the tensor that they give.
  virtual std::string add_nodes(OnnxGraph& graph, const LayerSpec& layer, const std::string& name,
                                const std::string& x) const = 0;
};

template <class Fields, class T>
const Fields& fields_of(const Site<T>& site) {
  return static_cast<const Fields&>(*site.spec.fields);
}

struct LayerType {
  std::string_view name;
  // Like others, or (null) as they are where nothing is given.
  std::shared_ptr<LayerFields> (*fields)(const LayerFields* like);
  std::unique_ptr<Layer<float>> (*make_float)(const Site<float>& site);
  std::unique_ptr<Layer<double>> (*make_double)(const Site<double>& site);
};

// A kind of layer by its fields and by what runs, which is made from a Site.
template <class Fields, template <class> class Run>
constexpr LayerType layer_type(std::string_view name) {
  return {name,
          [](const LayerFields* like) -> std::shared_ptr<LayerFields> {
            if (like == nullptr) return std::make_shared<Fields>();
            return std::make_shared<Fields>(static_cast<const Fields&>(*like));
          },
          [](const Site<float>& site) -> std::unique_ptr<Layer<float>> {
            return std::make_unique<Run<float>>(site);
          },
          [](const Site<double>& site) -> std::unique_ptr<Layer<double>> {
            return std::make_unique<Run<double>>(site);
          }};
}

// A new kind of layer is a file in nn/layers, a name here and one in the list that layer_types()
// gives.
extern const LayerType kDense, kConv2d, kBatchNorm, kLayerNorm, kDropout, kSigmoid, kTanh, kRelu,
    kLeakyRelu, kClippedRelu, kSquaredClippedRelu, kSoftmax, kResidual, kFlatten,
    kGlobalAveragePool, kAttention, kSlice, kChain, kBranches, kSparse;
std::span<const LayerType* const> layer_types();

}  // namespace damier::nn
