// Softmax, over each group of features alone.

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "damier/nn/layer_type.h"

namespace damier::nn {

namespace {

template <class T>
class GroupedSoftmax final : public Layer<T> {
 public:
  GroupedSoftmax(const Site<T>& site, std::vector<int> groups)
      : Layer<T>(site), groups_(std::move(groups)) {
    if (groups_.empty()) groups_ = {site.spec.in.channels};
  }
  void forward(const Pass<T>& pass) override;
  void backward(const Pass<T>& pass) override;

 private:
  std::vector<int> groups_;
};

template <class T>
void GroupedSoftmax<T>::forward(const Pass<T>& pass) {
  for (std::int64_t row = 0; row < this->in.rows(pass.samples); ++row) {
    const T* x = this->in.value + row * this->in.ld;
    T* y = this->out.value + row * this->out.ld;
    for (const int size : groups_) {
      const T top = *std::max_element(x, x + size);
      for (int i = 0; i < size; ++i) y[i] = x[i] - top;
      pass.kernels.exponential(y, y, static_cast<std::size_t>(size));
      T sum = 0;
      for (int i = 0; i < size; ++i) sum += y[i];
      for (int i = 0; i < size; ++i) y[i] /= sum;
      x += size;
      y += size;
    }
  }
}

template <class T>
void GroupedSoftmax<T>::backward(const Pass<T>& pass) {
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

class Softmax final : public LayerFieldsOf<Softmax> {
 public:
  Shape describe(SpecFields& fields, LayerSpec& layer) override {
    fields.expect_flat(layer.in);
    fields.optional_sizes("groups", groups_, layer.in.channels);
    return layer.in;
  }

  template <class T>
  std::unique_ptr<Layer<T>> run(const Site<T>& site) const {
    return std::make_unique<GroupedSoftmax<T>>(site, groups_);
  }

  std::string add_nodes(OnnxGraph& graph, const LayerSpec&, const std::string& name,
                        const std::string& x) const override {
    const OnnxMessage axis = attribute("axis", std::int64_t{1});
    if (groups_.size() < 2) return graph.node("Softmax", {x}, name, {axis});
    const std::string sizes = graph.integers(name + ".sizes", {groups_.begin(), groups_.end()});
    OnnxGraph::Names groups, results;
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      groups.push_back(graph.unused(fmt::format("{}.group.{}", name, i)));
    }
    graph.add_node("Split", {x, sizes}, groups, {axis});
    for (const std::string& group : groups) {
      results.push_back(graph.node("Softmax", {group}, group + ".softmax", {axis}));
    }
    return graph.node("Concat", results, name, {axis});
  }

 private:
  std::vector<int> groups_;  // their sizes; one of all when empty
};

}  // namespace

extern const LayerType kSoftmax;
const LayerType kSoftmax = layer_type<Softmax>("softmax");

}  // namespace damier::nn
