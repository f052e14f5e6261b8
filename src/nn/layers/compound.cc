// Layers that are made of layers.

#include <algorithm>

#include <fmt/format.h>

#include "damier/nn/layer_type.h"

namespace damier::nn {

namespace {

// Layers one after the other, as one.
struct Chain final : LayerFields {
  Shape describe(SpecFields& fields, LayerSpec& layer) override {
    fields.inner_layers(layer);
    if (!layer.layers.empty()) return layer.layers.back().out;
    fields.fail("layers", "is empty; expected at least one layer");
    return layer.in;
  }

  std::string add_nodes(OnnxGraph& graph, const LayerSpec& layer, const std::string& name,
                        const std::string& x) const override {
    return graph.layers(layer.layers, name + ".layers", x);
  }
};

// A residual block: y = x + f(x), f being layers one after the other.
struct Residual final : LayerFields {
  Shape describe(SpecFields& fields, LayerSpec& layer) override {
    fields.inner_layers(layer);
    const Shape end = layer.layers.empty() ? layer.in : layer.layers.back().out;
    if (end != layer.in) {
      fields.fail("layers", fmt::format("lead from {} to {}; a residual block needs equal shapes",
                                        layer.in.text(), end.text()));
    }
    return layer.in;
  }

  std::string add_nodes(OnnxGraph& graph, const LayerSpec& layer, const std::string& name,
                        const std::string& x) const override {
    const std::string inner = graph.layers(layer.layers, name + ".layers", x);
    return graph.node("Add", {x, inner}, name);
  }
};

template <class T>
class ResidualBlock final : public LayersInTurn<T> {
 public:
  explicit ResidualBlock(const Site<T>& site) : LayersInTurn<T>(site), last_(this->out) {
    this->out = site.builder.block(site.spec.out, false);
    // The gradient of the sum is the gradient of the block's last layer: they share it.
    if (!this->inner_.empty()) {
      this->out.gradient = last_.gradient;
    } else if (site.in.gradient != nullptr) {
      this->out.gradient = site.builder.scratch(this->out.count(site.builder.samples));
    }
  }

  void forward(const Pass<T>& pass) override {
    LayersInTurn<T>::forward(pass);
    const std::size_t count = this->in.count(pass.samples);
    for (std::size_t i = 0; i < count; ++i) this->out.value[i] = this->in.value[i] + last_.value[i];
  }

  void backward(const Pass<T>& pass) override {
    LayersInTurn<T>::backward(pass);
    if (this->in.gradient == nullptr) return;
    const std::size_t count = this->in.count(pass.samples);
    // Without layers f(x) = x, and the block doubles its input.
    const T own = this->inner_.empty() ? T(2) : T(1);
    for (std::size_t i = 0; i < count; ++i) {
      this->in.gradient[i] =
          own * this->out.gradient[i] + (this->inner_.empty() ? T(0) : this->in.gradient[i]);
    }
  }

 private:
  Block<T> last_;  // what f gives
};

// Layers that all read the same input; what they give stands side by side, in their order.
struct Branches final : LayerFields {
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

  std::string add_nodes(OnnxGraph& graph, const LayerSpec& layer, const std::string& name,
                        const std::string& x) const override {
    OnnxGraph::Names parts;
    for (std::size_t i = 0; i < layer.layers.size(); ++i) {
      const LayerSpec& branch = layer.layers[i];
      parts.push_back(
          branch.fields->add_nodes(graph, branch, fmt::format("{}.layers.{}", name, i), x));
    }
    return graph.node("Concat", parts, name, {attribute("axis", 1)});
  }
};

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

  void forward(const Pass<T>& pass) override {
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

  void backward(const Pass<T>& pass) override {
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

  void freeze(const Kernels<T>& kernels) override {
    for (auto& branch : this->inner_) branch->freeze(kernels);
  }
};

}  // namespace

const LayerType kChain = layer_type<Chain, LayersInTurn>("chain");
const LayerType kResidual = layer_type<Residual, ResidualBlock>("residual");
const LayerType kBranches = layer_type<Branches, LayersSideBySide>("branches");

}  // namespace damier::nn
