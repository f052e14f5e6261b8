// The fast kernels against loops over the definition, on every instruction set of this machine.

#include "damier/nn/kernels.h"

#include <cmath>
#include <cstring>
#include <vector>

#include <gtest/gtest.h>

#include "damier/base/numbers/random.h"
#include "damier/nn/fast_convolution.h"
#include "damier/nn/layer.h"

namespace damier::nn {
namespace {

template <class T>
class KernelsTest : public ::testing::Test {
 protected:
  T* filled(std::size_t count) {
    T* data = memory_.take(count);
    for (std::size_t i = 0; i < count; ++i) data[i] = static_cast<T>(2 * random_.uniform() - 1);
    return data;
  }
  Memory<T> memory_;
  RandomStream random_{Seed{1}, "kernels"};
};

using Floats = ::testing::Types<float, double>;
TYPED_TEST_SUITE(KernelsTest, Floats);

template <class T>
constexpr double kTolerance = sizeof(T) == 4 ? 2e-5 : 1e-13;

TYPED_TEST(KernelsTest, ProductsAreSumsOverTapsAndColumns) {
  using T = TypeParam;
  for (const int samples : {1, 3, 7, 30}) {
    for (const auto& [inner, outputs, taps, squares] :
         {std::tuple{5, 7, 1, 1}, {33, 100, 1, 1}, {3, 32, 9, 6}, {16, 16, 9, 6}}) {
      const int ldx = padded(inner), ldy = padded(outputs);
      std::vector<std::int32_t> source(static_cast<std::size_t>(squares * taps));
      for (auto& from : source) {
        from = static_cast<std::int32_t>(
                   this->random_.below(static_cast<std::uint64_t>(squares) + 1)) -
               1;
      }
      if (taps == 1) source[0] = 0;
      const TapTables tables(source, taps);
      const std::size_t rows = static_cast<std::size_t>(samples * squares);
      T* x = this->filled(rows * static_cast<std::size_t>(ldx));
      T* w = this->filled(static_cast<std::size_t>(taps * inner * ldy));
      T* bias = this->filled(static_cast<std::size_t>(ldy));
      T* y = this->memory_.take(rows * static_cast<std::size_t>(ldy));
      for (const Isa isa : kAllIsas) {
        const Kernels<T>* kernels = kernels_of<T>(isa);
        if (kernels == nullptr) continue;
        for (const TapClass& c : tables.classes()) {
          kernels->product({x, ldx, w, bias, y, ldy, inner, squares, squares}, c, 0,
                           std::int64_t{samples} * c.square_count);
        }
        for (int row = 0; row < samples * squares; ++row) {
          for (int n = 0; n < outputs; ++n) {
            double sum = static_cast<double>(bias[n]);
            for (int tap = 0; tap < taps; ++tap) {
              const int from = source[static_cast<std::size_t>(row % squares * taps + tap)];
              if (from < 0) continue;
              for (int k = 0; k < inner; ++k) {
                sum += static_cast<double>(x[(row / squares * squares + from) * ldx + k]) *
                       static_cast<double>(w[(tap * inner + k) * ldy + n]);
              }
            }
            ASSERT_NEAR(y[row * ldy + n], sum, kTolerance<T>) << kernels->name;
          }
        }
      }
    }
  }
}

TYPED_TEST(KernelsTest, OuterProductsAndTransposesAgreeWithTheDefinition) {
  using T = TypeParam;
  for (const int rows : {1, 5, 40}) {
    const int inner = 29, outputs = 21, ldx = padded(inner), ldy = padded(outputs);
    T* x = this->filled(static_cast<std::size_t>(rows * ldx));
    T* dy = this->memory_.take(static_cast<std::size_t>(rows * ldy));
    T* w = this->memory_.take(static_cast<std::size_t>(inner * ldy));
    for (int r = 0; r < rows; ++r) {
      for (int n = 0; n < outputs; ++n) dy[r * ldy + n] = static_cast<T>(this->random_.uniform());
    }
    for (int k = 0; k < inner; ++k) {
      for (int n = 0; n < outputs; ++n) w[k * ldy + n] = static_cast<T>(this->random_.uniform());
    }
    T* dw = this->memory_.take(static_cast<std::size_t>(inner * ldy));
    T* dx = this->filled(static_cast<std::size_t>(rows * ldx));
    T* sums = this->memory_.take(static_cast<std::size_t>(ldy));
    const TapTables tables({0}, 1);
    for (const Isa isa : kAllIsas) {
      const Kernels<T>* kernels = kernels_of<T>(isa);
      if (kernels == nullptr) continue;
      kernels->outer({x, ldx, dy, ldy, dw, inner, 1, 1, rows, tables.pairs(), Rule::sgd, nullptr},
                     0, inner);
      kernels->product_with_transpose(dy, ldy, w, dx, ldx, inner, 0, rows);
      kernels->column_sums(dy, ldy, rows, sums);
      for (int k = 0; k < inner; ++k) {
        for (int n = 0; n < outputs; ++n) {
          double sum = 0;
          for (int r = 0; r < rows; ++r) {
            sum += static_cast<double>(x[r * ldx + k]) * static_cast<double>(dy[r * ldy + n]);
          }
          ASSERT_NEAR(dw[k * ldy + n], sum, kTolerance<T>) << kernels->name;
        }
      }
      for (int r = 0; r < rows; ++r) {
        for (int k = 0; k < ldx; ++k) {
          double sum = 0;
          for (int n = 0; n < outputs && k < inner; ++n) {
            sum += static_cast<double>(dy[r * ldy + n]) * static_cast<double>(w[k * ldy + n]);
          }
          ASSERT_NEAR(dx[r * ldx + k], sum, kTolerance<T>) << kernels->name;
        }
      }
      for (int n = 0; n < ldy; ++n) {
        double sum = 0;
        for (int r = 0; r < rows; ++r) sum += static_cast<double>(dy[r * ldy + n]);
        ASSERT_NEAR(sums[n], sum, kTolerance<T>) << kernels->name;
      }
    }
  }
}

// Units in the last place between two numbers of the same sign.
template <class T>
double ulps(T a, T b) {
  const double unit = std::abs(static_cast<double>(std::nextafter(b, T(1e30)) - b));
  return std::abs(static_cast<double>(a) - static_cast<double>(b)) / unit;
}

TYPED_TEST(KernelsTest, TheExponentialIsWithinTwoUnitsInTheLastPlace) {
  using T = TypeParam;
  const double low = sizeof(T) == 4 ? -87 : -708, high = sizeof(T) == 4 ? 88 : 709;
  std::vector<T> x, y;
  for (double at = low; at <= high; at += (high - low) / 300000) x.push_back(static_cast<T>(at));
  for (int i = 0; i < 100000; ++i) x.push_back(static_cast<T>(2 * this->random_.uniform() - 1));
  y.resize(x.size());
  for (const Isa isa : kAllIsas) {
    const Kernels<T>* kernels = kernels_of<T>(isa);
    if (kernels == nullptr) continue;
    kernels->exponential(x.data(), y.data(), x.size());
    double worst = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      worst = std::max(worst, ulps(y[i], static_cast<T>(std::exp(static_cast<long double>(x[i])))));
    }
    EXPECT_LE(worst, 2.0) << kernels->name;
    // Far outside, it stays finite and does not wrap around.
    const T far[] = {T(-1e4), T(1e4)};
    T out[2];
    kernels->exponential(far, out, 2);
    EXPECT_GE(out[0], T(0));
    EXPECT_LT(out[0], T(1e-30));
    EXPECT_TRUE(std::isfinite(out[1]));
    EXPECT_GT(out[1], T(1e30));
  }
}

}  // namespace
}  // namespace damier::nn
