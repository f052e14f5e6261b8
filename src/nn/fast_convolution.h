// A 3x3 convolution by tiles (tiles.h): between two and three times fewer multiplications than the
// plain way, which stays as its reference. The tiles' numbers are multiplied by the same kernels as
// everything else: position p of all tiles is one matrix product with the weights of position p.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "damier/nn/layer.h"

namespace damier::nn {

// Which input squares the taps of a product read, as the kernels want it (kernels.h).
class TapTables {
 public:
  TapTables() = default;
  // source[square * taps + tap] is the input square, or -1 outside the board.
  TapTables(const std::vector<std::int32_t>& source, int taps);
  TapTables(const TapTables&) = delete;
  TapTables& operator=(const TapTables&) = delete;
  TapTables(TapTables&&) = default;  // the views point at storage that moves along
  TapTables& operator=(TapTables&&) = default;

  std::span<const TapClass> classes() const { return views_; }
  const TapPairs* pairs() const { return pairs_.data(); }

 private:
  struct Class {
    std::vector<std::int32_t> squares, taps, sources;
  };
  std::vector<Class> classes_;
  std::vector<std::vector<std::int32_t>> pair_squares_, pair_sources_;  // by tap
  std::vector<TapClass> views_;
  std::vector<TapPairs> pairs_;
};

// to[tap][o][i] = from[tap][i][o], for matrices of (in, ld_from) and (out, ld_to).
template <class T>
void turn_taps(const T* from, int ld_from, T* to, int ld_to, int taps, int in, int out);

// What a convolution reads and gives: the taps of `kernel` x `kernel` squares around each square
// that comes out. A dense layer is one of a single square.
struct ConvolutionShape {
  Shape in, out;
  int kernel = 1;
  bool same_padding = true;  // squares outside the board are zeros; otherwise none of them is read
};

// The side of the tiles that saves most, or 0 where the plain way is as good. A training step also
// pays for the weights' way into the tiles and back, whatever the batch.
int fast_tile_side(const ConvolutionShape& shape, int batch, bool training);

template <class T>
class FastConvolution {
 public:
  FastConvolution(const ConvolutionShape& shape, int side, Block<T> in, Block<T> out,
                  Builder<T>& builder);

  // To be called before forward() whenever the weights, (9, in, ld), have changed.
  void take_weights(const Kernels<T>& kernels, const T* weights);
  void forward(const Pass<T>& pass, const T* bias);
  // The gradient of the input, if it is asked for, and of the weights.
  void backward(const Pass<T>& pass, T* weight_gradient);

 private:
  T* tile(T* tiles, int ld, std::int64_t sample, int i) const {
    return tiles + (sample * tile_count_ + i) * positions_ * ld;
  }
  void multiply(const Pass<T>& pass, const T* x, int ldx, const T* w, T* y, int ldy, int inner,
                std::int64_t samples) const;
  double flops_per_sample() const;

  int side_;
  int positions_;
  int tile_count_;
  Block<T> in_;
  Block<T> out_;
  std::vector<std::int32_t> in_squares_;   // (tiles, positions)
  std::vector<std::int32_t> out_squares_;  // (tiles, side * side)
  std::vector<std::int32_t> rows_;         // 0, 1, 2, ...: where a tile's numbers lie
  std::vector<std::int32_t> taps_;         // where the rows of each tap begin
  std::vector<std::int32_t> numbers_;      // where the rows of each position's weights begin
  TapTables tables_;                       // position p reads the weights p
  T* weights_;                             // (positions, in, ld of out)
  T* turned_ = nullptr;                    // (positions, out, ld of in)
  T* weight_gradient_ = nullptr;           // as weights_
  T* kept_ = nullptr;  // the input's tiles, for the gradient of the weights; none in inference
  // Holds (samples, tiles, positions, ld of out) for the output's tiles, then the same for the
  // input's where they are not kept.
  std::shared_ptr<const Workspace<T>> workspace_;
  std::size_t y_count_;
};

}  // namespace damier::nn
