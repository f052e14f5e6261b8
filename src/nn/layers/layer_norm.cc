// Layer norm, over the channels of every square alone.

#include <algorithm>
#include <cmath>

#include "damier/nn/layer_type.h"

namespace damier::nn {

namespace {

struct LayerNorm final : LayerFields {
  Shape describe(SpecFields& fields, LayerSpec& layer) override {
    fields.optional("epsilon", epsilon, 1e-12, 1, 1e-5);
    return layer.in;
  }

  std::vector<ParameterSpec> parameters(const LayerSpec& layer) const override {
    const auto channels = static_cast<std::uint64_t>(layer.in.channels);
    return {{"weight", {channels}, Role::scale}, {"bias", {channels}, Role::bias}};
  }

  // Operator set 13 has no such node. The channels are last while it works, as its weights expect.
  std::string add_nodes(OnnxGraph& graph, const LayerSpec& layer, const std::string& name,
                        const std::string& x) const override {
    const std::string weight = graph.parameter(name + ".weight");
    const std::string bias = graph.parameter(name + ".bias");
    const std::string widening = graph.scalar(name + ".epsilon", epsilon);
    const bool board = layer.in.board;
    const auto mean_of = [&](const std::string& values, const std::string& wanted) {
      return graph.node("ReduceMean", {values}, wanted,
                        {attribute("axes", {-1}), attribute("keepdims", 1)});
    };
    const std::string rows =
        board ? graph.node("Transpose", {x}, name + ".rows", {attribute("perm", {0, 2, 3, 1})}) : x;
    const std::string mean = mean_of(rows, name + ".mean");
    const std::string centred = graph.node("Sub", {rows, mean}, name + ".centred");
    const std::string squared = graph.node("Mul", {centred, centred}, name + ".squared");
    const std::string variance = mean_of(squared, name + ".variance");
    const std::string widened = graph.node("Add", {variance, widening}, name + ".widened");
    const std::string deviation = graph.node("Sqrt", {widened}, name + ".deviation");
    const std::string normal = graph.node("Div", {centred, deviation}, name + ".normal");
    const std::string scaled = graph.node("Mul", {normal, weight}, name + ".scaled");
    if (!board) return graph.node("Add", {scaled, bias}, name);
    const std::string shifted = graph.node("Add", {scaled, bias}, name + ".shifted");
    return graph.node("Transpose", {shifted}, name, {attribute("perm", {0, 3, 1, 2})});
  }

  double epsilon = 1e-5;
};

template <class T>
class NormOverChannels final : public Layer<T> {
 public:
  explicit NormOverChannels(const Site<T>& site)
      : Layer<T>(site),
        scale_(this->parameter(site, "weight")),
        shift_(this->parameter(site, "bias")),
        epsilon_(static_cast<T>(fields_of<LayerNorm>(site).epsilon)) {
    const auto rows = static_cast<std::size_t>(site.in.rows(site.builder.samples));
    mean_ = site.builder.scratch(rows);
    inverse_deviation_ = site.builder.scratch(rows);
  }

  void forward(const Pass<T>& pass) override {
    const Block<T>& x = this->in;
    const T share = T(1) / static_cast<T>(x.cols);
    for_each_row(pass, x.rows(pass.samples), 8.0 * x.ld, [&](std::int64_t row) {
      const T* from = x.value + row * x.ld;
      T* to = this->out.value + row * x.ld;
      T mean = 0, variance = 0;
      for (int c = 0; c < x.cols; ++c) mean += from[c];
      mean *= share;
      for (int c = 0; c < x.cols; ++c) variance += (from[c] - mean) * (from[c] - mean);
      const T inverse = T(1) / std::sqrt(variance * share + epsilon_);
      mean_[row] = mean;
      inverse_deviation_[row] = inverse;
      for (int c = 0; c < x.cols; ++c) {
        to[c] = (from[c] - mean) * inverse * scale_.value[c] + shift_.value[c];
      }
    });
  }

  void backward(const Pass<T>& pass) override {
    const Block<T>& x = this->in;
    const std::int64_t rows = x.rows(pass.samples);
    const T* dy = this->out.gradient;
    pass.kernels.column_sums(dy, x.ld, rows, shift_.gradient);
    std::fill_n(scale_.gradient, x.ld, T(0));
    for (std::int64_t row = 0; row < rows; ++row) {
      for (int c = 0; c < x.cols; ++c) {
        scale_.gradient[c] +=
            dy[row * x.ld + c] * (x.value[row * x.ld + c] - mean_[row]) * inverse_deviation_[row];
      }
    }
    if (x.gradient == nullptr) return;
    const T share = T(1) / static_cast<T>(x.cols);
    for_each_row(pass, rows, 12.0 * x.ld, [&](std::int64_t row) {
      const T* from = x.value + row * x.ld;
      const T* upstream = dy + row * x.ld;
      T* to = x.gradient + row * x.ld;
      const T mean = mean_[row], inverse = inverse_deviation_[row];
      T sum = 0, product = 0;
      for (int c = 0; c < x.cols; ++c) {
        const T g = upstream[c] * scale_.value[c];
        sum += g;
        product += g * (from[c] - mean) * inverse;
      }
      for (int c = 0; c < x.cols; ++c) {
        const T normalised = (from[c] - mean) * inverse;
        to[c] = inverse * (upstream[c] * scale_.value[c] - share * (sum + normalised * product));
      }
      std::fill(to + x.cols, to + x.ld, T(0));
    });
  }

 private:
  Parameter<T>&scale_, &shift_;
  T epsilon_;
  T* mean_;               // one a row
  T* inverse_deviation_;  // one a row
};

}  // namespace

const LayerType kLayerNorm = layer_type<LayerNorm, NormOverChannels>("layer_norm");

}  // namespace damier::nn
