// A board as a plain list, channels first as other tools do it: feature = channel * squares +
// square.

#include <algorithm>

#include "damier/nn/layer_type.h"

namespace damier::nn {

namespace {

template <class T>
class Flattening final : public Layer<T> {
 public:
  using Layer<T>::Layer;
  void forward(const Pass<T>& pass) override;
  void backward(const Pass<T>& pass) override;
};

template <class T>
void Flattening<T>::forward(const Pass<T>& pass) {
  const Block<T>& x = this->in;
  for (int sample = 0; sample < pass.samples; ++sample) {
    const T* from = x.value + static_cast<std::ptrdiff_t>(sample) * x.squares * x.ld;
    T* to = this->out.value + static_cast<std::ptrdiff_t>(sample) * this->out.ld;
    for (int square = 0; square < x.squares; ++square) {
      for (int c = 0; c < x.cols; ++c) to[c * x.squares + square] = from[square * x.ld + c];
    }
  }
}

template <class T>
void Flattening<T>::backward(const Pass<T>& pass) {
  const Block<T>& x = this->in;
  if (x.gradient == nullptr) return;
  for (int sample = 0; sample < pass.samples; ++sample) {
    T* to = x.gradient + static_cast<std::ptrdiff_t>(sample) * x.squares * x.ld;
    const T* from = this->out.gradient + static_cast<std::ptrdiff_t>(sample) * this->out.ld;
    for (int square = 0; square < x.squares; ++square) {
      for (int c = 0; c < x.cols; ++c) to[square * x.ld + c] = from[c * x.squares + square];
      std::fill(to + square * x.ld + x.cols, to + (square + 1) * x.ld, T(0));
    }
  }
}

class Flatten final : public LayerFieldsOf<Flatten> {
 public:
  Shape describe(SpecFields&, LayerSpec& layer) override { return {layer.in.size()}; }

  template <class T>
  std::unique_ptr<Layer<T>> run(const Site<T>& site) const {
    return std::make_unique<Flattening<T>>(site);
  }

  std::string add_nodes(OnnxGraph& graph, const LayerSpec&, const std::string& name,
                        const std::string& x) const override {
    return graph.node("Flatten", {x}, name, {attribute("axis", std::int64_t{1})});
  }
};

}  // namespace

extern const LayerType kFlatten;
const LayerType kFlatten = layer_type<Flatten>("flatten");

}  // namespace damier::nn
