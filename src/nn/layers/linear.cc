#include "damier/nn/layers/linear.h"

#include <fmt/format.h>

#include "damier/nn/layer_type.h"

namespace damier::nn {

namespace {

// Few rows do not repay a transposed copy of the weights.
constexpr std::int64_t kFewRows = 48;

}  // namespace

template <class T>
void Linear<T>::multiply(const Pass<T>& pass, const GatherProduct<T>& product,
                         const TapTables& tables) const {
  for (const TapClass& c : tables.classes()) {
    const double flops = 2.0 * c.tap_count * product.inner * product.ldy;
    for_rows(pass, std::int64_t{pass.samples} * c.square_count, flops,
             [&](std::int64_t begin, std::int64_t end) {
               pass.kernels.product(product, c, begin, end);
             });
  }
}

std::vector<ParameterSpec> linear_parameters(const ConvolutionShape& shape, bool bias) {
  const auto outputs = static_cast<std::uint64_t>(shape.out.channels);
  const auto inputs = static_cast<std::uint64_t>(shape.in.channels);
  const auto side = static_cast<std::uint64_t>(shape.kernel);
  ParameterSpec weight = {"weight", {outputs, inputs}, Role::weight};
  if (shape.in.board) weight.shape.insert(weight.shape.end(), {side, side});
  if (!bias) return {weight};
  return {weight, {"bias", {outputs}, Role::bias}};
}

template <class T>
Linear<T>::Linear(const ConvolutionShape& shape, bool bias, const std::string& name, Block<T> x,
                  Builder<T>& builder)
    : Layer<T>(x),
      weight_(this->add_parameter(builder.parameter(name, linear_parameters(shape, bias)[0]))) {
  this->out = builder.block(shape.out, true);
  const int kernel = shape.kernel, taps = kernel * kernel;
  weight_.steps_in_backward = true;
  if (bias) {
    bias_ = &this->add_parameter(builder.parameter(name, linear_parameters(shape, true)[1]));
    shift_ = bias_->value;
  } else {
    shift_ = builder.parameters.take(static_cast<std::size_t>(this->out.ld));
  }
  const int shift = shape.same_padding ? kernel / 2 : 0;
  std::vector<std::int32_t> source(static_cast<std::size_t>(this->out.squares * taps), -1);
  std::vector<std::int32_t> reverse(static_cast<std::size_t>(x.squares * taps), -1);
  for (int square = 0; square < this->out.squares; ++square) {
    for (int tap = 0; tap < taps; ++tap) {
      const int row = square / shape.out.cols + tap / kernel - shift;
      const int col = square % shape.out.cols + tap % kernel - shift;
      if (row < 0 || row >= shape.in.rows || col < 0 || col >= shape.in.cols) continue;
      const int from = row * shape.in.cols + col;
      source[static_cast<std::size_t>(square * taps + tap)] = from;
      reverse[static_cast<std::size_t>(from * taps + tap)] = square;
    }
  }
  forward_ = TapTables(source, taps);
  backward_ = TapTables(reverse, taps);
  if (const int tile = fast_tile_side(shape, builder.samples, builder.training); tile > 0) {
    fast_ = std::make_unique<FastConvolution<T>>(shape, tile, x, this->out, builder);
    weight_.steps_in_backward = false;
  } else if (builder.training && x.gradient != nullptr) {
    transposed_ =
        builder.scratch(static_cast<std::size_t>(taps) * static_cast<std::size_t>(this->out.cols) *
                        static_cast<std::size_t>(x.ld));
  }
}

template <class T>
bool Linear<T>::scale_outputs(std::span<const T> a, std::span<const T> b) {
  for (int row = 0; row < weight_.taps * weight_.in; ++row) {
    T* values = weight_.value + static_cast<std::ptrdiff_t>(row) * weight_.ld;
    for (std::size_t c = 0; c < a.size(); ++c) values[c] *= a[c];
  }
  for (std::size_t c = 0; c < a.size(); ++c) shift_[c] = shift_[c] * a[c] + b[c];
  return true;
}

template <class T>
void Linear<T>::freeze(const Kernels<T>& kernels) {
  if (fast_ == nullptr) return;
  fast_->take_weights(kernels, weight_.value);
  frozen_ = true;
}

template <class T>
void Linear<T>::forward(const Pass<T>& pass) {
  if (fast_ != nullptr) {
    if (!frozen_) fast_->take_weights(pass.kernels, weight_.value);
    fast_->forward(pass, shift_);
    return;
  }
  multiply(pass,
           {this->in.value, this->in.ld, weight_.value, shift_, this->out.value, this->out.ld,
            this->in.cols, this->in.squares, this->out.squares},
           forward_);
}

template <class T>
void Linear<T>::backward(const Pass<T>& pass) {
  const std::int64_t rows = this->out.rows(pass.samples);
  if (bias_ != nullptr) {
    pass.kernels.column_sums(this->out.gradient, this->out.ld, rows, bias_->gradient);
  }
  if (fast_ != nullptr) {
    fast_->backward(pass, weight_.gradient);
    return;
  }
  if (this->in.gradient != nullptr) input_gradient(pass);  // before the weights move
  const Update<T> update = pass.fused != nullptr ? pass.fused->of(weight_) : Update<T>{};
  const GatherOuter<T> outer = {this->in.value,
                                this->in.ld,
                                this->out.gradient,
                                this->out.ld,
                                weight_.gradient,
                                this->in.cols,
                                this->in.squares,
                                this->out.squares,
                                pass.samples,
                                forward_.pairs(),
                                pass.fused != nullptr ? pass.fused->rule : Rule::sgd,
                                pass.fused != nullptr ? &update : nullptr};
  for_rows(pass, std::int64_t{weight_.taps} * weight_.in,
           2.0 * static_cast<double>(rows) * this->out.ld,
           [&](std::int64_t begin, std::int64_t end) {
             pass.kernels.outer(outer, static_cast<int>(begin), static_cast<int>(end));
           });
}

template <class T>
void Linear<T>::input_gradient(const Pass<T>& pass) {
  const std::int64_t rows = this->in.rows(pass.samples);
  const double flops = 2.0 * static_cast<double>(weight_.count());
  if (weight_.taps == 1 && rows < kFewRows) {
    for_rows(pass, rows, flops, [&](std::int64_t begin, std::int64_t end) {
      pass.kernels.product_with_transpose(this->out.gradient, this->out.ld, weight_.value,
                                          this->in.gradient, this->in.ld, this->in.cols, begin,
                                          end);
    });
    return;
  }
  turn_taps(weight_.value, weight_.ld, transposed_, this->in.ld, weight_.taps, weight_.in,
            weight_.out);
  multiply(pass,
           {this->out.gradient, this->out.ld, transposed_, nullptr, this->in.gradient, this->in.ld,
            this->out.cols, this->out.squares, this->in.squares},
           backward_);
}

template class Linear<float>;
template class Linear<double>;

namespace {

// What dense layers and convolutions have in common.
struct LinearFields : LayerFields {
  virtual ConvolutionShape shape_of(const LayerSpec& layer) const = 0;

  std::vector<ParameterSpec> parameters(const LayerSpec& layer) const override {
    return linear_parameters(shape_of(layer), bias);
  }

  bool bias = true;
};

template <class T>
struct LinearOf final : Linear<T> {
  explicit LinearOf(const Site<T>& site)
      : Linear<T>(fields_of<LinearFields>(site).shape_of(site.spec),
                  fields_of<LinearFields>(site).bias, site.name, site.in, site.builder) {}
};

// A dense layer: every output is a sum of products over all inputs.
struct Dense final : LinearFields {
  Shape describe(SpecFields& fields, LayerSpec& layer) override {
    fields.required("units", units, 1, kMaxFeatures);
    fields.optional("bias", bias, true);
    fields.expect_flat(layer.in, "; put flatten before it");
    return {units};
  }

  std::string add_nodes(OnnxGraph& graph, const LayerSpec&, const std::string& name,
                        const std::string& x) const override {
    const std::string weight = graph.parameter(name + ".weight");
    if (bias) {
      return graph.node("Gemm", {x, weight, graph.parameter(name + ".bias")}, name,
                        {attribute("transB", 1)});
    }
    const std::string turned =
        graph.node("Transpose", {weight}, name + ".turned_weight", {attribute("perm", {1, 0})});
    return graph.node("MatMul", {x, turned}, name);
  }

  ConvolutionShape shape_of(const LayerSpec& layer) const override { return {layer.in, layer.out}; }

  int units = 0;
};

// A convolution over a board: each square reads the squares around it.
struct Conv2d final : LinearFields {
  Shape describe(SpecFields& fields, LayerSpec& layer) override {
    const Shape& in = layer.in;
    fields.required("channels", channels, 1, 4096);
    fields.with_default("kernel", kernel, 1, 5);
    fields.with_default("padding", same_padding, "same", "valid");
    fields.optional("bias", bias, true);
    if (kernel % 2 == 0) {
      fields.fail("kernel", fmt::format("is {}; expected 1, 3 or 5", kernel));
    }
    fields.expect_board(in);
    const int lost = same_padding ? 0 : kernel - 1;
    if (in.board && (in.rows <= lost || in.cols <= lost)) {
      fields.fail("kernel", fmt::format("leaves nothing of a {} board without padding", in.text()));
    }
    return {channels, in.rows - lost, in.cols - lost, true};
  }

  std::string add_nodes(OnnxGraph& graph, const LayerSpec&, const std::string& name,
                        const std::string& x) const override {
    OnnxGraph::Names inputs = {x, graph.parameter(name + ".weight")};
    if (bias) inputs.push_back(graph.parameter(name + ".bias"));
    const std::int64_t side = kernel, pad = same_padding ? side / 2 : 0;
    return graph.node(
        "Conv", inputs, name,
        {attribute("kernel_shape", {side, side}), attribute("pads", {pad, pad, pad, pad})});
  }

  ConvolutionShape shape_of(const LayerSpec& layer) const override {
    return {layer.in, layer.out, kernel, same_padding};
  }

  int channels = 0;
  int kernel = 3;
  bool same_padding = true;
};

}  // namespace

const LayerType kDense = layer_type<Dense, LinearOf>("dense");
const LayerType kConv2d = layer_type<Conv2d, LinearOf>("conv2d");

}  // namespace damier::nn
