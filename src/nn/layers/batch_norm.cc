// Batch norm, over samples and squares, for every channel: batch figures in training, running ones
// otherwise.

#include <algorithm>
#include <cmath>
#include <vector>

#include "damier/nn/layer_type.h"

namespace damier::nn {

namespace {

struct BatchNorm final : LayerFields {
  Shape describe(SpecFields& fields, LayerSpec& layer) override {
    fields.optional("momentum", momentum, 0, 1, 0.1);
    fields.optional("epsilon", epsilon, 1e-12, 1, 1e-5);
    return layer.in;
  }

  std::vector<ParameterSpec> parameters(const LayerSpec& layer) const override {
    const auto channels = static_cast<std::uint64_t>(layer.in.channels);
    return {{"weight", {channels}, Role::scale},
            {"bias", {channels}, Role::bias},
            {"running_mean", {channels}, Role::running_mean},
            {"running_var", {channels}, Role::running_variance}};
  }

  std::string add_nodes(OnnxGraph& graph, const LayerSpec& layer, const std::string& name,
                        const std::string& x) const override {
    OnnxGraph::Names inputs = {x};
    for (const ParameterSpec& own : layer.parameters) {
      inputs.push_back(graph.parameter(name + "." + own.name));
    }
    return graph.node("BatchNormalization", inputs, name,
                      {attribute("epsilon", static_cast<float>(epsilon))});
  }

  double momentum = 0.1;  // the share of the newest batch in the running figures
  double epsilon = 1e-5;
};

template <class T>
class NormOverBatch final : public Layer<T> {
 public:
  explicit NormOverBatch(const Site<T>& site)
      : Layer<T>(site, site.builder.block_after(site.in, site.spec.out)),
        scale_(this->parameter(site, "weight")),
        shift_(this->parameter(site, "bias")),
        running_mean_(this->parameter(site, "running_mean")),
        running_variance_(this->parameter(site, "running_var")),
        epsilon_(static_cast<T>(fields_of<BatchNorm>(site).epsilon)),
        momentum_(static_cast<T>(fields_of<BatchNorm>(site).momentum)),
        mean_(site.builder.scratch(static_cast<std::size_t>(4 * site.in.ld))),
        inverse_deviation_(mean_ + site.in.ld) {}

  void forward(const Pass<T>& pass) override {
    if (folded_) return;
    const Block<T>& x = this->in;
    const std::int64_t rows = x.rows(pass.samples);
    T* spare = mean_ + 2 * x.ld;
    if (pass.norms_learn) {
      pass.kernels.column_sums(x.value, x.ld, rows, mean_);
      for (int c = 0; c < x.ld; ++c) mean_[c] /= static_cast<T>(rows);
      // The variance around the mean, into y for now.
      for_each_row(pass, rows, 4.0 * x.ld, [&](std::int64_t row) {
        for (int c = 0; c < x.ld; ++c) {
          const T d = x.value[row * x.ld + c] - mean_[c];
          this->out.value[row * x.ld + c] = d * d;
        }
      });
      pass.kernels.column_sums(this->out.value, x.ld, rows, spare);
      const T unbiased = rows > 1 ? static_cast<T>(rows) / static_cast<T>(rows - 1) : T(1);
      for (int c = 0; c < x.cols; ++c) {
        const T variance = spare[c] / static_cast<T>(rows);
        inverse_deviation_[c] = T(1) / std::sqrt(variance + epsilon_);
        running_mean_.value[c] += momentum_ * (mean_[c] - running_mean_.value[c]);
        running_variance_.value[c] +=
            momentum_ * (variance * unbiased - running_variance_.value[c]);
      }
    } else {
      for (int c = 0; c < x.cols; ++c) {
        mean_[c] = running_mean_.value[c];
        inverse_deviation_[c] = T(1) / std::sqrt(running_variance_.value[c] + epsilon_);
      }
    }
    // y = x * a + b
    T* a = spare;
    T* b = spare + x.ld;
    for (int c = 0; c < x.ld; ++c) {
      a[c] = c < x.cols ? scale_.value[c] * inverse_deviation_[c] : T(0);
      b[c] = c < x.cols ? shift_.value[c] - mean_[c] * a[c] : T(0);
    }
    for_each_row(pass, rows, 4.0 * x.ld, [&](std::int64_t row) {
      for (int c = 0; c < x.ld; ++c) {
        this->out.value[row * x.ld + c] = x.value[row * x.ld + c] * a[c] + b[c];
      }
    });
  }

  void backward(const Pass<T>& pass) override {
    const Block<T>& x = this->in;
    const std::int64_t rows = x.rows(pass.samples);
    const T* dy = this->out.gradient;
    T* sum = shift_.gradient;      // of dy
    T* product = scale_.gradient;  // of dy * normalised x
    pass.kernels.column_sums(dy, x.ld, rows, sum);
    std::fill_n(product, x.ld, T(0));
    for (std::int64_t row = 0; row < rows; ++row) {
      for (int c = 0; c < x.ld; ++c) {
        product[c] += dy[row * x.ld + c] * (x.value[row * x.ld + c] - mean_[c]);
      }
    }
    for (int c = 0; c < x.ld; ++c) product[c] *= c < x.cols ? inverse_deviation_[c] : T(0);
    if (x.gradient == nullptr) return;
    // Running figures do not move with the input; those of the batch do.
    const T share = pass.norms_learn ? T(1) / static_cast<T>(rows) : T(0);
    T* a = mean_ + 2 * x.ld;
    for (int c = 0; c < x.ld; ++c)
      a[c] = c < x.cols ? scale_.value[c] * inverse_deviation_[c] : T(0);
    for_each_row(pass, rows, 8.0 * x.ld, [&](std::int64_t row) {
      for (int c = 0; c < x.ld; ++c) {
        const std::int64_t at = row * x.ld + c;
        const T normalised = (x.value[at] - mean_[c]) * inverse_deviation_[c];
        x.gradient[at] = a[c] * (dy[at] - share * (sum[c] + normalised * product[c]));
      }
    });
  }

  // The product gives this layer's output, and this layer does nothing any more.
  void fold_into(Layer<T>& before) override {
    // Only where this layer overwrites its input, so that the product's output is the result.
    if (this->in.value != this->out.value || folded_) return;
    std::vector<T> a(static_cast<std::size_t>(this->in.cols)), b(a.size());
    for (std::size_t c = 0; c < a.size(); ++c) {
      a[c] = scale_.value[c] / std::sqrt(running_variance_.value[c] + epsilon_);
      b[c] = shift_.value[c] - running_mean_.value[c] * a[c];
    }
    folded_ = before.scale_outputs(a, b);
  }

 private:
  Parameter<T>&scale_, &shift_, &running_mean_, &running_variance_;
  T epsilon_, momentum_;
  bool folded_ = false;
  T* mean_;
  T* inverse_deviation_;
};

}  // namespace

const LayerType kBatchNorm = layer_type<BatchNorm, NormOverBatch>("batch_norm");

}  // namespace damier::nn
