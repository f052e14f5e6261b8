// A convolution over a board: each square reads the squares around it.

#include <fmt/format.h>

#include "damier/nn/layer_type.h"
#include "damier/nn/layers/linear.h"

namespace damier::nn {

namespace {

class Conv2d final : public LayerFieldsOf<Conv2d> {
 public:
  Shape describe(SpecFields& fields, LayerSpec& layer) override {
    const Shape& in = layer.in;
    fields.required("channels", channels_, 1, 4096);
    fields.with_default("kernel", kernel_, 1, 5);
    fields.with_default("padding", same_padding_, "same", "valid");
    fields.optional("bias", bias_, true);
    if (kernel_ % 2 == 0) {
      fields.fail("kernel", fmt::format("is {}; expected 1, 3 or 5", kernel_));
    }
    fields.expect_board(in);
    const int lost = same_padding_ ? 0 : kernel_ - 1;
    if (in.board && (in.rows <= lost || in.cols <= lost)) {
      fields.fail("kernel", fmt::format("leaves nothing of a {} board without padding", in.text()));
    }
    return {channels_, in.rows - lost, in.cols - lost, true};
  }

  std::vector<ParameterSpec> parameters(const LayerSpec& layer) const override {
    return linear_parameters(shape_of(layer), bias_);
  }

  template <class T>
  std::unique_ptr<Layer<T>> run(const Site<T>& site) const {
    return std::make_unique<Linear<T>>(shape_of(site.spec), bias_, site.name, site.in,
                                       site.builder);
  }

  std::string add_nodes(OnnxGraph& graph, const LayerSpec&, const std::string& name,
                        const std::string& x) const override {
    OnnxGraph::Names inputs = {x, graph.parameter(name + ".weight")};
    if (bias_) inputs.push_back(graph.parameter(name + ".bias"));
    const std::int64_t kernel = kernel_, pad = same_padding_ ? kernel_ / 2 : 0;
    return graph.node(
        "Conv", inputs, name,
        {attribute("kernel_shape", {kernel, kernel}), attribute("pads", {pad, pad, pad, pad})});
  }

 private:
  ConvolutionShape shape_of(const LayerSpec& layer) const {
    return {layer.in, layer.out, kernel_, same_padding_};
  }

  int channels_ = 0;
  int kernel_ = 3;
  bool same_padding_ = true;
  bool bias_ = true;
};

}  // namespace

extern const LayerType kConv2d;
const LayerType kConv2d = layer_type<Conv2d>("conv2d");

}  // namespace damier::nn
