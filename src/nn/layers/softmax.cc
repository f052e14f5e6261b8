// Softmax, over each group of features alone.

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "damier/nn/layer_type.h"

namespace damier::nn {

namespace {

struct Softmax final : LayerFields {
  Shape describe(SpecFields& fields, LayerSpec& layer) override {
    fields.expect_flat(layer.in);
    fields.optional_sizes("groups", groups, layer.in.channels);
    return layer.in;
  }

  std::string add_nodes(OnnxGraph& graph, const LayerSpec&, const std::string& name,
                        const std::string& x) const override {
    const OnnxMessage axis = attribute("axis", 1);
    if (groups.size() < 2) return graph.node("Softmax", {x}, name, {axis});
    const std::string sizes = graph.integers(name + ".sizes", {groups.begin(), groups.end()});
    OnnxGraph::Names parts, results;
    for (std::size_t i = 0; i < groups.size(); ++i) {
      parts.push_back(graph.unused(fmt::format("{}.group.{}", name, i)));
    }
    graph.add_node("Split", {x, sizes}, parts, {axis});
    for (const std::string& group : parts) {
      results.push_back(graph.node("Softmax", {group}, group + ".softmax", {axis}));
    }
    return graph.node("Concat", results, name, {axis});
  }

  std::vector<int> groups;  // their sizes; one of all when empty
};

template <class T>
class GroupedSoftmax final : public Layer<T> {
 public:
  explicit GroupedSoftmax(const Site<T>& site)
      : Layer<T>(site), groups_(fields_of<Softmax>(site).groups) {
    if (groups_.empty()) groups_ = {site.spec.in.channels};
  }

  void forward(const Pass<T>& pass) override {
    for (std::int64_t row = 0; row < this->in.rows(pass.samples); ++row) {
      const T* x = this->in.value + row * this->in.ld;
      T* y = this->out.value + row * this->out.ld;
      for (const int size : groups_) {
        softmax(pass.kernels, x, y, size);
        x += size;
        y += size;
      }
    }
  }

  void backward(const Pass<T>& pass) override {
    if (this->in.gradient == nullptr) return;
    for (std::int64_t row = 0; row < this->in.rows(pass.samples); ++row) {
      const T* y = this->out.value + row * this->out.ld;
      const T* dy = this->out.gradient + row * this->out.ld;
      T* dx = this->in.gradient + row * this->in.ld;
      for (const int size : groups_) {
        T sum = 0;
        for (int i = 0; i < size; ++i) sum += y[i] * dy[i];
        for (int i = 0; i < size; ++i) dx[i] = y[i] * (dy[i] - sum);
        y += size;
        dy += size;
        dx += size;
      }
    }
  }

 private:
  std::vector<int> groups_;
};

}  // namespace

const LayerType kSoftmax = layer_type<Softmax, GroupedSoftmax>("softmax");

}  // namespace damier::nn
