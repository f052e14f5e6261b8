// Multi-head self-attention over the squares of a board, with projections in and out. Boards are
// small, so the score matrices are plain loops; the projections, which are most of the work, are
// convolutions of single squares.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "damier/nn/layer_type.h"
#include "damier/nn/layers/linear.h"

namespace damier::nn {

namespace {

// From each square alone to `channels` of it.
ConvolutionShape projection(const Shape& in, int channels) {
  Shape out = in;
  out.channels = channels;
  return {in, out};
}

struct Attention final : LayerFields {
  Shape describe(SpecFields& fields, LayerSpec& layer) override {
    const Shape& in = layer.in;
    fields.with_default("heads", heads, 1, 256);
    fields.expect_board(in);
    if (in.channels % heads != 0) {
      fields.fail("heads",
                  fmt::format("is {}; expected a divisor of the {} channels", heads, in.channels));
    }
    if (std::int64_t{heads} * in.squares() * in.squares() > kMaxValues) {
      fields.fail("heads",
                  fmt::format("{} times {} squares squared is more than the {} expected at most",
                              heads, in.squares(), kMaxValues));
    }
    return in;
  }

  std::vector<ParameterSpec> parameters(const LayerSpec& layer) const override {
    std::vector<ParameterSpec> list;
    const auto add = [&](const std::string& part, int channels) {
      for (ParameterSpec& own : linear_parameters(projection(layer.in, channels), true)) {
        list.push_back({part + own.name, own.shape, own.role});
      }
    };
    add("in.", 3 * layer.in.channels);
    add("out.", layer.in.channels);
    return list;
  }

  // Queries, keys, values, what the heads say, and a weight for every pair of squares.
  std::int64_t values(const LayerSpec& layer) const override {
    const std::int64_t squares = layer.in.squares();
    return 5 * LayerFields::values(layer) + (heads + 1) * squares * squares;
  }

  double products(const LayerSpec& layer) const override {
    const double squares = layer.in.squares();
    return LayerFields::products(layer) + 2 * squares * squares * layer.in.channels;
  }

  // Everything keeps the squares last, as they come: keys^T * queries gives the scores with the
  // square that is looked at (over which softmax goes) before the square that looks.
  std::string add_nodes(OnnxGraph& graph, const LayerSpec& layer, const std::string& name,
                        const std::string& x) const override {
    const Shape& in = layer.in;
    const int width = in.channels / heads;
    const auto project = [&](const std::string& wanted, const std::string& from) {
      const std::string weight = graph.parameter(wanted + ".weight");
      const std::string bias = graph.parameter(wanted + ".bias");
      return graph.node("Conv", {from, weight, bias}, wanted,
                        {attribute("kernel_shape", {1, 1}), attribute("pads", {0, 0, 0, 0})});
    };
    const std::string projected = project(name + ".in", x);
    const std::string by_head = graph.integers(name + ".by_head", {0, heads, width, in.squares()});
    const std::string board = graph.integers(name + ".board", {0, in.channels, in.rows, in.cols});
    const std::string scale = graph.inverse_root(name + ".scale", width);
    const OnnxGraph::Names parts = {graph.unused(name + ".queries"), graph.unused(name + ".keys"),
                                    graph.unused(name + ".values")};
    graph.add_node("Split", {projected}, parts, {attribute("axis", 1)});
    OnnxGraph::Names split;
    for (const std::string& part : parts) {
      split.push_back(graph.node("Reshape", {part, by_head}, part + ".by_head"));
    }
    const std::string keys = graph.node("Transpose", {split[1]}, name + ".keys.turned",
                                        {attribute("perm", {0, 1, 3, 2})});
    const std::string products = graph.node("MatMul", {keys, split[0]}, name + ".products");
    const std::string scores = graph.node("Mul", {products, scale}, name + ".scores");
    const std::string weights =
        graph.node("Softmax", {scores}, name + ".weights", {attribute("axis", 2)});
    const std::string mixed = graph.node("MatMul", {split[2], weights}, name + ".mixed");
    const std::string joined = graph.node("Reshape", {mixed, board}, name + ".joined");
    return project(name + ".out", joined);
  }

  int heads = 1;
};

template <class T>
class HeadsOverSquares final : public Layer<T> {
 public:
  explicit HeadsOverSquares(const Site<T>& site)
      : Layer<T>(site.in),
        heads_(fields_of<Attention>(site).heads),
        width_(site.spec.in.channels / heads_) {
    const Shape& shape = site.spec.in;
    Builder<T>& builder = site.builder;
    this->inner_.push_back(std::make_unique<Linear<T>>(projection(shape, 3 * shape.channels), true,
                                                       site.name + ".in", site.in, builder));
    mixed_ = builder.block(shape, true);
    this->inner_.push_back(std::make_unique<Linear<T>>(projection(shape, shape.channels), true,
                                                       site.name + ".out", mixed_, builder));
    this->out = outward().out;
    const auto samples = static_cast<std::size_t>(builder.samples);
    const auto pairs = static_cast<std::size_t>(this->in.squares * this->in.squares);
    weights_ = builder.scratch(samples * static_cast<std::size_t>(heads_) * pairs);
    weight_gradients_ = builder.scratch(samples * pairs);
  }

  void forward(const Pass<T>& pass) override {
    inward().forward(pass);
    const int squares = this->in.squares, channels = this->in.cols, ld = inward().out.ld;
    const T scale = T(1) / std::sqrt(static_cast<T>(width_));
    const double flops = 4.0 * squares * squares * channels;
    for_each_row(pass, pass.samples, flops, [&](std::int64_t sample) {
      const T* rows = inward().out.value + sample * squares * ld;
      for (int head = 0; head < heads_; ++head) {
        const T* queries = rows + head * width_;
        const T* keys = queries + channels;
        const T* values = keys + channels;
        T* weights = weights_ + (sample * heads_ + head) * squares * squares;
        for (int i = 0; i < squares; ++i) {
          T* row = weights + i * squares;
          for (int j = 0; j < squares; ++j) {
            T sum = 0;
            for (int c = 0; c < width_; ++c) sum += queries[i * ld + c] * keys[j * ld + c];
            row[j] = sum * scale;
          }
          softmax(pass.kernels, row, row, squares);
          T* result = mixed_.value + (sample * squares + i) * mixed_.ld + head * width_;
          std::fill_n(result, width_, T(0));
          for (int j = 0; j < squares; ++j) {
            for (int c = 0; c < width_; ++c) result[c] += row[j] * values[j * ld + c];
          }
        }
      }
    });
    outward().forward(pass);
  }

  void backward(const Pass<T>& pass) override {
    outward().backward(pass);
    const int squares = this->in.squares, channels = this->in.cols, ld = inward().out.ld;
    const T scale = T(1) / std::sqrt(static_cast<T>(width_));
    const double flops = 8.0 * squares * squares * channels;
    for_each_row(pass, pass.samples, flops, [&](std::int64_t sample) {
      const T* rows = inward().out.value + sample * squares * ld;
      T* row_gradients = inward().out.gradient + sample * squares * ld;
      std::fill_n(row_gradients, squares * ld, T(0));
      T* dw = weight_gradients_ + sample * squares * squares;
      for (int head = 0; head < heads_; ++head) {
        const T* queries = rows + head * width_;
        const T* keys = queries + channels;
        const T* values = keys + channels;
        T* dq = row_gradients + head * width_;
        T* dk = dq + channels;
        T* dv = dk + channels;
        const T* weights = weights_ + (sample * heads_ + head) * squares * squares;
        for (int i = 0; i < squares; ++i) {
          const T* dout = mixed_.gradient + (sample * squares + i) * mixed_.ld + head * width_;
          const T* w = weights + i * squares;
          T* d = dw + i * squares;
          T mean = 0;
          for (int j = 0; j < squares; ++j) {
            T sum = 0;
            for (int c = 0; c < width_; ++c) {
              sum += dout[c] * values[j * ld + c];
              dv[j * ld + c] += w[j] * dout[c];
            }
            d[j] = sum;
            mean += w[j] * sum;
          }
          for (int j = 0; j < squares; ++j) {
            const T ds = w[j] * (d[j] - mean) * scale;
            for (int c = 0; c < width_; ++c) {
              dq[i * ld + c] += ds * keys[j * ld + c];
              dk[j * ld + c] += ds * queries[i * ld + c];
            }
          }
        }
      }
    });
    inward().backward(pass);
  }

 private:
  Layer<T>& inward() { return *this->inner_[0]; }  // to queries, keys and values, side by side
  Layer<T>& outward() { return *this->inner_[1]; }

  int heads_;
  int width_;            // channels of a head
  Block<T> mixed_;       // the heads' results, side by side
  T* weights_;           // (samples, heads, squares, squares)
  T* weight_gradients_;  // of one sample and head
};

}  // namespace

const LayerType kAttention = layer_type<Attention, HeadsOverSquares>("attention");

}  // namespace damier::nn
