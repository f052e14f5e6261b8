// Activations: a curve for every value alone.

#include "damier/nn/layer_type.h"

namespace damier::nn {

namespace {

struct Activation : LayerFields {
  Shape describe(SpecFields&, LayerSpec& layer) override { return layer.in; }

  std::string add_nodes(OnnxGraph& graph, const LayerSpec&, const std::string& name,
                        const std::string& x) const override {
    constexpr std::string_view kNodes[] = {"Sigmoid", "Tanh", "Relu"};
    if (curve <= Curve::relu) return graph.node(kNodes[static_cast<int>(curve)], {x}, name);
    if (curve == Curve::leaky_relu) {
      return graph.node("LeakyRelu", {x}, name, {attribute("alpha", static_cast<float>(kLeak))});
    }
    if (curve == Curve::clipped_relu) return clip(graph, name, x, name);
    const std::string clipped = clip(graph, name, x, name + ".clipped");
    return graph.node("Mul", {clipped, clipped}, name);
  }

  static std::string clip(OnnxGraph& graph, const std::string& name, const std::string& x,
                          const std::string& wanted) {
    const std::string low = graph.scalar(name + ".low", 0), high = graph.scalar(name + ".high", 1);
    return graph.node("Clip", {x, low, high}, wanted);
  }

  Curve curve = Curve::relu;
};

template <class T>
class Curved final : public Layer<T> {
 public:
  explicit Curved(const Site<T>& site)
      : Layer<T>(site, site.builder.block_after(site.in, site.spec.out)),
        curve_(fields_of<Activation>(site).curve) {}

  void forward(const Pass<T>& pass) override {
    const int ld = this->in.ld;
    for_rows(pass, this->in.rows(pass.samples), 8.0 * ld,
             [&](std::int64_t begin, std::int64_t end) {
               pass.kernels.curve(curve_, this->in.value + begin * ld, this->out.value + begin * ld,
                                  static_cast<std::size_t>((end - begin) * ld));
             });
  }

  void backward(const Pass<T>& pass) override {
    if (this->in.gradient == nullptr) return;
    const int ld = this->in.ld;
    for_rows(
        pass, this->in.rows(pass.samples), 8.0 * ld, [&](std::int64_t begin, std::int64_t end) {
          pass.kernels.curve_gradient(curve_, this->in.value + begin * ld,
                                      this->out.value + begin * ld, this->out.gradient + begin * ld,
                                      this->in.gradient + begin * ld,
                                      static_cast<std::size_t>((end - begin) * ld));
        });
  }

 private:
  Curve curve_;
};

template <Curve of>
struct ActivationOf final : Activation {
  ActivationOf() { curve = of; }
};

}  // namespace

const LayerType kSigmoid = layer_type<ActivationOf<Curve::sigmoid>, Curved>("sigmoid");
const LayerType kTanh = layer_type<ActivationOf<Curve::tanh>, Curved>("tanh");
const LayerType kRelu = layer_type<ActivationOf<Curve::relu>, Curved>("relu");
const LayerType kLeakyRelu = layer_type<ActivationOf<Curve::leaky_relu>, Curved>("leaky_relu");
const LayerType kClippedRelu =
    layer_type<ActivationOf<Curve::clipped_relu>, Curved>("clipped_relu");
const LayerType kSquaredClippedRelu =
    layer_type<ActivationOf<Curve::squared_clipped_relu>, Curved>("squared_clipped_relu");

}  // namespace damier::nn
