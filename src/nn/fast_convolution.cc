#include "damier/nn/fast_convolution.h"

#include <algorithm>
#include <utility>

#include "damier/nn/tiles.h"

namespace damier::nn {

namespace {

int tiles_along(int squares, int side) { return (squares + side - 1) / side; }

// Samples that are taken through all steps together, so that their tiles stay in the cache.
constexpr std::int64_t kSamplesAtOnce = 12;

// Weights that are not in the core's own cache must come from farther away in every pass: as
// products that take as long as reading one of them.
constexpr double kReadingCost = 8;
constexpr double kNearWeights = 1 << 18;  // this many of a layer stay near
double reading_cost(double weights, int batch) {
  return weights > kNearWeights ? kReadingCost * weights / batch : 0;
}

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
void turn_taps(const T* from, int ld_from, T* to, int ld_to, int taps, int in, int out) {
  // Blocks of 16 x 16 stay in the first cache while they are turned.
  constexpr int kTile = 16;
  for (int tap = 0; tap < taps; ++tap) {
    const T* matrix = from + static_cast<std::ptrdiff_t>(tap) * in * ld_from;
    T* turned = to + static_cast<std::ptrdiff_t>(tap) * out * ld_to;
    for (int i = 0; i < in; i += kTile) {
      for (int o = 0; o < out; o += kTile) {
        for (int r = o; r < std::min(o + kTile, out); ++r) {
          for (int c = i; c < std::min(i + kTile, in); ++c) {
            turned[static_cast<std::ptrdiff_t>(r) * ld_to + c] =
                matrix[static_cast<std::ptrdiff_t>(c) * ld_from + r];
          }
        }
      }
    }
  }
}

template void turn_taps(const float*, int, float*, int, int, int, int);
template void turn_taps(const double*, int, double*, int, int, int, int);

int fast_tile_side(const ConvolutionShape& shape, int batch, bool training) {
  if (shape.kernel != kKernelSide) return 0;
  // Below one vector of channels the way into the tiles costs more than it saves.
  if (shape.in.channels < kPad || shape.out.channels < kPad) return 0;
  const double in = shape.in.channels, out = shape.out.channels;
  double taps = 0;  // that fall on the board
  const int shift = shape.same_padding ? 1 : 0;
  const auto along = [&](int outputs, int inputs) {
    int count = 0;
    for (int at = 0; at < outputs; ++at) {
      for (int tap = 0; tap < kKernelSide; ++tap) {
        const int from = at + tap - shift;
        count += from >= 0 && from < inputs ? 1 : 0;
      }
    }
    return count;
  };
  taps = static_cast<double>(along(shape.out.rows, shape.in.rows)) *
         along(shape.out.cols, shape.in.cols);
  const double plain_weights = kKernelSide * kKernelSide * in * out;
  // The plain way, unless a quarter is saved.
  double best_cost = 0.75 * (taps * in * out + reading_cost(plain_weights, batch));
  int best = 0;
  for (const int side : kTileSides) {
    const double n = side + kKernelSide - 1, positions = n * n;
    const double tiles = tiles_along(shape.out.rows, side) * tiles_along(shape.out.cols, side);
    const double into = 1.5 * positions * n, back = 1.5 * side * n * (n + side);
    // Out of inference the weights take part once a pass, and their gradient once.
    const double weights = 2.0 * kKernelSide * n * (n + kKernelSide) * in * out / batch;
    const double cost = tiles * (positions * in * out + into * in + back * out) +
                        reading_cost(positions * in * out, batch) + (training ? weights : 0);
    if (cost < best_cost) {
      best_cost = cost;
      best = side;
    }
  }
  return best;
}

template <class T>
FastConvolution<T>::FastConvolution(const ConvolutionShape& shape, int side, Block<T> in,
                                    Block<T> out, Builder<T>& builder)
    : side_(side), in_(in), out_(out), workspace_(builder.workspace) {
  const int n = side + kKernelSide - 1, shift = shape.same_padding ? 1 : 0;
  const int down = tiles_along(shape.out.rows, side), across = tiles_along(shape.out.cols, side);
  positions_ = n * n;
  tile_count_ = down * across;
  const auto square = [](int row, int col, const Shape& board) {
    const bool inside = row >= 0 && row < board.rows && col >= 0 && col < board.cols;
    return inside ? row * board.cols + col : -1;
  };
  for (int tile = 0; tile < tile_count_; ++tile) {
    const int row = tile / across * side, col = tile % across * side;
    for (int p = 0; p < positions_; ++p) {
      in_squares_.push_back(square(row + p / n - shift, col + p % n - shift, shape.in));
    }
    for (int p = 0; p < side * side; ++p) {
      out_squares_.push_back(square(row + p / side, col + p % side, shape.out));
    }
  }
  for (int p = 0; p < positions_; ++p) {
    rows_.push_back(p);
    numbers_.push_back(p * in.cols);
  }
  for (int tap = 0; tap < kKernelSide * kKernelSide; ++tap) taps_.push_back(tap * in.cols);
  std::vector<std::int32_t> source(
      static_cast<std::size_t>(tile_count_) * static_cast<std::size_t>(positions_ * positions_),
      -1);
  for (int row = 0; row < tile_count_ * positions_; ++row) {
    source[static_cast<std::size_t>(row) * static_cast<std::size_t>(positions_) +
           static_cast<std::size_t>(row % positions_)] = row;
  }
  tables_ = TapTables(source, positions_);

  const auto count = [](auto... factors) {
    return (std::size_t{1} * ... * static_cast<std::size_t>(factors));
  };
  weights_ = builder.scratch(count(positions_, in.cols, out.ld));
  const std::size_t x_count = count(builder.samples, tile_count_, positions_, in.ld);
  y_count_ = count(builder.samples, tile_count_, positions_, out.ld);
  builder.reserve(x_count + y_count_);
  if (!builder.training) return;
  kept_ = builder.scratch(x_count);
  weight_gradient_ = builder.scratch(count(positions_, in.cols, out.ld));
  if (in.gradient == nullptr) return;
  turned_ = builder.scratch(count(positions_, out.cols, in.ld));
}

template <class T>
double FastConvolution<T>::flops_per_sample() const {
  return 2.0 * tile_count_ * positions_ * in_.cols * out_.ld;
}

template <class T>
void FastConvolution<T>::multiply(const Pass<T>& pass, const T* x, int ldx, const T* w, T* y,
                                  int ldy, int inner, std::int64_t samples) const {
  const int squares = tile_count_ * positions_;
  const GatherProduct<T> product = {x, ldx, w, nullptr, y, ldy, inner, squares, squares};
  for (const TapClass& position : tables_.classes()) {
    pass.kernels.product(product, position, 0, samples * tile_count_);
  }
}

template <class T>
void FastConvolution<T>::take_weights(const Kernels<T>& kernels, const T* weights) {
  for (int row = 0; row < in_.cols; ++row) {
    const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(row) * out_.ld;
    kernels.tile(side_, TilePass::weights,
                 {weights + at, taps_.data(), weights_ + at, numbers_.data(), out_.ld, nullptr});
  }
}

template <class T>
void FastConvolution<T>::forward(const Pass<T>& pass, const T* bias) {
  T* const y_tiles = workspace_->data;
  T* const x_tiles = kept_ != nullptr ? kept_ : y_tiles + y_count_;
  for_rows(pass, pass.samples, flops_per_sample(), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t first = begin; first < end; first += kSamplesAtOnce) {
      const std::int64_t count = std::min(end - first, kSamplesAtOnce);
      // Tiles that nobody asks for again use the same memory for every few samples.
      T* const x = tile(x_tiles, in_.ld, kept_ != nullptr ? first : begin, 0);
      T* const y = tile(y_tiles, out_.ld, begin, 0);
      for (std::int64_t sample = 0; sample < count; ++sample) {
        const T* board = in_.value + (first + sample) * in_.squares * in_.ld;
        for (int i = 0; i < tile_count_; ++i) {
          pass.kernels.tile(side_, TilePass::input,
                            {board, in_squares_.data() + i * positions_, tile(x, in_.ld, sample, i),
                             rows_.data(), in_.ld, nullptr});
        }
      }
      multiply(pass, x, in_.ld, weights_, y, out_.ld, in_.cols, count);
      for (std::int64_t sample = 0; sample < count; ++sample) {
        T* board = out_.value + (first + sample) * out_.squares * out_.ld;
        for (int i = 0; i < tile_count_; ++i) {
          pass.kernels.tile(side_, TilePass::output,
                            {tile(y, out_.ld, sample, i), rows_.data(), board,
                             out_squares_.data() + i * side_ * side_, out_.ld, bias});
        }
      }
    }
  });
}

template <class T>
void FastConvolution<T>::backward(const Pass<T>& pass, T* weight_gradient) {
  T* const y_tiles = workspace_->data;
  T* const dx_tiles = y_tiles + y_count_;
  if (turned_ != nullptr) {
    turn_taps(weights_, out_.ld, turned_, in_.ld, positions_, in_.cols, out_.cols);
  }
  for_rows(pass, pass.samples, flops_per_sample(), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t first = begin; first < end; first += kSamplesAtOnce) {
      const std::int64_t count = std::min(end - first, kSamplesAtOnce);
      T* const y = tile(y_tiles, out_.ld, first, 0);
      for (std::int64_t sample = 0; sample < count; ++sample) {
        const T* board = out_.gradient + (first + sample) * out_.squares * out_.ld;
        for (int i = 0; i < tile_count_; ++i) {
          pass.kernels.tile(side_, TilePass::output_gradient,
                            {board, out_squares_.data() + i * side_ * side_,
                             tile(y, out_.ld, sample, i), rows_.data(), out_.ld, nullptr});
        }
      }
      if (turned_ == nullptr) continue;
      T* const x = tile(dx_tiles, in_.ld, begin, 0);
      multiply(pass, y, out_.ld, turned_, x, in_.ld, out_.cols, count);
      for (std::int64_t sample = 0; sample < count; ++sample) {
        T* board = in_.gradient + (first + sample) * in_.squares * in_.ld;
        std::fill_n(board, in_.squares * in_.ld, T(0));
        for (int i = 0; i < tile_count_; ++i) {
          pass.kernels.tile(side_, TilePass::input_gradient,
                            {tile(x, in_.ld, sample, i), rows_.data(), board,
                             in_squares_.data() + i * positions_, in_.ld, nullptr});
        }
      }
    }
  });
  const int squares = tile_count_ * positions_;
  const GatherOuter<T> outer = {kept_,     in_.ld,  y_tiles, out_.ld,      weight_gradient_,
                                in_.cols,  squares, squares, pass.samples, tables_.pairs(),
                                Rule::sgd, nullptr};
  for_rows(pass, std::int64_t{positions_} * in_.cols,
           2.0 * static_cast<double>(pass.samples) * tile_count_ * out_.ld,
           [&](std::int64_t begin, std::int64_t end) {
             pass.kernels.outer(outer, static_cast<int>(begin), static_cast<int>(end));
           });
  for (int row = 0; row < in_.cols; ++row) {
    const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(row) * out_.ld;
    pass.kernels.tile(side_, TilePass::weight_gradient,
                      {weight_gradient_ + at, numbers_.data(), weight_gradient + at, taps_.data(),
                       out_.ld, nullptr});
  }
}

template class FastConvolution<float>;
template class FastConvolution<double>;

}  // namespace damier::nn
