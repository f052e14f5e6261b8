// Between boards and plain lists of features. As other tools do it, channels come first: feature =
// channel * squares + square.

#include <algorithm>

#include <fmt/format.h>

#include "damier/nn/layer_type.h"

namespace damier::nn {

namespace {

// A board as a plain list.
struct Flatten final : LayerFields {
  Shape describe(SpecFields&, LayerSpec& layer) override { return {layer.in.size()}; }

  std::string add_nodes(OnnxGraph& graph, const LayerSpec&, const std::string& name,
                        const std::string& x) const override {
    return graph.node("Flatten", {x}, name, {attribute("axis", 1)});
  }
};

template <class T>
class Flattening final : public Layer<T> {
 public:
  using Layer<T>::Layer;

  void forward(const Pass<T>& pass) override {
    const Block<T>& x = this->in;
    for (std::ptrdiff_t sample = 0; sample < pass.samples; ++sample) {
      to_features(x.value + sample * x.squares * x.ld, x, this->out.value + sample * this->out.ld);
    }
  }

  void backward(const Pass<T>& pass) override {
    const Block<T>& x = this->in;
    if (x.gradient == nullptr) return;
    std::fill_n(x.gradient, x.count(pass.samples), T(0));
    for (std::ptrdiff_t sample = 0; sample < pass.samples; ++sample) {
      to_rows(this->out.gradient + sample * this->out.ld, x,
              x.gradient + sample * x.squares * x.ld);
    }
  }
};

// Some of the features, as they stand or as a board: channel by channel, each row by row.
struct Slice final : LayerFields {
  Shape describe(SpecFields& fields, LayerSpec& layer) override {
    fields.optional("from", from, 0, kMaxFeatures, 0);
    Shape out = layer.out;
    fields.required("shape", out);
    fields.expect_flat(layer.in);
    if (from + out.size() > layer.in.size()) {
      fields.fail("shape", fmt::format("{} from feature {} on; expected a part of the {} features",
                                       out.text(), from, layer.in.size()));
    }
    return out;
  }

  std::string add_nodes(OnnxGraph& graph, const LayerSpec& layer, const std::string& name,
                        const std::string& x) const override {
    const Shape& out = layer.out;
    const std::string begin = graph.integers(name + ".begin", {from});
    const std::string end = graph.integers(name + ".end", {from + out.size()});
    const std::string axes = graph.integers(name + ".axes", {1});
    std::string part =
        graph.node("Slice", {x, begin, end, axes}, out.board ? name + ".part" : name);
    if (!out.board) return part;
    const std::string board =
        graph.integers(name + ".board", {0, out.channels, out.rows, out.cols});
    return graph.node("Reshape", {part, board}, name);
  }

  int from = 0;  // the first feature
};

template <class T>
class Part final : public Layer<T> {
 public:
  explicit Part(const Site<T>& site) : Layer<T>(site), from_(fields_of<Slice>(site).from) {}

  void forward(const Pass<T>& pass) override {
    const Block<T>& y = this->out;
    for (std::ptrdiff_t sample = 0; sample < pass.samples; ++sample) {
      to_rows(this->in.value + sample * this->in.ld + from_, y,
              y.value + sample * y.squares * y.ld);
    }
  }

  void backward(const Pass<T>& pass) override {
    if (this->in.gradient == nullptr) return;
    const Block<T>& y = this->out;
    std::fill_n(this->in.gradient, this->in.count(pass.samples), T(0));
    for (std::ptrdiff_t sample = 0; sample < pass.samples; ++sample) {
      to_features(y.gradient + sample * y.squares * y.ld, y,
                  this->in.gradient + sample * this->in.ld + from_);
    }
  }

 private:
  int from_;
};

// The mean of every channel over the board.
struct GlobalAveragePool final : LayerFields {
  Shape describe(SpecFields& fields, LayerSpec& layer) override {
    fields.expect_board(layer.in);
    return {layer.in.channels};
  }

  std::string add_nodes(OnnxGraph& graph, const LayerSpec&, const std::string& name,
                        const std::string& x) const override {
    const std::string means = graph.node("GlobalAveragePool", {x}, name + ".means");
    return graph.node("Flatten", {means}, name, {attribute("axis", 1)});
  }
};

template <class T>
class BoardMean final : public Layer<T> {
 public:
  using Layer<T>::Layer;

  void forward(const Pass<T>& pass) override {
    const Block<T>& x = this->in;
    const T share = T(1) / static_cast<T>(x.squares);
    for (std::ptrdiff_t sample = 0; sample < pass.samples; ++sample) {
      const T* from = x.value + sample * x.squares * x.ld;
      T* to = this->out.value + sample * x.ld;
      pass.kernels.column_sums(from, x.ld, x.squares, to);
      for (int c = 0; c < x.ld; ++c) to[c] *= share;
    }
  }

  void backward(const Pass<T>& pass) override {
    const Block<T>& x = this->in;
    if (x.gradient == nullptr) return;
    const T share = T(1) / static_cast<T>(x.squares);
    for (std::int64_t row = 0; row < x.rows(pass.samples); ++row) {
      const T* from = this->out.gradient + row / x.squares * x.ld;
      for (int c = 0; c < x.ld; ++c) x.gradient[row * x.ld + c] = share * from[c];
    }
  }
};

}  // namespace

const LayerType kFlatten = layer_type<Flatten, Flattening>("flatten");
const LayerType kSlice = layer_type<Slice, Part>("slice");
const LayerType kGlobalAveragePool =
    layer_type<GlobalAveragePool, BoardMean>("global_average_pool");

}  // namespace damier::nn
