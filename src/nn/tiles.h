// The numbers behind fast 3x3 convolutions (Winograd, 1980; Lavin and Gray, 2016): m x m outputs of
// a convolution are a bilinear form that needs (m+2)^2 products instead of 9 m^2.
//
//   outputs = A^T ((G w G^T) * (B^T x B)) A
//
// w is the 3x3 kernel, x the (m+2)x(m+2) inputs, * the product number by number. The matrices come
// from evaluating and interpolating polynomials at the points below and at infinity; the points are
// those that lose the fewest bits among halves, ones and twos.
#pragma once

#include <cstddef>

namespace damier::nn {

inline constexpr int kKernelSide = 3;

template <int Rows, int Cols>
struct TileMatrix {
  double at[Rows][Cols] = {};

  constexpr TileMatrix<Cols, Rows> transposed() const {
    TileMatrix<Cols, Rows> turned;
    for (int r = 0; r < Rows; ++r) {
      for (int c = 0; c < Cols; ++c) turned.at[c][r] = at[r][c];
    }
    return turned;
  }
};

template <int M>
struct TilePoints;
template <>
struct TilePoints<4> {
  static constexpr double kPoints[] = {0, 1, -1, 0.5, -2};
};
template <>
struct TilePoints<5> {
  static constexpr double kPoints[] = {0, 1, -1, 0.5, -0.5, 2};
};

template <int M>
struct TileMatrices {
  static constexpr int kSide = M + kKernelSide - 1;
  TileMatrix<M, kSide> output;             // A^T
  TileMatrix<kSide, kKernelSide> weights;  // G
  TileMatrix<kSide, kSide> input;          // B^T
};

template <int M>
constexpr TileMatrices<M> make_tile_matrices() {
  constexpr int n = TileMatrices<M>::kSide, finite = n - 1;
  const auto& points = TilePoints<M>::kPoints;
  TileMatrices<M> made;
  for (int i = 0; i < n; ++i) {
    // The polynomial that is 0 at all finite points but the i-th, lowest power first.
    double product[n + 1] = {1};
    double norm = 1, largest = 0;
    int degree = 0;
    for (int k = 0; k < finite; ++k) {
      if (k == i) continue;
      for (int power = ++degree; power > 0; --power) {
        product[power] = product[power - 1] - points[k] * product[power];
      }
      product[0] *= -points[k];
      if (i < finite) norm *= points[i] - points[k];
    }
    // A power of two moves between the input's matrix and the weights': nothing is rounded.
    for (int c = 0; c < n; ++c) {
      const double size = product[c] < 0 ? -product[c] : product[c];
      largest = size > largest ? size : largest;
    }
    double scale = 1;
    while (largest * scale > 1.5) scale /= 2;
    for (int c = 0; c < n; ++c) made.input.at[i][c] = product[c] * scale;
    double power = 1;
    for (int c = 0; c < M || c < kKernelSide; ++c) {
      const bool at_infinity = i == finite;
      if (c < kKernelSide) {
        made.weights.at[i][c] =
            (at_infinity ? (c == kKernelSide - 1 ? 1 : 0) : power / norm) / scale;
      }
      if (c < M) made.output.at[c][i] = at_infinity ? (c == M - 1 ? 1 : 0) : power;
      if (!at_infinity) power *= points[i];
    }
  }
  return made;
}

template <int M>
inline constexpr TileMatrices<M> kTileMatrices = make_tile_matrices<M>();

}  // namespace damier::nn
