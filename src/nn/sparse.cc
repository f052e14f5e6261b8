// The dense layer of sparse inputs.

#include <algorithm>

#include "damier/nn/layers.h"

namespace damier::nn {

template <class T>
Sparse<T>::Sparse(const LayerSpec& spec, const std::string& name, Block<T> x, Builder<T>& builder)
    : has_bias_(spec.bias), lists_(spec.lists) {
  this->in = x;
  this->out = builder.block(spec.out, true);
  const auto units = static_cast<std::uint64_t>(spec.units);
  const auto features = static_cast<std::uint64_t>(spec.features);
  weight_ =
      builder.parameter(name + ".weight", {units, features}, 1, spec.features, spec.units, true);
  bias_ = builder.parameter(name + ".bias", {units}, 1, 1, spec.units, has_bias_);
  const auto lists = static_cast<std::size_t>(builder.samples) * static_cast<std::size_t>(lists_);
  rows_.resize(lists * static_cast<std::size_t>(places()));
  counts_.resize(lists);
}

template <class T>
void Sparse<T>::list_parameters(std::vector<Parameter<T>*>& list) {
  list.push_back(&weight_);
  if (has_bias_) list.push_back(&bias_);
}

template <class T>
void Sparse<T>::forward(const Pass<T>& pass) {
  const int units = weight_.out;
  const T features = static_cast<T>(weight_.in);
  for_rows(
      pass, pass.samples, 2.0 * this->in.cols * units, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t sample = begin; sample < end; ++sample) {
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
            pass.kernels.sum_rows(weight_.value, weight_.ld, rows, count, bias_.value,
                                  this->out.value + sample * this->out.ld + list * units, 0, units);
          }
        }
      });
}

// A thread has columns of its own, so that every sum is added up in the order of the samples.
template <class T>
void Sparse<T>::backward(const Pass<T>& pass) {
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
    if (has_bias_) std::fill(bias_.gradient + begin, bias_.gradient + end, T(0));
    for (std::int64_t sample = 0; sample < pass.samples; ++sample) {
      for (int list = 0; list < lists_; ++list) {
        const std::int64_t at = sample * lists_ + list;
        const T* const dy = this->out.gradient + sample * this->out.ld + list * units;
        pass.kernels.add_to_rows(dy, rows_.data() + at * places(),
                                 counts_[static_cast<std::size_t>(at)], weight_.gradient,
                                 weight_.ld, begin, end);
        for (int n = begin; has_bias_ && n < end; ++n) bias_.gradient[n] += dy[n];
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

template class Sparse<float>;
template class Sparse<double>;

}  // namespace damier::nn
