// Dense layers and convolutions.

#include <algorithm>

#include "damier/nn/layers.h"

namespace damier::nn {

namespace {

// Few rows do not repay a transposed copy of the weights.
constexpr std::int64_t kFewRows = 48;

}  // namespace

TapTables::TapTables(const std::vector<std::int32_t>& source, int taps) {
  const auto stride = static_cast<std::size_t>(taps);
  const std::size_t squares = source.size() / stride;
  const auto reads = [&](std::size_t square, std::size_t tap) {
    return source[square * stride + tap] >= 0;
  };
  std::vector<bool> done(squares, false);
  for (std::size_t first = 0; first < squares; ++first) {
    if (done[first]) continue;
    Class found;
    for (std::size_t tap = 0; tap < stride; ++tap) {
      if (reads(first, tap)) found.taps.push_back(static_cast<std::int32_t>(tap));
    }
    for (std::size_t square = first; square < squares; ++square) {
      bool same = !done[square];
      for (std::size_t tap = 0; same && tap < stride; ++tap) {
        same = reads(square, tap) == reads(first, tap);
      }
      if (!same) continue;
      done[square] = true;
      found.squares.push_back(static_cast<std::int32_t>(square));
      for (const std::int32_t tap : found.taps) {
        found.sources.push_back(source[square * stride + static_cast<std::size_t>(tap)]);
      }
    }
    classes_.push_back(std::move(found));
  }
  for (std::size_t tap = 0; tap < stride; ++tap) {
    pair_squares_.emplace_back();
    pair_sources_.emplace_back();
    for (std::size_t square = 0; square < squares; ++square) {
      if (!reads(square, tap)) continue;
      pair_squares_.back().push_back(static_cast<std::int32_t>(square));
      pair_sources_.back().push_back(source[square * stride + tap]);
    }
  }
  for (const Class& c : classes_) {
    views_.push_back({c.squares.data(), static_cast<int>(c.squares.size()), c.taps.data(),
                      static_cast<int>(c.taps.size()), c.sources.data()});
  }
  for (std::size_t tap = 0; tap < stride; ++tap) {
    pairs_.push_back({pair_squares_[tap].data(), pair_sources_[tap].data(),
                      static_cast<int>(pair_squares_[tap].size())});
  }
}

template <class T>
void Linear<T>::multiply(const Pass<T>& pass, const GatherProduct<T>& product,
                         const TapTables& tables) const {
  for (const TapClass& c : tables.classes()) {
    const double flops = 2.0 * c.tap_count * product.inner * product.ldy;
    for_rows(pass, std::int64_t{pass.samples} * c.square_count, flops,
             [&](std::int64_t begin, std::int64_t end) {
               pass.kernels.product(product, c, begin, end);
             });
  }
}

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
  weight_.steps_in_backward = true;
  // Kept even where it is not learned: folding a batch norm needs one.
  bias_ = builder.parameter(name + ".bias", {outputs}, 1, 1, this->out.cols, has_bias_);
  const int shift = spec.same_padding ? kernel / 2 : 0;
  std::vector<std::int32_t> source(static_cast<std::size_t>(this->out.squares * taps), -1);
  std::vector<std::int32_t> reverse(static_cast<std::size_t>(x.squares * taps), -1);
  for (int square = 0; square < this->out.squares; ++square) {
    for (int tap = 0; tap < taps; ++tap) {
      const int row = square / spec.out.cols + tap / kernel - shift;
      const int col = square % spec.out.cols + tap % kernel - shift;
      if (row < 0 || row >= spec.in.rows || col < 0 || col >= spec.in.cols) continue;
      const int from = row * spec.in.cols + col;
      source[static_cast<std::size_t>(square * taps + tap)] = from;
      reverse[static_cast<std::size_t>(from * taps + tap)] = square;
    }
  }
  forward_ = TapTables(source, taps);
  backward_ = TapTables(reverse, taps);
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
  multiply(pass,
           {this->in.value, this->in.ld, weight_.value, bias_.value, this->out.value, this->out.ld,
            this->in.cols, this->in.squares, this->out.squares},
           forward_);
}

template <class T>
void Linear<T>::backward(const Pass<T>& pass) {
  if (this->in.gradient != nullptr) input_gradient(pass);  // before the weights move
  const std::int64_t rows = this->out.rows(pass.samples);
  if (has_bias_) pass.kernels.column_sums(this->out.gradient, this->out.ld, rows, bias_.gradient);
  Update<T> update = {};
  if (pass.fused != nullptr) {
    update = pass.fused->update;
    update.value = weight_.value;
    update.gradient = weight_.gradient;
    update.first = weight_.first;
    update.second = weight_.second;
  }
  const GatherOuter<T> outer = {this->in.value,
                                this->in.ld,
                                this->out.gradient,
                                this->out.ld,
                                weight_.gradient,
                                this->in.cols,
                                this->in.squares,
                                this->out.squares,
                                pass.samples,
                                forward_.pairs(),
                                pass.fused != nullptr ? pass.fused->rule : Rule::sgd,
                                pass.fused != nullptr ? &update : nullptr};
  for_rows(pass, std::int64_t{weight_.taps} * weight_.in,
           2.0 * static_cast<double>(rows) * this->out.ld,
           [&](std::int64_t begin, std::int64_t end) {
             pass.kernels.outer(outer, static_cast<int>(begin), static_cast<int>(end));
           });
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
  multiply(pass,
           {this->out.gradient, this->out.ld, transposed_, nullptr, this->in.gradient, this->in.ld,
            this->out.cols, this->out.squares, this->in.squares},
           backward_);
}

template class Linear<float>;
template class Linear<double>;

}  // namespace damier::nn
