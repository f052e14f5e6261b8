// Some of the features, as they stand or as a board: channel by channel, each row by row.

#include <algorithm>

#include <fmt/format.h>

#include "damier/nn/layer_type.h"

namespace damier::nn {

namespace {

template <class T>
class Part final : public Layer<T> {
 public:
  Part(const Site<T>& site, int from) : Layer<T>(site), from_(from) {}
  void forward(const Pass<T>& pass) override;
  void backward(const Pass<T>& pass) override;

 private:
  int from_;
};

template <class T>
void Part<T>::forward(const Pass<T>& pass) {
  const Block<T>& y = this->out;
  for (std::ptrdiff_t sample = 0; sample < pass.samples; ++sample) {
    const T* from = this->in.value + sample * this->in.ld + from_;
    T* to = y.value + sample * y.squares * y.ld;
    for (int square = 0; square < y.squares; ++square, to += y.ld) {
      for (int c = 0; c < y.cols; ++c) to[c] = from[c * y.squares + square];
    }
  }
}

template <class T>
void Part<T>::backward(const Pass<T>& pass) {
  if (this->in.gradient == nullptr) return;
  const Block<T>& y = this->out;
  std::fill_n(this->in.gradient, this->in.count(pass.samples), T(0));
  for (std::ptrdiff_t sample = 0; sample < pass.samples; ++sample) {
    const T* from = y.gradient + sample * y.squares * y.ld;
    T* to = this->in.gradient + sample * this->in.ld + from_;
    for (int square = 0; square < y.squares; ++square, from += y.ld) {
      for (int c = 0; c < y.cols; ++c) to[c * y.squares + square] = from[c];
    }
  }
}

class Slice final : public LayerFieldsOf<Slice> {
 public:
  Shape describe(SpecFields& fields, LayerSpec& layer) override {
    fields.optional("from", from_, 0, kMaxFeatures, 0);
    Shape out = layer.out;
    fields.required("shape", out);
    fields.expect_flat(layer.in);
    if (from_ + out.size() > layer.in.size()) {
      fields.fail("shape", fmt::format("{} from feature {} on; expected a part of the {} features",
                                       out.text(), from_, layer.in.size()));
    }
    return out;
  }

  template <class T>
  std::unique_ptr<Layer<T>> run(const Site<T>& site) const {
    return std::make_unique<Part<T>>(site, from_);
  }

  std::string add_nodes(OnnxGraph& graph, const LayerSpec& layer, const std::string& name,
                        const std::string& x) const override {
    const Shape& out = layer.out;
    const std::string begin = graph.integers(name + ".begin", {from_});
    const std::string end = graph.integers(name + ".end", {from_ + out.size()});
    const std::string axes = graph.integers(name + ".axes", {1});
    std::string part =
        graph.node("Slice", {x, begin, end, axes}, out.board ? name + ".part" : name);
    if (!out.board) return part;
    const std::string board =
        graph.integers(name + ".board", {0, out.channels, out.rows, out.cols});
    return graph.node("Reshape", {part, board}, name);
  }

 private:
  int from_ = 0;  // the first feature
};

}  // namespace

extern const LayerType kSlice;
const LayerType kSlice = layer_type<Slice>("slice");

}  // namespace damier::nn
