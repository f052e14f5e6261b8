// The gradients of the losses against finite differences, in doubles, and what they are by hand.

#include "damier/learn/sources/rewards/losses.h"

#include <cmath>
#include <functional>

#include <gtest/gtest.h>

namespace damier::learn {

namespace {

constexpr int kRows = 3, kOutputs = 4, kStride = 16;

// Outputs of a network without one.
struct Outputs {
  std::vector<double> value = std::vector<double>(kRows * kStride);
  std::vector<double> gradient = std::vector<double>(kRows * kStride, 7.0);

  nn::OutputView<double> view() { return {value.data(), gradient.data(), kOutputs, kStride}; }
};

void check_gradients(Outputs outputs,
                     const std::function<double(const nn::OutputView<double>&)>& loss) {
  loss(outputs.view());
  const std::vector<double> gradient = outputs.gradient;
  constexpr double kStep = 1e-6;
  for (std::size_t i = 0; i < outputs.value.size(); ++i) {
    if (i % kStride >= kOutputs) {
      EXPECT_EQ(gradient[i], 0) << "what is no output has no gradient";
      continue;
    }
    const double before = outputs.value[i];
    outputs.value[i] = before + kStep;
    const double above = loss(outputs.view());
    outputs.value[i] = before - kStep;
    const double below = loss(outputs.view());
    outputs.value[i] = before;
    EXPECT_NEAR(gradient[i], (above - below) / (2 * kStep), 1e-7) << "output " << i;
  }
}

Outputs some_outputs() {
  Outputs outputs;
  for (std::size_t i = 0; i < outputs.value.size(); ++i) {
    outputs.value[i] = std::sin(static_cast<double>(3 * i + 1));
  }
  return outputs;
}

const std::vector<int> kActions = {1, 0, 3};
const std::vector<std::uint8_t> kLegalRows = {1, 1, 0, 1, 1, 1, 1, 1, 0, 0, 1, 1};

TEST(ActionValueLoss, HasTheGradientOfItsErrors) {
  const std::vector<double> targets = {0.3, -4.0, 2.5}, weights = {1, 0.5, 0.25};
  std::vector<double> errors(kRows);
  for (const bool huber : {false, true}) {
    check_gradients(some_outputs(), [&](const nn::OutputView<double>& view) {
      return action_value_loss<double>(view, {kActions, targets, weights}, huber, errors);
    });
  }
}

TEST(ActionValueLoss, AHuberLossGrowsLinearlyBeyondOne) {
  Outputs outputs;
  const std::vector<double> targets = {3, 0.5, 0}, weights = {1, 1, 1};
  std::vector<double> errors(kRows);
  const double loss =
      action_value_loss<double>(outputs.view(), {kActions, targets, weights}, true, errors);
  EXPECT_NEAR(loss, (2.5 + 0.125 + 0) / 3, 1e-12);
  EXPECT_EQ(errors, (std::vector<double>{-3, -0.5, 0}));
}

PolicySamples<double> samples_of(const std::vector<double>& advantages,
                                 const std::vector<double>& log_probabilities) {
  return {kActions, kLegalRows, advantages, log_probabilities};
}

TEST(PolicyLoss, HasItsGradient) {
  const std::vector<double> advantages = {1.5, -0.7, 0.4};
  // Some beyond the limit on either side, some within.
  for (const double before : {-0.4, -1.1, -2.5}) {
    const std::vector<double> log_probabilities = {before, before - 0.3, before + 0.2};
    for (const double clip : {0.0, 0.2}) {
      for (const double entropy : {0.0, 0.1}) {
        check_gradients(some_outputs(), [&](const nn::OutputView<double>& view) {
          return policy_loss<double>(view, samples_of(advantages, log_probabilities),
                                     {clip, entropy})
              .loss;
        });
      }
    }
  }
}

TEST(PolicyLoss, EvenlyLikedActionsHaveTheEntropyOfTheirNumber) {
  Outputs outputs;
  const std::vector<double> nothing(kRows);
  const PolicyLoss loss = policy_loss<double>(outputs.view(), samples_of(nothing, nothing), {0, 0});
  EXPECT_NEAR(loss.entropy, (std::log(3) + std::log(4) + std::log(2)) / 3, 1e-12);
}

// A move that is likely enough already earns nothing more, one that is punished enough loses
// nothing more; in the other direction there is no limit.
TEST(PolicyLoss, ClippingStopsWhatHasGoneFarEnough) {
  const auto gradient_of = [](double advantage, double before) {
    Outputs outputs;
    const std::vector<double> advantages = {advantage, 0, 0}, log_probabilities(kRows, before);
    policy_loss<double>(outputs.view(), samples_of(advantages, log_probabilities), {0.2, 0});
    return outputs.gradient[1];
  };
  const double now = -std::log(3);
  EXPECT_EQ(gradient_of(1, now - 0.5), 0);
  EXPECT_EQ(gradient_of(-1, now + 0.5), 0);
  EXPECT_LT(gradient_of(1, now + 0.5), 0);
  EXPECT_GT(gradient_of(-1, now - 0.5), 0);
  EXPECT_LT(gradient_of(1, now - 0.1), 0);
}

}  // namespace

}  // namespace damier::learn
