// A dense layer for inputs that are almost all zero: each list of the input names the features that
// are 1 by their numbers, and only their rows of the weights are read. A number that is no feature,
// such as -1, is an empty place. Every list has outputs of its own; the weights are the same.

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "damier/nn/layer_type.h"

namespace damier::nn {

namespace {

struct Sparse final : LayerFields {
  Shape describe(SpecFields& fields, LayerSpec& layer) override {
    fields.required("features", features, 1, kMaxFeatures);
    fields.required("units", units, 1, kMaxFeatures);
    fields.optional("lists", lists, 1, 16, 1);
    fields.optional("bias", bias, true);
    fields.expect_flat(layer.in);
    if (layer.in.channels % lists != 0) {
      fields.fail("lists", fmt::format("is {}; expected a divisor of the {} inputs", lists,
                                       layer.in.channels));
    }
    if (units > kMaxFeatures / lists) {
      fields.fail("units", fmt::format("is {}; expected {} outputs at most of all lists together",
                                       units, kMaxFeatures));
      units = 1;
    }
    return {lists * units};
  }

  std::vector<ParameterSpec> parameters(const LayerSpec&) const override {
    const auto outputs = static_cast<std::uint64_t>(units);
    std::vector<ParameterSpec> list = {{"weight", {outputs, static_cast<std::uint64_t>(features)}}};
    if (bias) list.push_back({"bias", {outputs}, Role::bias});
    return list;
  }

  double products(const LayerSpec&) const override { return 0; }  // sums alone

  // A last row of zeros is what the number -1 of an empty place picks.
  std::string add_nodes(OnnxGraph& graph, const LayerSpec& layer, const std::string& name,
                        const std::string& x) const override {
    const std::string weight = graph.parameter(name + ".weight");
    const std::string empty = graph.zeros(name + ".empty", {1, static_cast<std::uint64_t>(units)});
    const std::string turned =
        graph.node("Transpose", {weight}, name + ".turned_weight", {attribute("perm", {1, 0})});
    const std::string rows =
        graph.node("Concat", {turned, empty}, name + ".rows", {attribute("axis", 0)});
    constexpr int kInt64 = 7;
    const std::string numbers =
        graph.node("Cast", {x}, name + ".numbers", {attribute("to", kInt64)});
    const std::string shape =
        graph.integers(name + ".lists", {0, lists, layer.in.channels / lists});
    const std::string places = graph.node("Reshape", {numbers, shape}, name + ".places");
    const std::string picked =
        graph.node("Gather", {rows, places}, name + ".picked", {attribute("axis", 0)});
    const std::string axes = graph.integers(name + ".axes", {2});
    std::string sums =
        graph.node("ReduceSum", {picked, axes}, name + ".sums", {attribute("keepdims", 0)});
    if (bias) {
      sums = graph.node("Add", {sums, graph.parameter(name + ".bias")}, name + ".shifted");
    }
    return graph.node("Flatten", {sums}, name, {attribute("axis", 1)});
  }

  int features = 0;  // that there are
  int units = 0;
  int lists = 1;  // of features in the input, which share the weights
  bool bias = true;
};

template <class T>
class RowSums final : public Layer<T> {
 public:
  explicit RowSums(const Site<T>& site)
      : Layer<T>(site),
        weight_(this->parameter(site, "weight")),
        lists_(fields_of<Sparse>(site).lists) {
    if (fields_of<Sparse>(site).bias) bias_ = &this->parameter(site, "bias");
    const auto rows =
        static_cast<std::size_t>(site.builder.samples) * static_cast<std::size_t>(lists_);
    rows_.resize(rows * static_cast<std::size_t>(places()));
    counts_.resize(rows);
  }

  void forward(const Pass<T>& pass) override {
    const int units = weight_.out;
    const T features = static_cast<T>(weight_.in);
    for_each_row(pass, pass.samples, 2.0 * this->in.cols * units, [&](std::int64_t sample) {
      for (int list = 0; list < lists_; ++list) {
        const std::int64_t at = sample * lists_ + list;
        std::int32_t* const rows = rows_.data() + at * places();
        const T* const x = this->in.value + sample * this->in.ld + list * places();
        int count = 0;
        for (int i = 0; i < places(); ++i) {
          if (x[i] >= T(0) && x[i] < features) {
            rows[count++] = static_cast<std::int32_t>(x[i]);
          }
        }
        counts_[static_cast<std::size_t>(at)] = count;
        pass.kernels.sum_rows(weight_.value, weight_.ld, rows, count,
                              bias_ != nullptr ? bias_->value : nullptr,
                              this->out.value + sample * this->out.ld + list * units, 0, units);
      }
    });
  }

  // A thread has columns of its own, so that every sum is added up in the order of the samples.
  void backward(const Pass<T>& pass) override {
    const int units = weight_.out;
    // A number that names a feature has no slope.
    if (this->in.gradient != nullptr) {
      std::fill_n(this->in.gradient, this->in.count(pass.samples), T(0));
    }
    const auto add_up = [&](int begin, int end) {
      for (int row = 0; row < weight_.in; ++row) {
        T* const gradients = weight_.gradient + std::int64_t{row} * weight_.ld;
        std::fill(gradients + begin, gradients + end, T(0));
      }
      T* const bias = bias_ != nullptr ? bias_->gradient : nullptr;
      if (bias != nullptr) std::fill(bias + begin, bias + end, T(0));
      for (std::int64_t sample = 0; sample < pass.samples; ++sample) {
        for (int list = 0; list < lists_; ++list) {
          const std::int64_t at = sample * lists_ + list;
          const T* const dy = this->out.gradient + sample * this->out.ld + list * units;
          pass.kernels.add_to_rows(dy, rows_.data() + at * places(),
                                   counts_[static_cast<std::size_t>(at)], weight_.gradient,
                                   weight_.ld, begin, end);
          for (int n = begin; bias != nullptr && n < end; ++n) bias[n] += dy[n];
        }
      }
    };
    const int parts = pass.pool == nullptr ? 1 : std::min(pass.pool->size(), weight_.ld / kPad);
    if (parts <= 1) return add_up(0, units);
    const int wide = (weight_.ld / kPad + parts - 1) / parts * kPad;
    pass.pool->for_each(static_cast<std::size_t>(parts), [&](std::size_t part) {
      const int begin = std::min(units, static_cast<int>(part) * wide);
      add_up(begin, std::min(units, begin + wide));
    });
  }

 private:
  int places() const { return this->in.cols / lists_; }  // of a list

  Parameter<T>& weight_;          // (features, ld of the units)
  Parameter<T>* bias_ = nullptr;  // null: none
  int lists_;
  std::vector<std::int32_t> rows_;    // (samples * lists, places): the features, packed
  std::vector<std::int32_t> counts_;  // (samples * lists): how many
};

}  // namespace

const LayerType kSparse = layer_type<Sparse, RowSums>("sparse");

}  // namespace damier::nn
