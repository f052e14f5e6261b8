// The arithmetic of the network engine, behind one header. It is written once (kernels_body.h),
// compiled for several instruction sets, and chosen at run time.
//
// Every tensor is a matrix: rows are samples, or samples times squares; columns are features or
// channels. A row takes `ld` elements, a multiple of kPad, and starts at a multiple of 64 bytes.
// The columns between the last real one and `ld` are zero in weights and in gradients, so that no
// kernel has a tail.
#pragma once

#include <cstddef>
#include <cstdint>

#include "damier/base/parallel/isa.h"

namespace damier::nn {

inline constexpr int kPad = 16;
constexpr int padded(int columns) { return (columns + kPad - 1) / kPad * kPad; }

// Squares of a board that read the same taps: the inner ones all nine of a 3x3 convolution, a
// corner four. Rows of one class are worked on together, and taps that fall outside the board cost
// nothing.
struct TapClass {
  const std::int32_t* squares;  // the output squares
  int square_count;
  const std::int32_t* taps;  // the taps they read
  int tap_count;
  const std::int32_t* sources;  // (squares, taps): the input square that a tap reads
};

// A sum of products over taps: a dense layer has one, a 3x3 convolution nine.
template <class T>
struct GatherProduct {
  const T* x;  // (samples * in_squares, ldx)
  int ldx;
  const T* w;     // (taps, inner, ldy)
  const T* bias;  // (ldy), or null
  T* y;           // (samples * out_squares, ldy)
  int ldy;
  int inner;  // columns of x that count
  int in_squares;
  int out_squares;
};

enum class Rule : std::uint8_t { sgd, rmsprop, adam, adamw };

// What one step of an optimiser needs, for a run of parameters.
template <class T>
struct Update {
  T* value;
  const T* gradient;
  T* first;   // momentum, or Adam's mean of gradients
  T* second;  // mean of squared gradients
  std::size_t count;
  T rate;
  T momentum;     // SGD's momentum; Adam's beta1
  T decay;        // RMSProp's alpha; Adam's beta2
  T first_share;  // 1 - beta1 and 1 - beta2 (or alpha), taken before rounding
  T second_share;
  T epsilon;
  T weight_decay;  // coupled (added to the gradient) or, for AdamW, decoupled
  T scale;         // of the gradient: clipping
  T bias1;         // Adam: 1 - beta1^t
  T bias2;
};

// One tap of the gradient of the weights: dw[k] = sum over its pairs of x[source][k] * dy[square].
struct TapPairs {
  const std::int32_t* squares;  // of the output
  const std::int32_t* sources;  // of the input
  int count;
};

template <class T>
struct GatherOuter {
  const T* x;
  int ldx;
  const T* dy;  // (samples * out_squares, ldy)
  int ldy;
  T* dw;  // (taps, inner, ldy), overwritten
  int inner;
  int in_squares;
  int out_squares;
  int samples;
  const TapPairs* pairs;  // one a tap
  // The step to take with each part of dw as soon as it is there, while it is in the first cache;
  // null for none. Its pointers are those of the whole parameter.
  Rule rule;
  const Update<T>* update;
};

// The steps of a fast 3x3 convolution (tiles.h), each on one tile of m x m outputs.
enum class TilePass : std::uint8_t {
  input,            // m+2 x m+2 squares of the input -> its (m+2)^2 numbers
  output,           // (m+2)^2 products -> m x m squares of the output, plus the bias
  output_gradient,  // the way back of `output`
  input_gradient,   // the way back of `input`; added to what is there
  weights,          // 3 x 3 taps -> their (m+2)^2 numbers
  weight_gradient,  // the way back of `weights`
};

template <class T>
struct TileStep {
  const T* from;
  const std::int32_t* from_at;  // the row of each position, `ld` apart; -1: outside, zero
  T* to;
  const std::int32_t* to_at;  // -1: outside, dropped
  int ld;
  const T* bias;  // for `output`; null: none
};

inline constexpr int kTileSides[] = {4, 5};  // the m that there are

enum class Curve : std::uint8_t {
  sigmoid,
  tanh,
  relu,
  leaky_relu,
  clipped_relu,
  squared_clipped_relu
};

inline constexpr double kLeak = 0.01;  // slope of leaky ReLU below zero

template <class T>
struct Kernels {
  const char* name;
  // Rows [begin, end) of one class, whose row r is square r % square_count of sample r /
  // square_count.
  void (*product)(const GatherProduct<T>&, const TapClass&, std::int64_t begin, std::int64_t end);
  // y[r][k] = sum over n of x[r][n] * w[k][n] for rows [begin, end): a product with the transpose,
  // for few rows. x is (rows, ldx), w is (inner, ldx), y is (rows, ldy); columns of y from inner on
  // are 0.
  void (*product_with_transpose)(const T* x, int ldx, const T* w, T* y, int ldy, int inner,
                                 std::int64_t begin, std::int64_t end);
  // Rows [begin, end) of dw, seen as (taps * inner, ldy).
  void (*outer)(const GatherOuter<T>&, int begin, int end);
  void (*tile)(int side, TilePass, const TileStep<T>&);
  void (*curve)(Curve, const T* x, T* y, std::size_t count);
  // dx = dy * f'(x), from x and y = f(x).
  void (*curve_gradient)(Curve, const T* x, const T* y, const T* dy, T* dx, std::size_t count);
  // y = exp(x); relative error below 2 units in the last place.
  void (*exponential)(const T* x, T* y, std::size_t count);
  // out[c] = sum over rows of m[row][c], in the order of the rows.
  void (*column_sums)(const T* m, int ld, std::int64_t rows, T* out);
  // Columns [begin, end) of out = start (or 0 where it is null) + the rows of w that `rows` names,
  // added up in their order; and the way back, which adds dy to these rows of dw.
  void (*sum_rows)(const T* w, int ld, const std::int32_t* rows, int count, const T* start, T* out,
                   int begin, int end);
  void (*add_to_rows)(const T* dy, const std::int32_t* rows, int count, T* dw, int ld, int begin,
                      int end);
  void (*update)(Rule, const Update<T>&);
};

struct KernelSet {
  Kernels<float> floats;
  Kernels<double> doubles;

  template <class T>
  const Kernels<T>& of() const {
    if constexpr (sizeof(T) == sizeof(float)) {
      return floats;
    } else {
      return doubles;
    }
  }
};
extern const KernelSet k_plain_kernels, k_sse42_kernels, k_avx2_kernels, k_avx512_kernels;

// The kernels of an instruction set; null where it was not compiled in or the processor lacks it.
template <class T>
const Kernels<T>* kernels_of(Isa isa);

// The widest that this processor can run.
template <class T>
const Kernels<T>& best_kernels();

}  // namespace damier::nn
