// A dense layer: every output is a sum of products over all inputs.

#include "damier/nn/layer_type.h"
#include "damier/nn/layers/linear.h"

namespace damier::nn {

namespace {

class Dense final : public LayerFieldsOf<Dense> {
 public:
  Shape describe(SpecFields& fields, LayerSpec& layer) override {
    fields.required("units", units_, 1, kMaxFeatures);
    fields.optional("bias", bias_, true);
    fields.expect_flat(layer.in, "; put flatten before it");
    return {units_};
  }

  std::vector<ParameterSpec> parameters(const LayerSpec& layer) const override {
    return linear_parameters({layer.in, layer.out}, bias_);
  }

  template <class T>
  std::unique_ptr<Layer<T>> run(const Site<T>& site) const {
    return std::make_unique<Linear<T>>(ConvolutionShape{site.spec.in, site.spec.out}, bias_,
                                       site.name, site.in, site.builder);
  }

  std::string add_nodes(OnnxGraph& graph, const LayerSpec&, const std::string& name,
                        const std::string& x) const override {
    const std::string weight = graph.parameter(name + ".weight");
    if (bias_) {
      const std::string bias = graph.parameter(name + ".bias");
      return graph.node("Gemm", {x, weight, bias}, name, {attribute("transB", std::int64_t{1})});
    }
    const std::string turned =
        graph.node("Transpose", {weight}, name + ".turned_weight", {attribute("perm", {1, 0})});
    return graph.node("MatMul", {x, turned}, name);
  }

 private:
  int units_ = 0;
  bool bias_ = true;
};

}  // namespace

extern const LayerType kDense;
const LayerType kDense = layer_type<Dense>("dense");

}  // namespace damier::nn
