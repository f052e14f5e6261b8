// The mean of every channel over the board.

#include "damier/nn/layer_type.h"

namespace damier::nn {

namespace {

template <class T>
class BoardMean final : public Layer<T> {
 public:
  using Layer<T>::Layer;
  void forward(const Pass<T>& pass) override;
  void backward(const Pass<T>& pass) override;
};

template <class T>
void BoardMean<T>::forward(const Pass<T>& pass) {
  const Block<T>& x = this->in;
  const T share = T(1) / static_cast<T>(x.squares);
  for (int sample = 0; sample < pass.samples; ++sample) {
    const T* from = x.value + static_cast<std::ptrdiff_t>(sample) * x.squares * x.ld;
    T* to = this->out.value + static_cast<std::ptrdiff_t>(sample) * x.ld;
    pass.kernels.column_sums(from, x.ld, x.squares, to);
    for (int c = 0; c < x.ld; ++c) to[c] *= share;
  }
}

template <class T>
void BoardMean<T>::backward(const Pass<T>& pass) {
  const Block<T>& x = this->in;
  if (x.gradient == nullptr) return;
  const T share = T(1) / static_cast<T>(x.squares);
  for (std::int64_t row = 0; row < x.rows(pass.samples); ++row) {
    const T* from = this->out.gradient + row / x.squares * x.ld;
    for (int c = 0; c < x.ld; ++c) x.gradient[row * x.ld + c] = share * from[c];
  }
}

class GlobalAveragePool final : public LayerFieldsOf<GlobalAveragePool> {
 public:
  Shape describe(SpecFields& fields, LayerSpec& layer) override {
    fields.expect_board(layer.in);
    return {layer.in.channels};
  }

  template <class T>
  std::unique_ptr<Layer<T>> run(const Site<T>& site) const {
    return std::make_unique<BoardMean<T>>(site);
  }

  std::string add_nodes(OnnxGraph& graph, const LayerSpec&, const std::string& name,
                        const std::string& x) const override {
    const std::string means = graph.node("GlobalAveragePool", {x}, name + ".means");
    return graph.node("Flatten", {means}, name, {attribute("axis", std::int64_t{1})});
  }
};

}  // namespace

extern const LayerType kGlobalAveragePool;
const LayerType kGlobalAveragePool = layer_type<GlobalAveragePool>("global_average_pool");

}  // namespace damier::nn
