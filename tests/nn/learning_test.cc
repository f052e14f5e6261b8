// Networks that really learn, the same bits on any number of threads, and the layer-local rule.

#include <cmath>
#include <numbers>

#include "tests/nn/allocations.h"
#include <gtest/gtest.h>

#include "damier/nn/initialise.h"
#include "damier/nn/local_rule.h"
#include "damier/nn/trainer.h"

namespace damier::nn {
namespace {

NetworkSpec spec_of(const std::string& text) { return parse_network_text(text, "test").value(); }

template <class T>
std::vector<T> weights_of(const Network<T>& network) {
  std::vector<T> all;
  for (const Parameter<T>* parameter : network.parameters()) {
    all.insert(all.end(), parameter->value, parameter->value + parameter->count());
  }
  return all;
}

TEST(Learning, Xor) {
  Network<double> network(spec_of(R"({"input": [2], "layers": [{"type": "dense", "units": 4},
      {"type": "tanh"}, {"type": "dense", "units": 1}, {"type": "sigmoid"}]})"),
                          4, Use::training);
  initialise(network, Initialisation::xavier_uniform, Seed{1});
  Optimiser<double> optimiser({.kind = OptimiserKind::adam, .rate = 0.05}, network);
  Trainer<double> trainer(network, optimiser, {{LossKind::mean_squared_error, {}, 1}},
                          {.epochs = 800, .seed = Seed{1}});
  const Samples<double> samples = {4, {0, 0, 0, 1, 1, 0, 1, 1}, {{0, 1, 1, 0}}, {}};
  EXPECT_LT(trainer.run(samples).back().training_loss, 1e-3);
}

TEST(Learning, TwoSpirals) {
  Samples<float> samples;
  RandomStream random(Seed{2}, "spirals");
  for (int i = 0; i < 400; ++i) {
    const double t = 0.5 + 2.5 * random.uniform();
    const int arm = i % 2;
    const double angle = std::numbers::pi * (t + arm);
    samples.inputs.push_back(static_cast<float>(t / 3 * std::cos(angle)));
    samples.inputs.push_back(static_cast<float>(t / 3 * std::sin(angle)));
    samples.targets.resize(1);
    samples.targets[0].push_back(arm == 0 ? 1.0f : 0.0f);
    samples.targets[0].push_back(arm == 1 ? 1.0f : 0.0f);
    ++samples.count;
  }
  Network<float> network(spec_of(R"({"input": [2], "layers": [{"type": "dense", "units": 32},
      {"type": "relu"}, {"type": "dense", "units": 32}, {"type": "relu"},
      {"type": "dense", "units": 2}]})"),
                         20, Use::training);
  initialise(network, Initialisation::he_normal, Seed{3});
  Optimiser<float> optimiser({.kind = OptimiserKind::adamw, .rate = 0.01, .weight_decay = 1e-4},
                             network);
  Trainer<float> trainer(network, optimiser, {{LossKind::cross_entropy, {}, 1}},
                         {.epochs = 150, .validation_share = 0.2, .seed = Seed{1}});
  const auto reports = trainer.run(samples);
  EXPECT_LT(reports.back().training_loss, 0.05);
  EXPECT_LT(reports.back().validation_loss, 0.2);
}

TEST(Learning, OneDimensionalRegressionWithEveryOptimiser) {
  Samples<float> samples;
  samples.targets.resize(1);
  for (int i = 0; i < 64; ++i) {
    const float x = static_cast<float>(i) / 32 - 1;
    samples.inputs.push_back(x);
    samples.targets[0].push_back(std::sin(3 * x));
    ++samples.count;
  }
  for (const OptimiserOptions& options :
       {OptimiserOptions{.kind = OptimiserKind::sgd, .rate = 0.05, .momentum = 0.9},
        {.kind = OptimiserKind::rmsprop, .rate = 0.003},
        {.kind = OptimiserKind::adam,
        .rate = 0.01,
        .clip_norm = 1,
        .schedule = {ScheduleKind::cosine, 20, 3200}}}) {
    Network<float> network(spec_of(R"({"input": [1], "layers": [{"type": "dense", "units": 24},
        {"type": "tanh"}, {"type": "dense", "units": 1}]})"),
                           16, Use::training);
    initialise(network, Initialisation::xavier_normal, Seed{4});
    Optimiser<float> optimiser(options, network);
    Trainer<float> trainer(network, optimiser, {{LossKind::mean_squared_error, {}, 1}},
                           {.epochs = 800, .seed = Seed{1}});
    EXPECT_LT(trainer.run(samples).back().training_loss, 2e-3) << static_cast<int>(options.kind);
  }
}

TEST(Learning, EarlyStoppingAndCallbacksEndARun) {
  Samples<float> samples{40, std::vector<float>(40), {std::vector<float>(40)}, {}};
  RandomStream random(Seed{1}, "noise");
  for (float& value : samples.inputs) value = static_cast<float>(random.uniform());
  for (float& value : samples.targets[0]) value = static_cast<float>(random.uniform());
  const auto epochs = [&](TrainerOptions options, const Trainer<float>::OnEpoch& on_epoch) {
    Network<float> network(spec_of(R"({"input": [1], "layers": [{"type": "dense", "units": 1}]})"),
                           8, Use::training);
    Optimiser<float> optimiser({.rate = 0.1}, network);
    Trainer<float> trainer(network, optimiser, {{LossKind::mean_squared_error, {}, 1}}, options);
    return trainer.run(samples, on_epoch).size();
  };
  EXPECT_EQ(epochs({.epochs = 9}, [](const EpochReport& report) { return report.epoch < 3; }), 4u);
  EXPECT_LT(epochs({.epochs = 2000, .validation_share = 0.3, .patience = 5}, {}), 500u);
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
  const int batch = 200;
  Network<float> network(spec_of(spec), batch, Use::training, &pool);
  initialise(network, Initialisation::he_normal, Seed{5});
  Optimiser<float> optimiser({.rate = 0.01, .clip_norm = 0.5}, network);
  Samples<float> samples;
  samples.count = 500;
  RandomStream random(Seed{6}, "data");
  samples.inputs.resize(samples.count * static_cast<std::size_t>(network.spec().input.size()));
  samples.targets.emplace_back(samples.count * static_cast<std::size_t>(network.output(0).cols));
  for (float& value : samples.inputs) value = static_cast<float>(random.uniform());
  for (float& value : samples.targets[0]) value = static_cast<float>(random.uniform());
  Trainer<float> trainer(network, optimiser, {{LossKind::mean_squared_error, {}, 1}},
                         {.epochs = 2, .seed = Seed{7}});
  trainer.run(samples);
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

TEST(Learning, StepsTakenInTheBackwardPassAreTheSameToTheBit) {
  const auto spec = spec_of(R"({"input": [3, 4, 4], "layers": [{"type": "conv2d", "channels": 20},
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
      spec_of(R"({"input": [3, 6, 6], "layers": [{"type": "conv2d", "channels": 24},
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
  const auto spec = spec_of(R"({"input": [3, 5, 5], "layers": [{"type": "conv2d", "channels": 8,
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

TEST(LocalRule, EqualsBackpropagationWithItsOwnRateInEachLayer) {
  const auto spec = spec_of(R"({"input": [5], "layers": [{"type": "dense", "units": 7},
      {"type": "sigmoid"}, {"type": "dense", "units": 6}, {"type": "sigmoid"},
      {"type": "dense", "units": 3}, {"type": "sigmoid"}]})");
  ASSERT_TRUE(fits_local_rule(spec));
  Network<double> local(spec, 1, Use::training), reference(spec, 1, Use::training);
  initialise(local, Initialisation::xavier_uniform, Seed{1});
  initialise(reference, Initialisation::xavier_uniform, Seed{1});
  const double rate = 0.3;
  LocalRule rule(local, rate);
  const std::vector<double> input = {0.1, -0.4, 0.9, 0.3, -0.7}, target = {0.2, 0.9, 0.5};
  const double error = rule.learn(input, target);

  reference.set_inputs(input, 1);
  reference.forward(true);
  // The mean of three outputs, three times: the sum of squares.
  const double loss = apply_loss<double>({LossKind::mean_squared_error, {}, 3},
                                         best_kernels<double>(), reference.output(0), 1, target);
  EXPECT_NEAR(error, loss, 1e-12);
  reference.backward();
  for (std::size_t i = 0; i < reference.parameters().size(); ++i) {
    const Parameter<double>& expected = *reference.parameters()[i];
    const Parameter<double>& found = *local.parameters()[i];
    const int below_output = 2 - static_cast<int>(i / 2);
    const double own_rate = rate * std::pow(2 * rate, below_output);
    for (std::size_t at = 0; at < expected.count(); ++at) {
      EXPECT_NEAR(found.value[at], expected.value[at] - own_rate * expected.gradient[at], 1e-12)
          << expected.name;
    }
  }
}

TEST(LocalRule, LearnsXor) {
  Network<double> network(spec_of(R"({"input": [2], "layers": [{"type": "dense", "units": 6},
      {"type": "sigmoid"}, {"type": "dense", "units": 1}, {"type": "sigmoid"}]})"),
                          1, Use::training);
  initialise(network, Initialisation::xavier_normal, Seed{2});
  LocalRule rule(network, 0.7);
  double error = 0;
  for (int epoch = 0; epoch < 6000; ++epoch) {
    error = 0;
    for (const auto& [a, b] : {std::pair{0.0, 0.0}, {0.0, 1.0}, {1.0, 0.0}, {1.0, 1.0}}) {
      const std::vector<double> input = {a, b}, target = {a != b ? 1.0 : 0.0};
      error += rule.learn(input, target);
    }
  }
  EXPECT_LT(error, 0.05);
}

}  // namespace
}  // namespace damier::nn
