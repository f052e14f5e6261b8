// The steps into and out of the tiles of a fast 3x3 convolution (tiles.h), for kernels_body.h.
//
// All six are out = L in L^T with a small constant matrix L, on vectors of channels; the constants
// are known to the compiler, so zeros cost nothing.
#pragma once

#include "damier/nn/tiles.h"

namespace damier::nn {
namespace {

// A matrix as a type, so that its entries are constants in every expression.
template <int M>
struct InputMatrix {
  static constexpr auto kValue = kTileMatrices<M>.input;
};
template <int M>
struct InputGradientMatrix {
  static constexpr auto kValue = kTileMatrices<M>.input.transposed();
};
template <int M>
struct OutputMatrix {
  static constexpr auto kValue = kTileMatrices<M>.output;
};
template <int M>
struct OutputGradientMatrix {
  static constexpr auto kValue = kTileMatrices<M>.output.transposed();
};
template <int M>
struct WeightMatrix {
  static constexpr auto kValue = kTileMatrices<M>.weights;
};
template <int M>
struct WeightGradientMatrix {
  static constexpr auto kValue = kTileMatrices<M>.weights.transposed();
};

// sum += L[row][col] * x
template <class T, class L, int kRow, int kCol>
inline void add_scaled(Vec<T>& sum, const Vec<T>& x) {
  constexpr double kFactor = L::kValue.at[kRow][kCol];
  if constexpr (kFactor == 1.0) {
    sum += x;
  } else if constexpr (kFactor == -1.0) {
    sum -= x;
  } else if constexpr (kFactor != 0.0) {
    sum += static_cast<T>(kFactor) * x;
  }
}

// sum over i of L[row][i] * x[i * stride]
template <class T, class L, int kRow, int kStride, int... I>
inline Vec<T> row_product(const Vec<T>* x, Indices<I...>) {
  Vec<T> sum = {};
  (add_scaled<T, L, kRow, I>(sum, x[I * kStride]), ...);
  return sum;
}

template <class T, class L, int kIn, int kStride, int kOutStride, int... R>
inline void column_product(const Vec<T>* x, Vec<T>* y, Indices<R...>) {
  ((y[R * kOutStride] = row_product<T, L, R, kStride>(x, IndicesUpTo<kIn>{})), ...);
}

// One vector of channels at column `at` of every position.
template <class T, class L, int kOut, int kIn, bool kAdds>
inline void tile_vector(const TileStep<T>& p, int at) {
  Vec<T> x[kIn * kIn], half[kOut * kIn], y[kOut * kOut];
  for (int i = 0; i < kIn * kIn; ++i) {
    x[i] = p.from_at[i] < 0 ? Vec<T>{}
                            : *reinterpret_cast<const Vec<T>*>(
                                  p.from + static_cast<std::int64_t>(p.from_at[i]) * p.ld + at);
  }
  for (int c = 0; c < kIn; ++c) {
    column_product<T, L, kIn, kIn, kIn>(x + c, half + c, IndicesUpTo<kOut>{});
  }
  for (int r = 0; r < kOut; ++r) {
    column_product<T, L, kIn, 1, 1>(half + r * kIn, y + r * kOut, IndicesUpTo<kOut>{});
  }
  const Vec<T> bias = p.bias != nullptr ? *reinterpret_cast<const Vec<T>*>(p.bias + at) : Vec<T>{};
  for (int i = 0; i < kOut * kOut; ++i) {
    if (p.to_at[i] < 0) continue;
    auto* to = reinterpret_cast<Vec<T>*>(p.to + static_cast<std::int64_t>(p.to_at[i]) * p.ld + at);
    if constexpr (kAdds) {
      *to += y[i];
    } else {
      *to = y[i] + bias;
    }
  }
}

template <class T, class L, int kOut, int kIn, bool kAdds = false>
inline void tile_all(const TileStep<T>& p) {
  for (int at = 0; at < p.ld; at += VectorOf<T>::kLanes) tile_vector<T, L, kOut, kIn, kAdds>(p, at);
}

template <class T, int M>
inline void tile_of(TilePass pass, const TileStep<T>& p) {
  constexpr int N = TileMatrices<M>::kSide;
  switch (pass) {
    case TilePass::input:
      return tile_all<T, InputMatrix<M>, N, N>(p);
    case TilePass::output:
      return tile_all<T, OutputMatrix<M>, M, N>(p);
    case TilePass::output_gradient:
      return tile_all<T, OutputGradientMatrix<M>, N, M>(p);
    case TilePass::input_gradient:
      return tile_all<T, InputGradientMatrix<M>, N, N, true>(p);
    case TilePass::weights:
      return tile_all<T, WeightMatrix<M>, N, kKernelSide>(p);
    case TilePass::weight_gradient:
      return tile_all<T, WeightGradientMatrix<M>, kKernelSide, N>(p);
  }
}

template <class T>
void tile(int side, TilePass pass, const TileStep<T>& p) {
  if (side == 4) return tile_of<T, 4>(pass, p);
  return tile_of<T, 5>(pass, p);
}

}  // namespace
}  // namespace damier::nn
