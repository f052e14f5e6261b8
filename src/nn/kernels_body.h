// The kernels, included once for each instruction set by a file that is compiled with its flags.
// Nothing here may come out as a shared inline function: internal linkage, builtins and plain loops
// only (the test PortableObjects checks it).
//
// The two products hold a block of results in registers: kBlockRows rows by two vectors, kFewRows
// by four for what is left, and one by eight, so that the sums never wait for each other.
#pragma once

#include <cstddef>
#include <cstdint>

#include "damier/nn/kernels.h"

namespace damier::nn {
namespace {

#if defined(__AVX512F__)
constexpr std::size_t kVectorBytes = 64;
constexpr int kBlockRows = 12, kFewRows = 6;
#elif defined(__AVX2__)
constexpr std::size_t kVectorBytes = 32;
constexpr int kBlockRows = 6, kFewRows = 3;
#else
constexpr std::size_t kVectorBytes = 16;
constexpr int kBlockRows = 4, kFewRows = 3;
#endif

template <class T>
struct VectorOf {
  typedef T Type __attribute__((vector_size(kVectorBytes),
                                aligned(64 < kVectorBytes ? 64 : kVectorBytes), may_alias));
  static constexpr int kLanes = static_cast<int>(kVectorBytes / sizeof(T));
};

template <class T>
using Vec = typename VectorOf<T>::Type;

template <int... I>
struct Indices {};
template <int Count, int... I>
struct CountIndices : CountIndices<Count - 1, Count - 1, I...> {};
template <int... I>
struct CountIndices<0, I...> {
  using Type = Indices<I...>;
};
template <int Count>
using IndicesUpTo = typename CountIndices<Count>::Type;

#define DAMIER_UNROLL _Pragma("GCC unroll 16")

// y[rows][vectors] = bias + sum over taps and k of x * w; R rows of the class, V vectors at column
// n.
template <class T, int R, int V>
inline void product_block(const GatherProduct<T>& p, const TapClass& c, std::int64_t row, int n) {
  constexpr int L = VectorOf<T>::kLanes;
  Vec<T> sum[R][V];
  DAMIER_UNROLL for (int v = 0; v < V; ++v) {
    const Vec<T> start =
        p.bias != nullptr ? *reinterpret_cast<const Vec<T>*>(p.bias + n + v * L) : Vec<T>{};
    DAMIER_UNROLL for (int i = 0; i < R; ++i) sum[i][v] = start;
  }
  const T* base[R];
  const std::int32_t* sources[R];
  T* y[R];
  DAMIER_UNROLL for (int i = 0; i < R; ++i) {
    const std::int64_t sample = (row + i) / c.square_count, at = (row + i) % c.square_count;
    base[i] = p.x + sample * p.in_squares * p.ldx;
    sources[i] = c.sources + at * c.tap_count;
    y[i] = p.y + (sample * p.out_squares + c.squares[at]) * p.ldy + n;
  }
  for (int t = 0; t < c.tap_count; ++t) {
    const T* x[R];
    DAMIER_UNROLL for (int i = 0; i < R; ++i) {
      x[i] = base[i] + static_cast<std::int64_t>(sources[i][t]) * p.ldx;
    }
    const T* w = p.w + static_cast<std::int64_t>(c.taps[t]) * p.inner * p.ldy + n;
    for (int k = 0; k < p.inner; ++k, w += p.ldy) {
      Vec<T> column[V];
      DAMIER_UNROLL for (int v = 0; v < V; ++v) {
        column[v] = *reinterpret_cast<const Vec<T>*>(w + v * L);
      }
      DAMIER_UNROLL for (int i = 0; i < R; ++i) {
        const T factor = x[i][k];
        DAMIER_UNROLL for (int v = 0; v < V; ++v) sum[i][v] += factor * column[v];
      }
    }
  }
  DAMIER_UNROLL for (int i = 0; i < R; ++i) {
    DAMIER_UNROLL for (int v = 0; v < V; ++v) {
      *reinterpret_cast<Vec<T>*>(y[i] + v * L) = sum[i][v];
    }
  }
}

// All columns of R rows, V vectors at a time, then fewer.
template <class T, int R, int V>
inline void product_rows(const GatherProduct<T>& p, const TapClass& c, std::int64_t row,
                         int n = 0) {
  constexpr int L = VectorOf<T>::kLanes;
  for (; n + V * L <= p.ldy; n += V * L) product_block<T, R, V>(p, c, row, n);
  if constexpr (V > 1) {
    if (n < p.ldy) product_rows<T, R, V / 2>(p, c, row, n);
  }
}

// The last rows, fewer than kFewRows of them, all at once: every block reads all the weights.
template <class T, int R>
inline void product_rest(const GatherProduct<T>& p, const TapClass& c, std::int64_t row,
                         std::int64_t count) {
  if constexpr (R > 0) {
    if (count == R) return product_rows<T, R, (R <= 2 ? 8 : 4)>(p, c, row);
    product_rest<T, R - 1>(p, c, row, count);
  }
}

template <class T>
void product(const GatherProduct<T>& p, const TapClass& c, std::int64_t begin, std::int64_t end) {
  std::int64_t row = begin;
  for (; row + kBlockRows <= end; row += kBlockRows) product_rows<T, kBlockRows, 2>(p, c, row);
  for (; row + kFewRows <= end; row += kFewRows) product_rows<T, kFewRows, 4>(p, c, row);
  product_rest<T, kFewRows - 1>(p, c, row, end - row);
}

template <class T, int... I>
inline Vec<T> sums_of_neighbours(Vec<T> a, Vec<T> b, Indices<I...>) {
  return __builtin_shufflevector(a, b, (2 * I)...) + __builtin_shufflevector(a, b, (2 * I + 1)...);
}

// Lanes 0 and 1 of a, 2 and 3, ..., then those of b, added.
template <class T>
inline Vec<T> sums_of_neighbours(Vec<T> a, Vec<T> b) {
  return sums_of_neighbours<T>(a, b, IndicesUpTo<VectorOf<T>::kLanes>{});
}

// out[k] = the sum of the lanes of v[k].
template <class T, int K>
inline void lane_sums(const Vec<T>* v, T* out) {
  constexpr int L = VectorOf<T>::kLanes;
  if constexpr (K % 2 == 0 && L == 2) {
    for (int k = 0; k < K; k += 2) {
      const Vec<T> sums = sums_of_neighbours<T>(v[k], v[k + 1]);
      out[k] = sums[0];
      out[k + 1] = sums[1];
    }
  } else if constexpr (K == 4) {
    Vec<T> sums =
        sums_of_neighbours<T>(sums_of_neighbours<T>(v[0], v[1]), sums_of_neighbours<T>(v[2], v[3]));
    DAMIER_UNROLL for (int left = L / 4; left > 1; left /= 2) {
      sums = sums_of_neighbours<T>(sums, sums);
    }
    DAMIER_UNROLL for (int k = 0; k < K; ++k) out[k] = sums[k];
  } else {
    DAMIER_UNROLL for (int k = 0; k < K; ++k) {
      Vec<T> sums = v[k];
      DAMIER_UNROLL for (int left = L; left > 1; left /= 2) {
        sums = sums_of_neighbours<T>(sums, sums);
      }
      out[k] = sums[0];
    }
  }
}

template <class T, int R, int K>
inline void transpose_block(const T* x, int ldx, const T* w, T* y, int ldy) {
  constexpr int L = VectorOf<T>::kLanes;
  Vec<T> sum[R][K] = {};
  for (int n = 0; n < ldx; n += L) {
    Vec<T> column[K];
    DAMIER_UNROLL for (int k = 0; k < K; ++k) {
      column[k] = *reinterpret_cast<const Vec<T>*>(w + static_cast<std::int64_t>(k) * ldx + n);
    }
    DAMIER_UNROLL for (int i = 0; i < R; ++i) {
      const Vec<T> row =
          *reinterpret_cast<const Vec<T>*>(x + static_cast<std::int64_t>(i) * ldx + n);
      DAMIER_UNROLL for (int k = 0; k < K; ++k) sum[i][k] += row * column[k];
    }
  }
  DAMIER_UNROLL for (int i = 0; i < R; ++i) {
    lane_sums<T, K>(sum[i], y + static_cast<std::int64_t>(i) * ldy);
  }
}

template <class T, int R>
inline void transpose_rows(const T* x, int ldx, const T* w, T* y, int ldy, int inner) {
  int k = 0;
  for (; k + 4 <= inner; k += 4) {
    transpose_block<T, R, 4>(x, ldx, w + static_cast<std::int64_t>(k) * ldx, y + k, ldy);
  }
  for (; k < inner; ++k) {
    transpose_block<T, R, 1>(x, ldx, w + static_cast<std::int64_t>(k) * ldx, y + k, ldy);
  }
  for (int i = 0; i < R; ++i) {
    for (k = inner; k < ldy; ++k) y[static_cast<std::int64_t>(i) * ldy + k] = 0;
  }
}

template <class T>
void product_with_transpose(const T* x, int ldx, const T* w, T* y, int ldy, int inner,
                            std::int64_t begin, std::int64_t end) {
  std::int64_t row = begin;
  for (; row + kFewRows <= end; row += kFewRows) {
    transpose_rows<T, kFewRows>(x + row * ldx, ldx, w, y + row * ldy, ldy, inner);
  }
  for (; row + 2 <= end; row += 2) {
    transpose_rows<T, 2>(x + row * ldx, ldx, w, y + row * ldy, ldy, inner);
  }
  for (; row < end; ++row) transpose_rows<T, 1>(x + row * ldx, ldx, w, y + row * ldy, ldy, inner);
}

// Means of gradients that have become zero would fade through the denormal numbers, on which
// processors are many times slower; below this they make no difference to a step.
template <class T>
constexpr T kVanished = sizeof(T) == sizeof(float) ? T(1e-36) : T(1e-300);

template <class T>
inline T unless_vanished(T mean) {
  return mean < kVanished<T> && mean > -kVanished<T> ? T(0) : mean;
}

inline float root(float x) { return __builtin_sqrtf(x); }
inline double root(double x) { return __builtin_sqrt(x); }

template <class T>
void sgd(const Update<T>& u) {
  if (u.momentum == T(0)) {
    for (std::size_t i = 0; i < u.count; ++i) {
      u.value[i] -= u.rate * (u.gradient[i] * u.scale + u.weight_decay * u.value[i]);
    }
    return;
  }
  for (std::size_t i = 0; i < u.count; ++i) {
    const T g = u.gradient[i] * u.scale + u.weight_decay * u.value[i];
    u.first[i] = unless_vanished(u.momentum * u.first[i] + g);
    u.value[i] -= u.rate * u.first[i];
  }
}

template <class T>
void rmsprop(const Update<T>& u) {
  for (std::size_t i = 0; i < u.count; ++i) {
    const T g = u.gradient[i] * u.scale + u.weight_decay * u.value[i];
    u.second[i] = unless_vanished(u.decay * u.second[i] + u.second_share * g * g);
    u.value[i] -= u.rate * g / (root(u.second[i]) + u.epsilon);
  }
}

template <class T>
void adam(const Update<T>& u, bool decoupled) {
  const T coupled = decoupled ? T(0) : u.weight_decay;
  const T shrink = decoupled ? T(1) - u.rate * u.weight_decay : T(1);
  const T step = u.rate / u.bias1, second_scale = T(1) / root(u.bias2);
  for (std::size_t i = 0; i < u.count; ++i) {
    const T g = u.gradient[i] * u.scale + coupled * u.value[i];
    u.first[i] = unless_vanished(u.momentum * u.first[i] + u.first_share * g);
    u.second[i] = unless_vanished(u.decay * u.second[i] + u.second_share * g * g);
    u.value[i] =
        u.value[i] * shrink - step * u.first[i] / (root(u.second[i]) * second_scale + u.epsilon);
  }
}

template <class T>
void update(Rule rule, const Update<T>& u) {
  switch (rule) {
    case Rule::sgd:
      return sgd(u);
    case Rule::rmsprop:
      return rmsprop(u);
    case Rule::adam:
    case Rule::adamw:
      return adam(u, rule == Rule::adamw);
  }
}

// The step for `count` parameters from `start` on.
template <class T>
inline void update_part(Rule rule, Update<T> u, std::int64_t start, std::int64_t count) {
  u.value += start;
  u.gradient += start;
  if (u.first != nullptr) u.first += start;
  if (u.second != nullptr) u.second += start;
  u.count = static_cast<std::size_t>(count);
  update(rule, u);
}

// Plain SGD needs nothing but the gradient: the weights move straight from the sums in registers,
// and dw is never written.
template <class T>
inline bool steps_directly(const GatherOuter<T>& p) {
  return p.update != nullptr && p.rule == Rule::sgd && p.update->momentum == T(0);
}

// dw[k .. k + R][n .. n + V vectors] of one tap, over samples [first, last); added to what is there
// unless `first` is 0.
template <class T, int R, int V>
inline void outer_block(const GatherOuter<T>& p, int tap, int k, int n, int first, int last) {
  constexpr int L = VectorOf<T>::kLanes;
  T* dw = p.dw + (static_cast<std::int64_t>(tap) * p.inner + k) * p.ldy + n;
  Vec<T> sum[R][V] = {};
  if (first > 0) {
    DAMIER_UNROLL for (int i = 0; i < R; ++i) {
      DAMIER_UNROLL for (int v = 0; v < V; ++v) {
        sum[i][v] =
            *reinterpret_cast<const Vec<T>*>(dw + static_cast<std::int64_t>(i) * p.ldy + v * L);
      }
    }
  }
  const TapPairs pairs = p.pairs[tap];
  for (int sample = first; sample < last; ++sample) {
    const T* x_base = p.x + static_cast<std::int64_t>(sample) * p.in_squares * p.ldx + k;
    const T* dy_base = p.dy + static_cast<std::int64_t>(sample) * p.out_squares * p.ldy + n;
    for (int pair = 0; pair < pairs.count; ++pair) {
      const T* x = x_base + static_cast<std::int64_t>(pairs.sources[pair]) * p.ldx;
      const T* dy = dy_base + static_cast<std::int64_t>(pairs.squares[pair]) * p.ldy;
      Vec<T> row[V];
      DAMIER_UNROLL for (int v = 0; v < V; ++v) {
        row[v] = *reinterpret_cast<const Vec<T>*>(dy + v * L);
      }
      DAMIER_UNROLL for (int i = 0; i < R; ++i) {
        const T factor = x[i];
        DAMIER_UNROLL for (int v = 0; v < V; ++v) sum[i][v] += factor * row[v];
      }
    }
  }
  if (steps_directly(p) && last == p.samples) {
    const Update<T>& u = *p.update;
    T* w = u.value + (dw - p.dw);
    DAMIER_UNROLL for (int i = 0; i < R; ++i) {
      DAMIER_UNROLL for (int v = 0; v < V; ++v) {
        auto* value = reinterpret_cast<Vec<T>*>(w + static_cast<std::int64_t>(i) * p.ldy + v * L);
        *value -= u.rate * (sum[i][v] * u.scale + u.weight_decay * *value);
      }
    }
    return;
  }
  DAMIER_UNROLL for (int i = 0; i < R; ++i) {
    DAMIER_UNROLL for (int v = 0; v < V; ++v) {
      *reinterpret_cast<Vec<T>*>(dw + static_cast<std::int64_t>(i) * p.ldy + v * L) = sum[i][v];
    }
  }
}

template <class T, int R, int V>
inline void outer_rows(const GatherOuter<T>& p, int tap, int k, int first, int last, int n = 0) {
  constexpr int L = VectorOf<T>::kLanes;
  for (; n + V * L <= p.ldy; n += V * L) outer_block<T, R, V>(p, tap, k, n, first, last);
  if constexpr (V > 1) {
    if (n < p.ldy) outer_rows<T, R, V / 2>(p, tap, k, first, last, n);
  }
}

// The last rows of a tap, fewer than kFewRows of them.
template <class T, int R>
inline void outer_rest(const GatherOuter<T>& p, int tap, int k, int first, int last, int count) {
  if constexpr (R > 0) {
    if (count == R) return outer_rows<T, R, (R <= 2 ? 8 : 4)>(p, tap, k, first, last);
    outer_rest<T, R - 1>(p, tap, k, first, last, count);
  }
}

// Plain SGD after a single sample: every row of the weights moves by a multiple of dy, in one sweep
// over the memory. Rows whose input is zero, as most are in a one-hot encoding, stay as they are.
template <class T>
void step_single(const GatherOuter<T>& p, int begin, int end) {
  constexpr int L = VectorOf<T>::kLanes;
  const T rate = p.update->rate;
  for (int k = begin; k < end; ++k) {
    const T factor = p.x[k];
    if (factor == T(0)) continue;
    T* w = p.update->value + static_cast<std::int64_t>(k) * p.ldy;
    for (int n = 0; n < p.ldy; n += L) {
      *reinterpret_cast<Vec<T>*>(w + n) -=
          rate * (factor * *reinterpret_cast<const Vec<T>*>(p.dy + n));
    }
  }
}

template <class T>
void outer(const GatherOuter<T>& p, int begin, int end) {
  if (steps_directly(p) && p.samples == 1 && p.in_squares == 1 && p.update->scale == T(1) &&
      p.update->weight_decay == T(0)) {
    return step_single(p, begin, end);
  }
  // Slices of the batch whose rows stay in the second cache while all of dw passes over them.
  constexpr std::int64_t kSliceBytes = 400 << 10;
  const std::int64_t sample_bytes =
      (static_cast<std::int64_t>(p.in_squares) * p.ldx + p.out_squares * p.ldy) *
      static_cast<std::int64_t>(sizeof(T));
  const auto slice =
      static_cast<int>(kSliceBytes / sample_bytes > 8 ? kSliceBytes / sample_bytes : 8);
  for (int first = 0; first < p.samples; first += slice) {
    const int last = first + slice < p.samples ? first + slice : p.samples;
    for (int row = begin; row < end;) {
      const int tap = row / p.inner, k = row % p.inner;
      const int here = end - row < p.inner - k ? end - row : p.inner - k;  // rows left of this tap
      const auto step = [&](int at, int rows) {
        if (rows == 0 || p.update == nullptr || last < p.samples || steps_directly(p)) return;
        update_part(p.rule, *p.update, static_cast<std::int64_t>(row + at) * p.ldy,
                    static_cast<std::int64_t>(rows) * p.ldy);
      };
      int done = 0;
      for (; done + kBlockRows <= here; done += kBlockRows) {
        outer_rows<T, kBlockRows, 2>(p, tap, k + done, first, last);
        step(done, kBlockRows);
      }
      for (; done + kFewRows <= here; done += kFewRows) {
        outer_rows<T, kFewRows, 4>(p, tap, k + done, first, last);
        step(done, kFewRows);
      }
      outer_rest<T, kFewRows - 1>(p, tap, k + done, first, last, here - done);
      step(done, here - done);
      row += here;
    }
  }
}

// exp(x) = 2^n * e^r with |r| <= ln 2 / 2; a polynomial for e^r, the exponent's bits for 2^n.
inline float exp_of(float x) {
  x = x < -87.0f ? -87.0f : x;
  x = x > 88.0f ? 88.0f : x;
  const float shifted = x * 1.44269504088896341f + 12582912.0f;  // 1.5 * 2^23: rounds to nearest
  const float n = shifted - 12582912.0f;
  const float r = (x - n * 0.693359375f) - n * -2.12194440e-4f;
  float p = 1.9875691500e-4f;
  p = p * r + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  const float e = (p * r) * r + r + 1.0f;
  const auto power = static_cast<std::int32_t>(n);
  return e * __builtin_bit_cast(float, (power + 127) << 23);
}

inline double exp_of(double x) {
  x = x < -708.0 ? -708.0 : x;
  x = x > 709.0 ? 709.0 : x;
  const double shifted = x * 1.4426950408889634074 + 6755399441055744.0;  // 1.5 * 2^52
  const double n = shifted - 6755399441055744.0;
  const double r = (x - n * 6.93147180369123816490e-01) - n * 1.90821492927058770002e-10;
  // Taylor to the 13th power: the remainder is below 2^-58 for |r| <= ln 2 / 2.
  double p = 1.0 / 6227020800.0;
  p = p * r + 1.0 / 479001600.0;
  p = p * r + 1.0 / 39916800.0;
  p = p * r + 1.0 / 3628800.0;
  p = p * r + 1.0 / 362880.0;
  p = p * r + 1.0 / 40320.0;
  p = p * r + 1.0 / 5040.0;
  p = p * r + 1.0 / 720.0;
  p = p * r + 1.0 / 120.0;
  p = p * r + 1.0 / 24.0;
  p = p * r + 1.0 / 6.0;
  p = p * r + 0.5;
  const double e = (p * r) * r + r + 1.0;
  const auto power = static_cast<std::int64_t>(n);
  return e * __builtin_bit_cast(double, (power + 1023) << 52);
}

template <class T>
void exponential(const T* x, T* y, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) y[i] = exp_of(x[i]);
}

template <class T>
void curve(Curve kind, const T* x, T* y, std::size_t count) {
  switch (kind) {
    case Curve::sigmoid:
      for (std::size_t i = 0; i < count; ++i) y[i] = T(1) / (T(1) + exp_of(-x[i]));
      return;
    case Curve::tanh:
      for (std::size_t i = 0; i < count; ++i) y[i] = T(2) / (T(1) + exp_of(T(-2) * x[i])) - T(1);
      return;
    case Curve::relu:
      for (std::size_t i = 0; i < count; ++i) y[i] = x[i] > T(0) ? x[i] : T(0);
      return;
    case Curve::leaky_relu:
      for (std::size_t i = 0; i < count; ++i) y[i] = x[i] > T(0) ? x[i] : T(kLeak) * x[i];
      return;
    case Curve::clipped_relu:
      for (std::size_t i = 0; i < count; ++i) {
        const T low = x[i] > T(0) ? x[i] : T(0);
        y[i] = low < T(1) ? low : T(1);
      }
      return;
    case Curve::squared_clipped_relu:
      for (std::size_t i = 0; i < count; ++i) {
        const T low = x[i] > T(0) ? x[i] : T(0);
        const T clipped = low < T(1) ? low : T(1);
        y[i] = clipped * clipped;
      }
      return;
  }
}

template <class T>
void curve_gradient(Curve kind, const T* x, const T* y, const T* dy, T* dx, std::size_t count) {
  switch (kind) {
    case Curve::sigmoid:
      for (std::size_t i = 0; i < count; ++i) dx[i] = dy[i] * y[i] * (T(1) - y[i]);
      return;
    case Curve::tanh:
      for (std::size_t i = 0; i < count; ++i) dx[i] = dy[i] * (T(1) - y[i] * y[i]);
      return;
    case Curve::relu:
      for (std::size_t i = 0; i < count; ++i) dx[i] = x[i] > T(0) ? dy[i] : T(0);
      return;
    case Curve::leaky_relu:
      for (std::size_t i = 0; i < count; ++i) dx[i] = x[i] > T(0) ? dy[i] : T(kLeak) * dy[i];
      return;
    case Curve::clipped_relu:
      for (std::size_t i = 0; i < count; ++i) {
        const T inside = x[i] > T(0) ? dy[i] : T(0);
        dx[i] = x[i] < T(1) ? inside : T(0);
      }
      return;
    case Curve::squared_clipped_relu:
      for (std::size_t i = 0; i < count; ++i) {
        const T inside = x[i] > T(0) ? T(2) * x[i] * dy[i] : T(0);
        dx[i] = x[i] < T(1) ? inside : T(0);
      }
      return;
  }
}

template <class T>
void column_sums(const T* m, int ld, std::int64_t rows, T* out) {
  constexpr int L = VectorOf<T>::kLanes;
  for (int n = 0; n < ld; n += L) {
    Vec<T> sum = {};
    for (std::int64_t row = 0; row < rows; ++row) {
      sum += *reinterpret_cast<const Vec<T>*>(m + row * ld + n);
    }
    *reinterpret_cast<Vec<T>*>(out + n) = sum;
  }
}

// The sums of a block of columns stay in registers while all rows pass. `out` need not be aligned.
template <class T, int V>
inline void sum_rows_block(const T* w, int ld, const std::int32_t* rows, int count, const T* start,
                           T* out, int n) {
  constexpr int L = VectorOf<T>::kLanes;
  Vec<T> sum[V];
  DAMIER_UNROLL for (int v = 0; v < V; ++v) {
    sum[v] = start != nullptr ? *reinterpret_cast<const Vec<T>*>(start + n + v * L) : Vec<T>{};
  }
  for (int i = 0; i < count; ++i) {
    const T* row = w + static_cast<std::int64_t>(rows[i]) * ld + n;
    DAMIER_UNROLL for (int v = 0; v < V; ++v) {
      sum[v] += *reinterpret_cast<const Vec<T>*>(row + v * L);
    }
  }
  DAMIER_UNROLL for (int v = 0; v < V; ++v) {
    __builtin_memcpy(out + n + v * L, &sum[v], sizeof sum[v]);
  }
}

template <class T>
void sum_rows(const T* w, int ld, const std::int32_t* rows, int count, const T* start, T* out,
              int begin, int end) {
  constexpr int L = VectorOf<T>::kLanes;
  int n = begin;
  for (; n + 8 * L <= end; n += 8 * L) sum_rows_block<T, 8>(w, ld, rows, count, start, out, n);
  for (; n + L <= end; n += L) sum_rows_block<T, 1>(w, ld, rows, count, start, out, n);
  for (; n < end; ++n) {
    T sum = start != nullptr ? start[n] : T(0);
    for (int i = 0; i < count; ++i) sum += w[static_cast<std::int64_t>(rows[i]) * ld + n];
    out[n] = sum;
  }
}

template <class T>
void add_to_rows(const T* dy, const std::int32_t* rows, int count, T* dw, int ld, int begin,
                 int end) {
  constexpr int L = VectorOf<T>::kLanes;
  int n = begin;
  for (; n + L <= end; n += L) {
    Vec<T> add;
    __builtin_memcpy(&add, dy + n, sizeof add);
    for (int i = 0; i < count; ++i) {
      *reinterpret_cast<Vec<T>*>(dw + static_cast<std::int64_t>(rows[i]) * ld + n) += add;
    }
  }
  for (; n < end; ++n) {
    for (int i = 0; i < count; ++i) dw[static_cast<std::int64_t>(rows[i]) * ld + n] += dy[n];
  }
}

}  // namespace
}  // namespace damier::nn

#include "damier/nn/tiles_body.h"

namespace damier::nn {
namespace {

template <class T>
constexpr Kernels<T> make_kernels_of(const char* name) {
  return {.name = name,
          .product = product<T>,
          .product_with_transpose = product_with_transpose<T>,
          .outer = outer<T>,
          .tile = tile<T>,
          .curve = curve<T>,
          .curve_gradient = curve_gradient<T>,
          .exponential = exponential<T>,
          .column_sums = column_sums<T>,
          .sum_rows = sum_rows<T>,
          .add_to_rows = add_to_rows<T>,
          .update = update<T>};
}

constexpr KernelSet make_kernels(const char* name) {
  return {make_kernels_of<float>(name), make_kernels_of<double>(name)};
}

#undef DAMIER_UNROLL

}  // namespace
}  // namespace damier::nn
