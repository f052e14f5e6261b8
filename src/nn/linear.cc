// Dense layers and convolutions.

#include <algorithm>

#include "damier/nn/layers.h"

namespace damier::nn {

namespace {

// Few rows do not repay a transposed copy of the weights.
constexpr std::int64_t kFewRows = 48;

}  // namespace

template <class T>
Linear<T>::Linear(const LayerSpec& spec, const std::string& name, Block<T> x, Builder<T>& builder)
    : has_bias_(spec.bias) {
  this->in = x;
  this->out = builder.block(spec.out, true);
  const bool board = spec.kind == LayerKind::conv2d;
  const int kernel = board ? spec.kernel : 1, taps = kernel * kernel;
  const auto outputs = static_cast<std::uint64_t>(spec.out.channels);
  const auto inputs = static_cast<std::uint64_t>(spec.in.channels);
  const auto side = static_cast<std::uint64_t>(kernel);
  std::vector<std::uint64_t> shape = {outputs, inputs};
  if (board) shape.insert(shape.end(), {side, side});
  weight_ = builder.parameter(name + ".weight", shape, taps, x.cols, this->out.cols, true);
  // Kept even where it is not learned: folding a batch norm needs one.
  bias_ = builder.parameter(name + ".bias", {outputs}, 1, 1, this->out.cols, has_bias_);
  zero_row_ = builder.scratch(static_cast<std::size_t>(std::max(x.ld, this->out.ld)));

  const int shift = spec.same_padding ? kernel / 2 : 0;
  const auto uncounted = static_cast<std::size_t>(taps);
  source_.assign(static_cast<std::size_t>(this->out.squares) * uncounted, -1);
  reverse_source_.assign(static_cast<std::size_t>(x.squares) * uncounted, -1);
  for (int square = 0; square < this->out.squares; ++square) {
    for (int tap = 0; tap < taps; ++tap) {
      const int row = square / spec.out.cols + tap / kernel - shift;
      const int col = square % spec.out.cols + tap % kernel - shift;
      if (row < 0 || row >= spec.in.rows || col < 0 || col >= spec.in.cols) continue;
      const int from = row * spec.in.cols + col;
      source_[static_cast<std::size_t>(square * taps + tap)] = from;
      reverse_source_[static_cast<std::size_t>(from * taps + tap)] = square;
    }
  }
  if (builder.training && x.gradient != nullptr) {
    transposed_ =
        builder.scratch(static_cast<std::size_t>(taps) * static_cast<std::size_t>(this->out.cols) *
                        static_cast<std::size_t>(x.ld));
  }
}

template <class T>
void Linear<T>::list_parameters(std::vector<Parameter<T>*>& list) {
  list.push_back(&weight_);
  if (has_bias_) list.push_back(&bias_);
}

template <class T>
void Linear<T>::scale_outputs(std::span<const T> a, std::span<const T> b) {
  for (int row = 0; row < weight_.taps * weight_.in; ++row) {
    T* values = weight_.value + static_cast<std::ptrdiff_t>(row) * weight_.ld;
    for (std::size_t c = 0; c < a.size(); ++c) values[c] *= a[c];
  }
  for (std::size_t c = 0; c < a.size(); ++c) bias_.value[c] = bias_.value[c] * a[c] + b[c];
}

template <class T>
void Linear<T>::forward(const Pass<T>& pass) {
  const GatherProduct<T> product = {this->in.value,    this->in.ld,     weight_.value,
                                    bias_.value,       this->out.value, this->out.ld,
                                    this->in.cols,     weight_.taps,    this->in.squares,
                                    this->out.squares, source_.data(),  zero_row_};
  for_rows(
      pass, this->out.rows(pass.samples), 2.0 * static_cast<double>(weight_.count()),
      [&](std::int64_t begin, std::int64_t end) { pass.kernels.product(product, begin, end); });
}

template <class T>
void Linear<T>::backward(const Pass<T>& pass) {
  const std::int64_t rows = this->out.rows(pass.samples);
  const GatherOuter<T> outer = {this->in.value, this->in.ld,      this->out.gradient,
                                this->out.ld,   weight_.gradient, this->in.cols,
                                weight_.taps,   this->in.squares, this->out.squares,
                                pass.samples,   source_.data(),   zero_row_};
  for_rows(pass, std::int64_t{weight_.taps} * weight_.in,
           2.0 * static_cast<double>(rows) * this->out.ld,
           [&](std::int64_t begin, std::int64_t end) {
             pass.kernels.outer(outer, static_cast<int>(begin), static_cast<int>(end));
           });
  if (has_bias_) pass.kernels.column_sums(this->out.gradient, this->out.ld, rows, bias_.gradient);
  if (this->in.gradient != nullptr) input_gradient(pass);
}

template <class T>
void Linear<T>::input_gradient(const Pass<T>& pass) {
  const std::int64_t rows = this->in.rows(pass.samples);
  const double flops = 2.0 * static_cast<double>(weight_.count());
  if (weight_.taps == 1 && rows < kFewRows) {
    for_rows(pass, rows, flops, [&](std::int64_t begin, std::int64_t end) {
      pass.kernels.product_with_transpose(this->out.gradient, this->out.ld, weight_.value,
                                          this->in.gradient, this->in.ld, this->in.cols, begin,
                                          end);
    });
    return;
  }
  // Blocks of 16 x 16 stay in the first cache while they are turned.
  constexpr int kTile = 16;
  for (int tap = 0; tap < weight_.taps; ++tap) {
    const T* from = weight_.value + static_cast<std::ptrdiff_t>(tap) * weight_.in * weight_.ld;
    T* to = transposed_ + static_cast<std::ptrdiff_t>(tap) * weight_.out * this->in.ld;
    for (int i = 0; i < weight_.in; i += kTile) {
      for (int o = 0; o < weight_.out; o += kTile) {
        for (int r = o; r < std::min(o + kTile, weight_.out); ++r) {
          for (int c = i; c < std::min(i + kTile, weight_.in); ++c) {
            to[static_cast<std::ptrdiff_t>(r) * this->in.ld + c] =
                from[static_cast<std::ptrdiff_t>(c) * weight_.ld + r];
          }
        }
      }
    }
  }
  const GatherProduct<T> product = {this->out.gradient,
                                    this->out.ld,
                                    transposed_,
                                    nullptr,
                                    this->in.gradient,
                                    this->in.ld,
                                    this->out.cols,
                                    weight_.taps,
                                    this->out.squares,
                                    this->in.squares,
                                    reverse_source_.data(),
                                    zero_row_};
  for_rows(pass, rows, flops, [&](std::int64_t begin, std::int64_t end) {
    pass.kernels.product(product, begin, end);
  });
}

template class Linear<float>;
template class Linear<double>;

}  // namespace damier::nn
