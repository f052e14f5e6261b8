// A residual block: y = x + f(x), f being layers one after the other.

#include <fmt/format.h>

#include "damier/nn/layer_type.h"

namespace damier::nn {

namespace {

template <class T>
class ResidualBlock final : public Layer<T> {
 public:
  explicit ResidualBlock(const Site<T>& site) : Layer<T>(site.in) {
    this->inner_ = make_chain(site.spec.layers, site.name + ".layers", site.in, site.builder);
    this->out = site.builder.block(site.spec.out, false);
    // The gradient of the sum is the gradient of the block's last layer: they share it.
    if (!this->inner_.empty()) {
      this->out.gradient = this->inner_.back()->out.gradient;
    } else if (site.in.gradient != nullptr) {
      this->out.gradient = site.builder.scratch(this->out.count(site.builder.samples));
    }
  }
  void forward(const Pass<T>& pass) override;
  void backward(const Pass<T>& pass) override;
};

template <class T>
void ResidualBlock<T>::forward(const Pass<T>& pass) {
  run_forward<T>(this->inner_, pass);
  const T* inner = this->inner_.empty() ? this->in.value : this->inner_.back()->out.value;
  const std::size_t count = this->in.count(pass.samples);
  for (std::size_t i = 0; i < count; ++i) this->out.value[i] = this->in.value[i] + inner[i];
}

template <class T>
void ResidualBlock<T>::backward(const Pass<T>& pass) {
  run_backward<T>(this->inner_, pass);
  if (this->in.gradient == nullptr) return;
  const std::size_t count = this->in.count(pass.samples);
  // Without layers f(x) = x, and the block doubles its input.
  const T own = this->inner_.empty() ? T(2) : T(1);
  for (std::size_t i = 0; i < count; ++i) {
    this->in.gradient[i] =
        own * this->out.gradient[i] + (this->inner_.empty() ? T(0) : this->in.gradient[i]);
  }
}

class Residual final : public LayerFieldsOf<Residual> {
 public:
  Shape describe(SpecFields& fields, LayerSpec& layer) override {
    fields.inner_layers(layer);
    const Shape end = layer.layers.empty() ? layer.in : layer.layers.back().out;
    if (end != layer.in) {
      fields.fail("layers", fmt::format("lead from {} to {}; a residual block needs equal shapes",
                                        layer.in.text(), end.text()));
    }
    return layer.in;
  }

  template <class T>
  std::unique_ptr<Layer<T>> run(const Site<T>& site) const {
    return std::make_unique<ResidualBlock<T>>(site);
  }

  std::string add_nodes(OnnxGraph& graph, const LayerSpec& layer, const std::string& name,
                        const std::string& x) const override {
    const std::string inner = graph.layers(layer.layers, name + ".layers", x);
    return graph.node("Add", {x, inner}, name);
  }
};

}  // namespace

extern const LayerType kResidual;
const LayerType kResidual = layer_type<Residual>("residual");

}  // namespace damier::nn
