// One check for all layers and losses: the gradient by backpropagation against finite differences,
// in doubles, on every instruction set that this machine has.

#include <cmath>

#include "tests/nn/layer_cases.h"
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "damier/nn/network.h"
#include "damier/nn/training.h"

namespace damier::nn {
namespace {

NetworkSpec spec_of(const std::string& text) {
  auto spec = parse_network_text(text, "test");
  EXPECT_TRUE(spec) << spec.error().text();
  return *spec;
}

// Smooth random numbers away from the corners of ReLUs.
std::vector<double> numbers(RandomStream& random, std::size_t count) {
  std::vector<double> out(count);
  for (double& value : out) value = 2 * random.uniform() - 1;
  return out;
}

struct Problem {
  NetworkSpec spec;
  std::vector<Loss> losses;  // one a head
  int samples = 3;
  bool training = true;
  bool keeps_norms = false;
  bool masked = false;
  double spread = 1;  // of the inputs
};

class Checker {
 public:
  Checker(const Problem& problem, Seed seed, const Kernels<double>& kernels, ThreadPool* pool)
      : problem_(problem),
        kernels_(kernels),
        network_(problem.spec, problem.samples, Use::training, pool, kernels) {
    initialise(network_, Initialisation::xavier_normal, seed);
    network_.set_dropout_seed(seed);
    if (problem.keeps_norms) network_.keep_norms();
    RandomStream random(seed, "gradient test");
    // Biases and scales too.
    for (Parameter<double>* parameter : network_.parameters()) {
      if (parameter->shape.size() > 1 || parameter->gradient == nullptr) continue;
      for (int i = 0; i < parameter->out; ++i) parameter->value[i] += random.uniform() - 0.5;
    }
    inputs_ =
        numbers(random, static_cast<std::size_t>(problem.samples * problem.spec.input.size()));
    for (double& input : inputs_) input *= problem.spread;
    for (std::size_t head = 0; head < network_.output_count(); ++head) {
      const auto count = static_cast<std::size_t>(problem.samples * network_.output(head).cols);
      std::vector<double> targets(count), mask(problem.masked ? count : 0);
      for (double& value : targets) value = random.uniform();
      for (std::size_t i = 0; i < mask.size(); ++i) {
        mask[i] = random.below(3) == 0 ? 0 : 1;
        if (mask[i] == 0) targets[i] = 0;
      }
      targets_.push_back(targets);
      masks_.push_back(mask);
    }
  }

  double loss() {
    network_.set_inputs(inputs_, problem_.samples);
    network_.forward(problem_.training, 7);
    double sum = 0;
    for (std::size_t head = 0; head < network_.output_count(); ++head) {
      sum += apply_loss<double>(problem_.losses[head], kernels_, network_.output(head),
                                problem_.samples, targets_[head], masks_[head]);
    }
    return sum;
  }

  void check() {
    loss();
    network_.backward();
    std::vector<std::vector<double>> gradients;
    for (Parameter<double>* parameter : network_.parameters()) {
      gradients.emplace_back();
      if (parameter->gradient == nullptr) continue;
      gradients.back().assign(parameter->gradient, parameter->gradient + parameter->count());
    }
    for (std::size_t p = 0; p < gradients.size(); ++p) {
      Parameter<double>& parameter = *network_.parameters()[p];
      if (parameter.gradient == nullptr) continue;
      const int rows = parameter.taps * parameter.in;
      for (int row = 0; row < rows; ++row) {
        for (int i = 0; i < parameter.ld; ++i) {
          const auto at = static_cast<std::size_t>(row * parameter.ld + i);
          if (i >= parameter.out) {
            ASSERT_EQ(gradients[p][at], 0) << parameter.name << ": padding is never touched";
            continue;
          }
          if ((at * 7 + p) % stride_ != 0) continue;
          constexpr double kStep = 1e-5;
          const double old = parameter.value[at];
          parameter.value[at] = old + kStep;
          const double above = loss();
          parameter.value[at] = old - kStep;
          const double below = loss();
          parameter.value[at] = old;
          const double expected = (above - below) / (2 * kStep);
          ASSERT_NEAR(gradients[p][at], expected, 1e-7 + 1e-5 * std::abs(expected))
              << parameter.name << "[" << row << "][" << i << "]";
        }
      }
    }
  }

  void set_stride(std::size_t stride) { stride_ = stride; }

 private:
  const Problem& problem_;
  const Kernels<double>& kernels_;
  Network<double> network_;
  std::vector<double> inputs_;
  std::vector<std::vector<double>> targets_;
  std::vector<std::vector<double>> masks_;
  std::size_t stride_ = 1;
};

void check_everywhere(const Problem& problem, std::size_t stride = 1) {
  ThreadPool pool(2);
  for (const Isa isa : kAllIsas) {
    const Kernels<double>* kernels = kernels_of<double>(isa);
    if (kernels == nullptr) continue;
    SCOPED_TRACE(kernels->name);
    Checker checker(problem, Seed{11}, *kernels, &pool);
    checker.set_stride(stride);
    checker.check();
    if (::testing::Test::HasFatalFailure()) return;
  }
}

const Loss kMse = {LossKind::mean_squared_error, {}, 1};

// Every layer between two dense ones, so that its own and its input's gradients are both checked.
TEST(Gradient, EveryLayer) {
  std::set<std::string> names;
  for (const LayerCase& each : layer_cases()) {
    SCOPED_TRACE(each.layer);
    const NetworkSpec alone =
        spec_of(R"({"input": [)" + each.input + R"(], "layers": [)" + each.json() + "]}");
    collect_names(alone.layers, names);
    const std::string before = each.reads_numbers
                                   ? each.input + R"(], "layers": [)"
                                   : fmt::format(R"(5], "layers": [{{"type": "dense", "units": {}}},
                {{"type": "slice", "shape": [{}]}}, )",
                                                 alone.input.size(), each.input);
    const std::string after = alone.trunk_shape().board
                                  ? R"({"type": "flatten"}, {"type": "dense", "units": 2}]})"
                                  : R"({"type": "dense", "units": 2}]})";
    Problem problem = {spec_of(R"({"input": [)" + before + each.json() + ", " + after), {kMse}, 4};
    if (each.reads_numbers) problem.spread = 9;
    check_everywhere(problem, 3);
  }
  expect_every_layer(names);
}

TEST(Gradient, DenseManyRows) {
  check_everywhere({spec_of(R"({"input": [5], "layers": [{"type": "dense", "units": 18},
      {"type": "sigmoid"}, {"type": "dense", "units": 3}]})"),
                    {kMse},
                    61});
}

TEST(Gradient, Convolutions) {
  for (const char* options :
       {R"("kernel": 1)", R"("kernel": 3)", R"("kernel": 5)", R"("kernel": 3, "padding": "valid")",
        R"("kernel": 3, "bias": false)"}) {
    SCOPED_TRACE(options);
    check_everywhere(
        {spec_of(std::string(R"({"input": [2, 5, 4], "layers": [{"type": "conv2d", "channels": 5},
            {"type": "tanh"}, {"type": "conv2d", "channels": 3, )") +
                 options +
                 R"(}, {"type": "tanh"}, {"type": "flatten"}, {"type": "dense", "units": 2}]})"),
         {kMse}},
        3);
  }
}

TEST(Gradient, BatchNormInTrainingAndAfter) {
  for (const auto& [training, keeps_norms] :
       {std::pair(true, false), std::pair(true, true), std::pair(false, false)}) {
    Problem problem = {spec_of(R"({"input": [2, 3, 3], "layers": [{"type": "conv2d", "channels": 4},
        {"type": "batch_norm"}, {"type": "tanh"}, {"type": "flatten"}, {"type": "dense", "units": 5},
        {"type": "batch_norm"}, {"type": "dense", "units": 2}]})"),
                       {kMse},
                       4};
    problem.training = training;
    problem.keeps_norms = keeps_norms;
    check_everywhere(problem);
  }
}

TEST(Gradient, ResidualBlocks) {
  check_everywhere({spec_of(R"({"input": [3, 3, 3], "layers": [{"type": "conv2d", "channels": 4},
      {"type": "residual", "layers": [{"type": "conv2d", "channels": 4}, {"type": "batch_norm"},
        {"type": "tanh"}, {"type": "conv2d", "channels": 4}, {"type": "batch_norm"}]},
      {"type": "tanh"}, {"type": "residual", "layers": [{"type": "sigmoid"}]},
      {"type": "residual", "layers": []}, {"type": "global_average_pool"},
      {"type": "dense", "units": 2}]})"),
                    {kMse}},
                   2);
}

// Numbers of features, some of them twice in a list; those below zero are empty places.
TEST(Gradient, Sparse) {
  for (const char* units : {"5", "16", "37"}) {
    Problem problem = {spec_of(std::string(R"({"input": [12], "layers": [{"type": "sparse",
      "features": 7, "lists": 2, "units": )") +
                               units + R"(}, {"type": "tanh"}, {"type": "dense", "units": 2}]})"),
                       {kMse}};
    problem.samples = 5;
    problem.spread = 9;
    check_everywhere(problem);
  }
}

// They share an input, of which each reads a part or all.
TEST(Gradient, Branches) {
  check_everywhere({spec_of(R"({"input": [5], "layers": [{"type": "dense", "units": 21},
      {"type": "branches", "layers": [
        {"type": "chain", "layers": [{"type": "slice", "shape": [2, 2, 3]},
          {"type": "conv2d", "channels": 3}, {"type": "tanh"}, {"type": "flatten"},
          {"type": "dense", "units": 4}]},
        {"type": "chain", "layers": [{"type": "slice", "from": 10, "shape": [11]},
          {"type": "tanh"}]},
        {"type": "sigmoid"}]},
      {"type": "dense", "units": 2}]})"),
                    {kMse}});
}

TEST(Gradient, SeveralHeadsAndLosses) {
  check_everywhere({spec_of(R"({"input": [5], "layers": [{"type": "dense", "units": 8},
      {"type": "tanh"}], "heads": {"policy": [{"type": "dense", "units": 18}],
      "value": [{"type": "dense", "units": 4}, {"type": "tanh"}, {"type": "dense", "units": 1}],
      "risk": [{"type": "dense", "units": 3}]}})"),
                    {{LossKind::cross_entropy, {9, 9}, 1},
                     {LossKind::huber, {}, 0.5},
                     {LossKind::binary_cross_entropy, {}, 2}}});
}

TEST(Gradient, MaskedLosses) {
  for (const LossKind kind :
       {LossKind::cross_entropy, LossKind::binary_cross_entropy, LossKind::chosen_squared_error}) {
    Problem problem = {spec_of(R"({"input": [5], "layers": [{"type": "dense", "units": 7}]})"),
                       {{kind, {}, 1}}};
    problem.masked = true;
    check_everywhere(problem);
  }
}

RC_GTEST_PROP(Gradient, RandomShapes, ()) {
  const int channels = *rc::gen::inRange(1, 5), rows = *rc::gen::inRange(1, 5),
            cols = *rc::gen::inRange(1, 5), hidden = *rc::gen::inRange(1, 40),
            outputs = *rc::gen::inRange(1, 20);
  Problem problem = {
      spec_of(fmt::format(
          R"({{"input": [{}, {}, {}], "layers": [{{"type": "conv2d", "channels": {}}},
                         {{"type": "tanh"}}, {{"type": "flatten"}}, {{"type": "dense", "units": {}}}]}})",
          channels, rows, cols, hidden, outputs)),
      {kMse},
      *rc::gen::inRange(1, 20)};
  Checker checker(problem, Seed{*rc::gen::arbitrary<std::uint64_t>()}, best_kernels<double>(),
                  nullptr);
  checker.set_stride(29);
  checker.check();
  RC_ASSERT(!::testing::Test::HasFailure());
}

}  // namespace
}  // namespace damier::nn
