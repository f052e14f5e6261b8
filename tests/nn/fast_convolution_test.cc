// Convolutions by tiles against loops over the definition, on every instruction set of this
// machine.

#include "damier/nn/fast_convolution.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "damier/base/numbers/random.h"
#include "damier/nn/tiles.h"

namespace damier::nn {
namespace {

struct Case {
  int side, rows, cols, in, out, samples;
  bool same_padding;
};

constexpr Case kCases[] = {
    {4, 8, 8, 32, 32, 13, true}, {5, 5, 5, 17, 40, 3, true},  {4, 3, 7, 16, 16, 2, true},
    {5, 10, 6, 20, 16, 5, true}, {4, 9, 9, 16, 33, 1, false}, {5, 3, 3, 16, 16, 4, false},
    {4, 1, 1, 16, 16, 3, true},
};

ConvolutionShape convolution(const Case& c) {
  const int lost = c.same_padding ? 0 : 2;
  return {
      {c.in, c.rows, c.cols, true}, {c.out, c.rows - lost, c.cols - lost, true}, 3, c.same_padding};
}

template <class T>
struct Run {
  std::vector<T> y, dx, dw;
  bool operator==(const Run&) const = default;
};

// One pass forward and one backward; inputs, weights and the gradient of the output are random.
template <class T>
class Convolution {
 public:
  explicit Convolution(const Case& c) : spec_(convolution(c)), case_(c) {
    in_ = builder_.block(spec_.in, true);
    out_ = builder_.block(spec_.out, true);
    fill(in_.value, in_.count(c.samples), in_);
    fill(out_.gradient, out_.count(c.samples), out_);
    const std::size_t count =
        static_cast<std::size_t>(9 * c.in) * static_cast<std::size_t>(out_.ld);
    weights_ = memory_.take(count);
    gradient_ = memory_.take(count);
    bias_ = memory_.take(static_cast<std::size_t>(out_.ld));
    fill(weights_, count, out_);
    fill(bias_, static_cast<std::size_t>(out_.ld), out_);
  }

  Run<T> fast(const Kernels<T>& kernels, ThreadPool* pool) {
    FastConvolution<T> convolution(spec_, case_.side, in_, out_, builder_);
    workspace_->data = memory_.take(workspace_->count);
    const Pass<T> pass = {kernels, pool, case_.samples, true};
    convolution.take_weights(kernels, weights_);
    convolution.forward(pass, bias_);
    convolution.backward(pass, gradient_);
    const std::size_t weights = static_cast<std::size_t>(9 * case_.in * out_.ld);
    return {{out_.value, out_.value + out_.count(case_.samples)},
            {in_.gradient, in_.gradient + in_.count(case_.samples)},
            {gradient_, gradient_ + weights}};
  }

  // The definition, in doubles.
  Run<double> plain() const {
    Run<double> run;
    run.y.resize(out_.count(case_.samples));
    run.dx.resize(in_.count(case_.samples));
    run.dw.resize(static_cast<std::size_t>(9 * case_.in * out_.ld));
    const int shift = spec_.same_padding ? 1 : 0;
    for (int sample = 0; sample < case_.samples; ++sample) {
      for (int square = 0; square < out_.squares; ++square) {
        for (int tap = 0; tap < 9; ++tap) {
          const int row = square / spec_.out.cols + tap / 3 - shift;
          const int col = square % spec_.out.cols + tap % 3 - shift;
          const bool inside = row >= 0 && row < case_.rows && col >= 0 && col < case_.cols;
          for (int o = 0; o < case_.out; ++o) {
            const auto y = static_cast<std::size_t>((sample * out_.squares + square) * out_.ld + o);
            if (tap == 0) run.y[y] += static_cast<double>(bias_[o]);
            for (int i = 0; inside && i < case_.in; ++i) {
              const auto x = static_cast<std::size_t>(
                  (sample * in_.squares + row * case_.cols + col) * in_.ld + i);
              const auto w = static_cast<std::size_t>((tap * case_.in + i) * out_.ld + o);
              run.y[y] += static_cast<double>(in_.value[x]) * static_cast<double>(weights_[w]);
              run.dx[x] += static_cast<double>(out_.gradient[y]) * static_cast<double>(weights_[w]);
              run.dw[w] +=
                  static_cast<double>(out_.gradient[y]) * static_cast<double>(in_.value[x]);
            }
          }
        }
      }
    }
    return run;
  }

 private:
  // Columns beyond the last real one stay zero.
  void fill(T* data, std::size_t count, const Block<T>& block) {
    for (std::size_t i = 0; i < count; ++i) {
      const bool real = static_cast<int>(i % static_cast<std::size_t>(block.ld)) < block.cols;
      data[i] = real ? static_cast<T>(2 * random_.uniform() - 1) : T(0);
    }
  }

  ConvolutionShape spec_;
  Case case_;
  Memory<T> memory_, parameters_;
  std::shared_ptr<Workspace<T>> workspace_ = std::make_shared<Workspace<T>>();
  Builder<T> builder_{memory_, parameters_, workspace_, case_.samples, true};
  Block<T> in_, out_;
  T *weights_, *gradient_, *bias_;
  RandomStream random_{Seed{1}, "fast_convolution"};
};

template <class T>
double largest_difference(const std::vector<T>& a, const std::vector<double>& b) {
  double largest = 0;
  EXPECT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    largest = std::max(largest, std::abs(static_cast<double>(a[i]) - b[i]));
  }
  return largest;
}

template <class T>
class FastConvolutionTest : public ::testing::Test {};
using Floats = ::testing::Types<float, double>;
TYPED_TEST_SUITE(FastConvolutionTest, Floats);

TYPED_TEST(FastConvolutionTest, EqualsTheDefinitionForwardAndBackward) {
  using T = TypeParam;
  const double tolerance = sizeof(T) == 4 ? 2e-4 : 5e-13;
  for (const Case& c : kCases) {
    Convolution<T> convolution(c);
    const Run<double> plain = convolution.plain();
    for (const Isa isa : kAllIsas) {
      const Kernels<T>* kernels = kernels_of<T>(isa);
      if (kernels == nullptr) continue;
      SCOPED_TRACE(testing::Message() << kernels->name << " " << c.rows << "x" << c.cols);
      const Run<T> fast = convolution.fast(*kernels, nullptr);
      EXPECT_LE(largest_difference(fast.y, plain.y), tolerance);
      EXPECT_LE(largest_difference(fast.dx, plain.dx), tolerance);
      EXPECT_LE(largest_difference(fast.dw, plain.dw), tolerance);
    }
  }
}

TYPED_TEST(FastConvolutionTest, SameBitsOnAnyNumberOfThreads) {
  using T = TypeParam;
  Convolution<T> convolution({4, 8, 8, 32, 32, 50, true});
  const Run<T> alone = convolution.fast(best_kernels<T>(), nullptr);
  for (const int threads : {2, 4}) {
    ThreadPool pool(threads);
    EXPECT_TRUE(convolution.fast(best_kernels<T>(), &pool) == alone) << threads << " threads";
  }
}

TEST(FastConvolution, IsChosenWhereItSavesWork) {
  const auto side = [](int board, int channels, int batch, bool training) {
    return fast_tile_side(convolution({0, board, board, channels, channels, batch, true}), batch,
                          training);
  };
  EXPECT_EQ(side(8, 32, 64, true), 4);
  EXPECT_EQ(side(5, 64, 32, true), 5);
  EXPECT_EQ(side(8, 32, 1, false), 4);
  EXPECT_EQ(side(8, 8, 64, true), 0) << "too few channels";
  EXPECT_EQ(side(5, 96, 64, false), 5);
  EXPECT_EQ(side(5, 96, 1, false), 0) << "reading so many weights takes longer than the products";
  EXPECT_EQ(side(5, 64, 1, true), 0) << "the weights' way costs more than one sample saves";
}

TEST(FastConvolution, TheMatricesMakeAConvolution) {
  // A^T ((G w) * (B^T x)) is the correlation of x and w, in one dimension.
  constexpr auto m = kTileMatrices<4>;
  const double x[6] = {1, -2, 3, 5, -7, 11}, w[3] = {2, -3, 4};
  for (int o = 0; o < 4; ++o) {
    double sum = 0;
    for (int i = 0; i < 6; ++i) {
      double weights = 0, inputs = 0;
      for (int k = 0; k < 3; ++k) weights += m.weights.at[i][k] * w[k];
      for (int k = 0; k < 6; ++k) inputs += m.input.at[i][k] * x[k];
      sum += m.output.at[o][i] * weights * inputs;
    }
    EXPECT_NEAR(sum, x[o] * w[0] + x[o + 1] * w[1] + x[o + 2] * w[2], 1e-12);
  }
}

}  // namespace
}  // namespace damier::nn
