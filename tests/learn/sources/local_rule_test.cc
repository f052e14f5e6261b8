#include "damier/learn/sources/local_rule.h"

#include <cmath>

#include <gtest/gtest.h>

#include "damier/model/dense_text.h"
#include "damier/nn/training.h"

namespace damier::learn {
namespace {

using nn::Network;

TEST(LocalRule, EqualsBackpropagationWithItsOwnRateInEachLayer) {
  const auto spec =
      nn::parse_network_text(R"({"input": [5], "layers": [{"type": "dense", "units": 7},
      {"type": "sigmoid"}, {"type": "dense", "units": 6}, {"type": "sigmoid"},
      {"type": "dense", "units": 3}, {"type": "sigmoid"}]})",
                             "x")
          .value();
  ASSERT_TRUE(model::is_dense_report_network(spec));
  Network<double> local(spec, 1, nn::Use::training), reference(spec, 1, nn::Use::training);
  nn::initialise(local, nn::Initialisation::xavier_uniform, Seed{1});
  nn::initialise(reference, nn::Initialisation::xavier_uniform, Seed{1});
  const double rate = 0.3;
  LocalRule<double> rule(local);
  const std::vector<double> input = {0.1, -0.4, 0.9, 0.3, -0.7}, target = {0.2, 0.9, 0.5};
  const double error = rule.learn(input, target, rate);

  reference.set_inputs(input, 1);
  reference.forward(true);
  // The mean of three outputs, three times: the sum of squares.
  const double loss =
      nn::apply_loss<double>({nn::LossKind::mean_squared_error, {}, 3}, nn::best_kernels<double>(),
                             reference.output(0), 1, target);
  EXPECT_NEAR(error, loss, 1e-12);
  reference.backward();
  for (std::size_t i = 0; i < reference.parameters().size(); ++i) {
    const nn::Parameter<double>& expected = *reference.parameters()[i];
    const nn::Parameter<double>& found = *local.parameters()[i];
    const int below_output = 2 - static_cast<int>(i / 2);
    const double own_rate = rate * std::pow(2 * rate, below_output);
    for (std::size_t at = 0; at < expected.count(); ++at) {
      EXPECT_NEAR(found.value[at], expected.value[at] - own_rate * expected.gradient[at], 1e-12)
          << expected.name;
    }
  }
}

}  // namespace
}  // namespace damier::learn
