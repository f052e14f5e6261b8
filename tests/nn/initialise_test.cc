// First weights: the same seed gives the same bits as ever, and each kind spreads as it says.

#include <cmath>

#include <gtest/gtest.h>

#include "damier/nn/training.h"

namespace damier::nn {
namespace {

std::vector<float> first_weights(Initialisation how, int units) {
  Network<float> network(
      parse_network_text(R"({"input": [30], "layers": [{"type": "dense", "units": )" +
                             std::to_string(units) + "}]}",
                         "test")
          .value(),
      1, Use::inference);
  initialise(network, how, Seed{1});
  const Parameter<float>& weight = *network.parameters()[0];
  std::vector<float> all;
  for (int in = 0; in < weight.in; ++in) {
    const float* row = weight.value + in * weight.ld;
    all.insert(all.end(), row, row + weight.out);
  }
  return all;
}

struct Spread {
  double deviation = 0;
  double greatest = 0;
};

Spread spread_of(const std::vector<float>& weights) {
  Spread spread;
  for (const double value : weights) {
    spread.deviation += value * value / static_cast<double>(weights.size());
    spread.greatest = std::max(spread.greatest, std::abs(value));
  }
  spread.deviation = std::sqrt(spread.deviation);
  return spread;
}

// Models and published figures hang on these bits.
TEST(Initialise, TheSameSeedGivesTheSameBitsAsEver) {
  const auto first = [](Initialisation how) { return first_weights(how, 3)[0]; };
  EXPECT_EQ(first(Initialisation::xavier_uniform), -0x1.ed4692p-3f);
  EXPECT_EQ(first(Initialisation::he_uniform), -0x1.02ad0ap-2f);
  // The logarithm and the cosine behind these are another library's.
  EXPECT_FLOAT_EQ(first(Initialisation::xavier_normal), -0x1.162f1cp-3f);
  EXPECT_FLOAT_EQ(first(Initialisation::he_normal), -0x1.23c30ap-3f);
}

TEST(Initialise, TheVarianceFollowsFromTheLayer) {
  const double he = std::sqrt(2.0 / 30), xavier = std::sqrt(2.0 / 330);
  EXPECT_NEAR(spread_of(first_weights(Initialisation::he_normal, 300)).deviation, he, 0.02 * he);
  const Spread uniform = spread_of(first_weights(Initialisation::xavier_uniform, 300));
  EXPECT_NEAR(uniform.deviation, xavier, 0.02 * xavier);
  EXPECT_LE(uniform.greatest, std::sqrt(3) * xavier);
}

TEST(Initialise, UniformWeightsStayWithinTheirLimitWhateverTheLayer) {
  for (const int units : {10, 300}) {
    const Spread small = spread_of(first_weights(Initialisation::uniform, units));
    EXPECT_LE(small.greatest, 0.05);
    EXPECT_GT(small.greatest, 0.048);
    const Spread large = spread_of(first_weights({Initialisation::uniform, 0.5}, units));
    EXPECT_NEAR(large.greatest, 10 * small.greatest, 1e-6);
    EXPECT_NEAR(large.deviation, 0.5 / std::sqrt(3), 0.02);
  }
}

}  // namespace
}  // namespace damier::nn
