// Layers one after the other, as one.

#include "damier/nn/layer_type.h"

namespace damier::nn {

namespace {

template <class T>
class LayersInTurn final : public Layer<T> {
 public:
  explicit LayersInTurn(const Site<T>& site) : Layer<T>(site.in) {
    this->inner_ = make_chain(site.spec.layers, site.name + ".layers", site.in, site.builder);
    this->out = this->inner_.back()->out;
  }
  void forward(const Pass<T>& pass) override { run_forward<T>(this->inner_, pass); }
  void backward(const Pass<T>& pass) override { run_backward<T>(this->inner_, pass); }
};

class Chain final : public LayerFieldsOf<Chain> {
 public:
  Shape describe(SpecFields& fields, LayerSpec& layer) override {
    fields.inner_layers(layer);
    if (!layer.layers.empty()) return layer.layers.back().out;
    fields.fail("layers", "is empty; expected at least one layer");
    return layer.in;
  }

  template <class T>
  std::unique_ptr<Layer<T>> run(const Site<T>& site) const {
    return std::make_unique<LayersInTurn<T>>(site);
  }

  std::string add_nodes(OnnxGraph& graph, const LayerSpec& layer, const std::string& name,
                        const std::string& x) const override {
    return graph.layers(layer.layers, name + ".layers", x);
  }
};

}  // namespace

extern const LayerType kChain;
const LayerType kChain = layer_type<Chain>("chain");

}  // namespace damier::nn
