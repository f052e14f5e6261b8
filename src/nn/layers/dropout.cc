// Dropout: in training each value is dropped with the given rate and the others are scaled up.
// Which ones follows from the seed, the step and the sample, not from the thread.

#include <algorithm>
#include <string>

#include "damier/nn/layer_type.h"

namespace damier::nn {

namespace {

struct Dropout final : LayerFields {
  Shape describe(SpecFields& fields, LayerSpec& layer) override {
    fields.with_default("rate", rate, 0, 0.99);
    return layer.in;
  }

  std::string add_nodes(OnnxGraph&, const LayerSpec&, const std::string&,
                        const std::string& x) const override {
    return x;
  }

  double rate = 0.5;
};

template <class T>
class Dropping final : public Layer<T> {
 public:
  explicit Dropping(const Site<T>& site)
      : Layer<T>(site, site.builder.block_after(site.in, site.spec.out)),
        rate_(fields_of<Dropout>(site).rate),
        stream_("dropout." + site.name) {
    if (site.builder.training) mask_ = site.builder.scratch(this->out.count(site.builder.samples));
  }

  void forward(const Pass<T>& pass) override {
    const std::size_t row = static_cast<std::size_t>(this->in.squares * this->in.ld);
    if (!pass.training) {
      if (this->in.value != this->out.value) {
        std::copy_n(this->in.value, row * static_cast<std::size_t>(pass.samples), this->out.value);
      }
      return;
    }
    const T kept = static_cast<T>(1.0 / (1.0 - rate_));
    const auto threshold = static_cast<std::uint32_t>(rate_ * 4294967296.0);
    for_each_row(pass, pass.samples, 8.0 * static_cast<double>(row), [&](std::int64_t sample) {
      RandomStream random(pass.seed, stream_,
                          pass.step * 0x100000000u + static_cast<std::uint64_t>(sample));
      const std::size_t start = static_cast<std::size_t>(sample) * row;
      for (std::size_t i = start; i < start + row; i += 2) {
        const std::uint64_t bits = random();
        mask_[i] = static_cast<std::uint32_t>(bits) >= threshold ? kept : T(0);
        mask_[i + 1] = static_cast<std::uint32_t>(bits >> 32) >= threshold ? kept : T(0);
      }
      for (std::size_t i = start; i < start + row; ++i) {
        this->out.value[i] = this->in.value[i] * mask_[i];
      }
    });
  }

  void backward(const Pass<T>& pass) override {
    if (this->in.gradient == nullptr) return;
    const std::size_t count = this->in.count(pass.samples);
    for (std::size_t i = 0; i < count; ++i) {
      this->in.gradient[i] =
          pass.training ? this->out.gradient[i] * mask_[i] : this->out.gradient[i];
    }
  }

 private:
  double rate_;
  std::string stream_;
  T* mask_ = nullptr;
};

}  // namespace

const LayerType kDropout = layer_type<Dropout, Dropping>("dropout");

}  // namespace damier::nn
