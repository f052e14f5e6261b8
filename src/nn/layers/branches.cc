// Layers that all read the same input; what they give stands side by side, in their order.

#include <algorithm>

#include <fmt/format.h>

#include "damier/nn/layer_type.h"

namespace damier::nn {

namespace {

template <class T>
class LayersSideBySide final : public Layer<T> {
 public:
  explicit LayersSideBySide(const Site<T>& site) : Layer<T>(site.in) {
    Builder<T>& builder = site.builder;
    for (std::size_t i = 0; i < site.spec.layers.size(); ++i) {
      Block<T> own = site.in;
      // Each hands a gradient down; they are added up in order.
      if (own.gradient != nullptr) own.gradient = builder.scratch(own.count(builder.samples));
      builder.alone = false;
      this->inner_.push_back(make_layer<T>(
          {site.spec.layers[i], fmt::format("{}.layers.{}", site.name, i), own, builder}));
    }
    this->out = builder.block(site.spec.out, true);
  }
  void forward(const Pass<T>& pass) override;
  void backward(const Pass<T>& pass) override;
  void freeze(const Kernels<T>& kernels) override;
};

template <class T>
void LayersSideBySide<T>::forward(const Pass<T>& pass) {
  int begin = 0;
  for (auto& branch : this->inner_) {
    branch->forward(pass);
    const Block<T>& part = branch->out;
    for (std::ptrdiff_t sample = 0; sample < pass.samples; ++sample) {
      std::copy_n(part.value + sample * part.ld, part.cols,
                  this->out.value + sample * this->out.ld + begin);
    }
    begin += part.cols;
  }
}

template <class T>
void LayersSideBySide<T>::backward(const Pass<T>& pass) {
  const std::size_t count = this->in.count(pass.samples);
  if (this->in.gradient != nullptr) std::fill_n(this->in.gradient, count, T(0));
  int begin = 0;
  for (auto& branch : this->inner_) {
    const Block<T>& part = branch->out;
    for (std::ptrdiff_t sample = 0; sample < pass.samples; ++sample) {
      T* to = part.gradient + sample * part.ld;
      std::copy_n(this->out.gradient + sample * this->out.ld + begin, part.cols, to);
      std::fill(to + part.cols, to + part.ld, T(0));
    }
    begin += part.cols;
    branch->backward(pass);
    if (this->in.gradient == nullptr) continue;
    for (std::size_t i = 0; i < count; ++i) this->in.gradient[i] += branch->in.gradient[i];
  }
}

template <class T>
void LayersSideBySide<T>::freeze(const Kernels<T>& kernels) {
  for (auto& branch : this->inner_) branch->freeze(kernels);
}

class Branches final : public LayerFieldsOf<Branches> {
 public:
  Shape describe(SpecFields& fields, LayerSpec& layer) override {
    fields.inner_layers(layer, true);
    if (layer.layers.empty()) fields.fail("layers", "is empty; expected at least one layer");
    Shape out = {0};
    for (const LayerSpec& branch : layer.layers) {
      if (branch.out.board) {
        fields.fail("layers", fmt::format("a branch gives {}; expected a flat output of each, to "
                                          "be put side by side",
                                          branch.out.text()));
      }
      // Every one has been checked, and so has their number: the sum fits.
      out.channels += branch.out.board ? 0 : branch.out.channels;
    }
    if (out.channels > kMaxFeatures) {
      fields.fail("layers",
                  fmt::format("give {} features; expected {} at most", out.channels, kMaxFeatures));
    }
    return out;
  }

  template <class T>
  std::unique_ptr<Layer<T>> run(const Site<T>& site) const {
    return std::make_unique<LayersSideBySide<T>>(site);
  }

  std::string add_nodes(OnnxGraph& graph, const LayerSpec& layer, const std::string& name,
                        const std::string& x) const override {
    OnnxGraph::Names parts;
    for (std::size_t i = 0; i < layer.layers.size(); ++i) {
      parts.push_back(graph.layer(layer.layers[i], fmt::format("{}.layers.{}", name, i), x));
    }
    return graph.node("Concat", parts, name, {attribute("axis", std::int64_t{1})});
  }
};

}  // namespace

extern const LayerType kBranches;
const LayerType kBranches = layer_type<Branches>("branches");

}  // namespace damier::nn
