// Activations: a curve for every value alone.

#include <string_view>

#include "damier/nn/layer_type.h"

namespace damier::nn {

namespace {

template <class T>
class Curved final : public Layer<T> {
 public:
  Curved(const Site<T>& site, Curve curve)
      : Layer<T>(site, site.builder.block_after(site.in, site.spec.out)), curve_(curve) {}
  void forward(const Pass<T>& pass) override;
  void backward(const Pass<T>& pass) override;

 private:
  Curve curve_;
};

template <class T>
void Curved<T>::forward(const Pass<T>& pass) {
  const int ld = this->in.ld;
  for_rows(pass, this->in.rows(pass.samples), 8.0 * ld, [&](std::int64_t begin, std::int64_t end) {
    pass.kernels.curve(curve_, this->in.value + begin * ld, this->out.value + begin * ld,
                       static_cast<std::size_t>((end - begin) * ld));
  });
}

template <class T>
void Curved<T>::backward(const Pass<T>& pass) {
  if (this->in.gradient == nullptr) return;
  const int ld = this->in.ld;
  for_rows(pass, this->in.rows(pass.samples), 8.0 * ld, [&](std::int64_t begin, std::int64_t end) {
    pass.kernels.curve_gradient(curve_, this->in.value + begin * ld, this->out.value + begin * ld,
                                this->out.gradient + begin * ld, this->in.gradient + begin * ld,
                                static_cast<std::size_t>((end - begin) * ld));
  });
}

class Activation final : public LayerFieldsOf<Activation> {
 public:
  explicit Activation(Curve curve) : curve_(curve) {}

  Shape describe(SpecFields&, LayerSpec& layer) override { return layer.in; }

  template <class T>
  std::unique_ptr<Layer<T>> run(const Site<T>& site) const {
    return std::make_unique<Curved<T>>(site, curve_);
  }

  std::string add_nodes(OnnxGraph& graph, const LayerSpec&, const std::string& name,
                        const std::string& x) const override {
    switch (curve_) {
      case Curve::sigmoid:
        return graph.node("Sigmoid", {x}, name);
      case Curve::tanh:
        return graph.node("Tanh", {x}, name);
      case Curve::relu:
        return graph.node("Relu", {x}, name);
      case Curve::leaky_relu:
        return graph.node("LeakyRelu", {x}, name, {attribute("alpha", static_cast<float>(kLeak))});
      case Curve::clipped_relu:
        return clip(graph, name, x, name);
      case Curve::squared_clipped_relu:
        break;
    }
    const std::string clipped = clip(graph, name, x, name + ".clipped");
    return graph.node("Mul", {clipped, clipped}, name);
  }

 private:
  static std::string clip(OnnxGraph& graph, const std::string& name, const std::string& x,
                          const std::string& wanted) {
    const std::string low = graph.scalar(name + ".low", 0), high = graph.scalar(name + ".high", 1);
    return graph.node("Clip", {x, low, high}, wanted);
  }

  Curve curve_;
};

template <Curve curve>
constexpr LayerType curve_type(std::string_view name) {
  return {name,
          []() -> std::unique_ptr<LayerFields> { return std::make_unique<Activation>(curve); }};
}

}  // namespace

extern const LayerType kSigmoid, kTanh, kRelu, kLeakyRelu, kClippedRelu, kSquaredClippedRelu;
const LayerType kSigmoid = curve_type<Curve::sigmoid>("sigmoid");
const LayerType kTanh = curve_type<Curve::tanh>("tanh");
const LayerType kRelu = curve_type<Curve::relu>("relu");
const LayerType kLeakyRelu = curve_type<Curve::leaky_relu>("leaky_relu");
const LayerType kClippedRelu = curve_type<Curve::clipped_relu>("clipped_relu");
const LayerType kSquaredClippedRelu =
    curve_type<Curve::squared_clipped_relu>("squared_clipped_relu");

}  // namespace damier::nn
