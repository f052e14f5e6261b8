// Training steps: the same bits on any number of threads, schedules, and the layer-local rule.

#include <cmath>

#include "tests/nn/allocations.h"
#include <gtest/gtest.h>

#include "damier/nn/training.h"

namespace damier::nn {
namespace {

NetworkSpec spec_from(const std::string& text) { return parse_network_text(text, "test").value(); }

template <class T>
std::vector<T> weights_of(const Network<T>& network) {
  std::vector<T> all;
  for (const Parameter<T>* parameter : network.parameters()) {
    all.insert(all.end(), parameter->value, parameter->value + parameter->count());
  }
  return all;
}

TEST(Schedule, ConstantStepCosineAndWarmUp) {
  EXPECT_EQ(Schedule{}.at(1000), 1);
  const Schedule step{ScheduleKind::step, 0, 10, 0.5};
  EXPECT_EQ(step.at(9), 1);
  EXPECT_EQ(step.at(25), 0.25);
  const Schedule cosine{ScheduleKind::cosine, 4, 100, 0.1, 0.2};
  EXPECT_NEAR(cosine.at(50), 0.6, 1e-12);
  EXPECT_NEAR(cosine.at(500), 0.2, 1e-12);
  EXPECT_NEAR(cosine.at(0), 0.25, 1e-3);
}

// Trains a few steps and returns the weights.
std::vector<float> trained(const std::string& spec, int threads) {
  ThreadPool pool(threads);
  constexpr std::size_t kRows = 200;
  Network<float> network(spec_from(spec), kRows, Use::training, &pool);
  initialise(network, Initialisation::he_normal, Seed{5});
  network.set_dropout_seed(Seed{7});
  Optimiser<float> optimiser({.rate = 0.01, .clip_norm = 0.5}, network);
  RandomStream random(Seed{6}, "data");
  std::vector<float> inputs(kRows * static_cast<std::size_t>(network.spec().input.size()));
  std::vector<float> targets(kRows * static_cast<std::size_t>(network.output(0).cols));
  for (int step = 0; step < 6; ++step) {
    for (float& value : inputs) value = static_cast<float>(random.uniform());
    for (float& value : targets) value = static_cast<float>(random.uniform());
    network.set_inputs(inputs, kRows);
    network.forward(true, static_cast<std::uint64_t>(optimiser.steps()));
    apply_loss<float>({}, network.kernels(), network.output(0), kRows, targets);
    optimiser.backward_and_step();
  }
  return weights_of(network);
}

TEST(Learning, TheSameSeedGivesTheSameBitsOnAnyNumberOfThreads) {
  for (const char* spec :
       {R"({"input": [25], "layers": [{"type": "dense", "units": 300}, {"type": "relu"},
            {"type": "dropout", "rate": 0.3}, {"type": "dense", "units": 128}, {"type": "relu"},
            {"type": "dense", "units": 1}]})",
        R"({"input": [3, 8, 8], "layers": [{"type": "conv2d", "channels": 32}, {"type": "relu"},
            {"type": "dropout", "rate": 0.2}, {"type": "flatten"}, {"type": "dense", "units": 10}]})",
        R"({"input": [3, 8, 8], "layers": [{"type": "conv2d", "channels": 20}, {"type": "residual",
            "layers": [{"type": "conv2d", "channels": 20}, {"type": "batch_norm"}, {"type": "relu"},
            {"type": "dropout", "rate": 0.1}, {"type": "layer_norm"}, {"type": "attention",
            "heads": 4}]}, {"type": "global_average_pool"}, {"type": "dense", "units": 4}]})"}) {
    const auto one = trained(spec, 1);
    for (const float value : one) ASSERT_TRUE(std::isfinite(value));
    EXPECT_EQ(one, trained(spec, 1)) << "a run repeats";
    EXPECT_EQ(one, trained(spec, 2));
    EXPECT_EQ(one, trained(spec, 4));
  }
}

TEST(Learning, KeptNormsStayAsTheyAreAndAreWhatInferenceGoesBy) {
  Network<double> network(spec_from(R"({"input": [6], "layers": [{"type": "dense", "units": 5},
      {"type": "batch_norm"}, {"type": "relu"}, {"type": "dense", "units": 2}]})"),
                          8, Use::training);
  initialise(network, Initialisation::he_normal, Seed{1});
  RandomStream random(Seed{2}, "inputs");
  std::vector<double> inputs(48);
  for (double& value : inputs) value = random.uniform();
  const auto given = [&](bool training) {
    network.set_inputs(inputs, 8);
    network.forward(training);
    const OutputView<double> output = network.output(0);
    std::vector<double> values;
    for (int row = 0; row < 8; ++row) {
      values.insert(values.end(), output.value + row * output.ld,
                    output.value + row * output.ld + output.cols);
    }
    return values;
  };
  const auto fresh = weights_of(network);
  EXPECT_NE(given(true), given(false));
  const auto moved = weights_of(network);
  EXPECT_NE(moved, fresh);
  network.keep_norms();
  EXPECT_EQ(given(true), given(false));
  EXPECT_EQ(weights_of(network), moved);
}

TEST(Learning, StepsTakenInTheBackwardPassAreTheSameToTheBit) {
  const auto spec = spec_from(R"({"input": [3, 4, 4], "layers": [{"type": "conv2d", "channels": 20},
      {"type": "batch_norm"}, {"type": "relu"}, {"type": "flatten"}, {"type": "dense", "units": 37},
      {"type": "tanh"}, {"type": "dense", "units": 3}]})");
  const auto after = [&](const OptimiserOptions& options, bool fused) {
    Network<float> network(spec, 60, Use::training);
    initialise(network, Initialisation::he_normal, Seed{1});
    Optimiser<float> optimiser(options, network);
    std::vector<float> inputs(60 * 48), targets(60 * 3);
    RandomStream random(Seed{2}, "fused");
    for (float& value : inputs) value = static_cast<float>(random.uniform());
    for (float& value : targets) value = static_cast<float>(random.uniform());
    for (int step = 0; step < 5; ++step) {
      network.set_inputs(inputs, 60);
      network.forward(true);
      apply_loss<float>({}, best_kernels<float>(), network.output(0), 60, targets);
      if (fused) {
        optimiser.backward_and_step();
      } else {
        network.backward();
        optimiser.step();
      }
    }
    return weights_of(network);
  };
  for (const OptimiserOptions& options :
       {OptimiserOptions{.kind = OptimiserKind::sgd, .rate = 0.1, .momentum = 0.9},
        {.kind = OptimiserKind::sgd, .rate = 0.1, .weight_decay = 0.01},
        {.kind = OptimiserKind::rmsprop, .rate = 0.01},
        {.kind = OptimiserKind::adam, .rate = 0.01, .clip_norm = 0.1},
        {.kind = OptimiserKind::adamw, .rate = 0.01, .weight_decay = 0.1}}) {
    EXPECT_EQ(after(options, true), after(options, false)) << static_cast<int>(options.kind);
  }
}

TEST(Learning, ATrainingStepAllocatesNothing) {
  ThreadPool pool(2);
  Network<float> network(
      spec_from(R"({"input": [3, 6, 6], "layers": [{"type": "conv2d", "channels": 24},
      {"type": "batch_norm"}, {"type": "relu"}, {"type": "residual", "layers": [{"type": "conv2d",
      "channels": 24}, {"type": "layer_norm"}, {"type": "dropout"}, {"type": "attention",
      "heads": 3}]}, {"type": "flatten"}], "heads": {"policy": [{"type": "dense", "units": 30}],
      "value": [{"type": "dense", "units": 1}, {"type": "tanh"}]}})"),
      64, Use::training, &pool);
  initialise(network, Initialisation::he_normal, Seed{1});
  Optimiser<float> optimiser({}, network);
  const std::vector<float> inputs(64 * 108, 0.5f), policy(64 * 30, 1.0f / 30), value(64, 0.1f);
  const Loss losses[] = {{LossKind::cross_entropy, {}, 1}, {LossKind::huber, {}, 1}};
  const auto step = [&] {
    network.set_inputs(inputs, 64);
    network.forward(true, static_cast<std::uint64_t>(optimiser.steps()));
    apply_loss<float>(losses[0], network.kernels(), network.output(0), 64, policy);
    apply_loss<float>(losses[1], network.kernels(), network.output(1), 64, value);
    optimiser.backward_and_step();
  };
  step();
  const long before = allocation_count();
  for (int i = 0; i < 3; ++i) step();
  EXPECT_EQ(allocation_count() - before, 0);
}

TEST(Learning, FoldedBatchNormsGiveTheSameOutputs) {
  const auto spec = spec_from(R"({"input": [3, 5, 5], "layers": [{"type": "conv2d", "channels": 8,
      "bias": false}, {"type": "batch_norm"}, {"type": "relu"}, {"type": "residual", "layers": [
      {"type": "conv2d", "channels": 8}, {"type": "batch_norm"}, {"type": "relu"},
      {"type": "conv2d", "channels": 8}, {"type": "batch_norm"}]}, {"type": "relu"},
      {"type": "flatten"}, {"type": "dense", "units": 6}, {"type": "batch_norm"}]})");
  const auto outputs = [&](bool folded) {
    Network<double> network(spec, 4, Use::inference);
    initialise(network, Initialisation::he_normal, Seed{8});
    RandomStream random(Seed{9}, "fold");
    for (Parameter<double>* parameter : network.parameters()) {
      if (parameter->shape.size() > 1) continue;
      for (int i = 0; i < parameter->out; ++i) parameter->value[i] += random.uniform();
    }
    if (folded) network.freeze();
    std::vector<double> inputs(4 * 75);
    for (double& value : inputs) value = random.uniform();
    network.set_inputs(inputs, 4);
    network.forward();
    const auto view = network.output(0);
    std::vector<double> all;
    for (int row = 0; row < 4; ++row) {
      all.insert(all.end(), view.value + row * view.ld, view.value + row * view.ld + view.cols);
    }
    return all;
  };
  const auto plain = outputs(false), folded = outputs(true);
  for (std::size_t i = 0; i < plain.size(); ++i) EXPECT_NEAR(plain[i], folded[i], 1e-12);
}

}  // namespace
}  // namespace damier::nn
