// Networks that learn from rows of a program's own, by every optimiser and by the layer-local rule.

#include "damier/learn/train/rows.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "damier/learn/train/training_run.h"

namespace damier::learn {
namespace {

Recipe recipe_of(const std::string& text) {
  auto recipe = parse_rows_recipe(text, "test");
  EXPECT_TRUE(recipe.ok()) << recipe.error().text();
  return *std::move(recipe);
}

struct Learnt {
  TrainingResult result;
  EpochMetrics last;
};

Learnt learn_from(const Recipe& recipe, Rows rows, TrainingOptions options = {}) {
  Learnt learnt;
  const DataSet data = rows.finish().value();
  ThreadPool pool(1);
  options.on_epoch = [&](const EpochMetrics& metrics) -> Status {
    learnt.last = metrics;
    return Done{};
  };
  auto result = train(recipe, data, Seed{1}, pool, {}, options);
  EXPECT_TRUE(result.ok()) << result.error().text();
  learnt.result = *std::move(result);
  return learnt;
}

Rows xor_rows(const Recipe& recipe) {
  Rows rows(recipe);
  for (const double a : {0.0, 1.0}) {
    for (const double b : {0.0, 1.0}) rows.add({a, b}, {{a == b ? 0.0 : 1.0}});
  }
  return rows;
}

TEST(Rows, XorIsLearnt) {
  const Recipe recipe = recipe_of(R"({
      "network": {"input": [2], "layers": [{"type": "dense", "units": 4}, {"type": "tanh"},
                                           {"type": "dense", "units": 1}, {"type": "sigmoid"}]},
      "initialisation": "xavier_uniform", "heads": {"output": {}},
      "optimiser": {"rate": 0.05}, "batch": 4, "epochs": 800, "precision": "double"})");
  const Learnt learnt = learn_from(recipe, xor_rows(recipe));
  EXPECT_TRUE(learnt.result.finished);
  EXPECT_LT(learnt.last.training_loss, 1e-3);
}

TEST(Rows, XorIsLearntByTheLayerLocalRule) {
  for (const char* precision : {"double", "float"}) {
    const Recipe recipe = recipe_of(std::string(R"({
        "network": {"input": [2], "layers": [{"type": "dense", "units": 6}, {"type": "sigmoid"},
                                             {"type": "dense", "units": 1}, {"type": "sigmoid"}]},
        "initialisation": "xavier_normal", "heads": {"output": {}}, "rule": "local",
        "optimiser": {"kind": "sgd", "rate": 0.7}, "batch": 1, "epochs": 6000, "precision": ")") +
                                    precision + "\"}");
    EXPECT_LT(learn_from(recipe, xor_rows(recipe)).last.training_loss, 0.0125) << precision;
  }
}

TEST(Rows, TwoSpiralsAreLearntAndHeldOutPointsAreKnown) {
  const Recipe recipe = recipe_of(R"({
      "network": {"input": [2], "layers": [{"type": "dense", "units": 32}, {"type": "relu"},
                                           {"type": "dense", "units": 32}, {"type": "relu"},
                                           {"type": "dense", "units": 2}]},
      "initialisation": "he_normal", "heads": {"output": {"loss": "cross_entropy"}},
      "optimiser": {"kind": "adamw", "rate": 0.01, "weight_decay": 1e-4},
      "batch": 20, "epochs": 150})");
  Rows rows(recipe);
  RandomStream random(Seed{2}, "spirals");
  for (int i = 0; i < 400; ++i) {
    const double t = 0.5 + 2.5 * random.uniform();
    const int arm = i % 2;
    const double angle = std::numbers::pi * (t + arm);
    rows.add({t / 3 * std::cos(angle), t / 3 * std::sin(angle)},
             {{arm == 0 ? 1.0 : 0.0, arm == 1 ? 1.0 : 0.0}},
             i < 320 ? Split::training : Split::validation);
  }
  const Learnt learnt = learn_from(recipe, std::move(rows));
  EXPECT_LT(learnt.last.training_loss, 0.05);
  EXPECT_LT(*learnt.last.validation_loss, 0.2);
}

TEST(Rows, ACurveIsLearntByEveryOptimiser) {
  for (const char* optimiser : {R"({"kind": "sgd", "rate": 0.05, "momentum": 0.9})",
                                R"({"kind": "rmsprop", "rate": 0.003})",
                                R"({"kind": "rmsprop", "rate": 0.003, "epsilon": 1e-4})",
                                R"({"kind": "adam", "rate": 0.01, "clip_norm": 1})"}) {
    const Recipe recipe = recipe_of(std::string(R"({
        "network": {"input": [1], "layers": [{"type": "dense", "units": 24}, {"type": "tanh"},
                                             {"type": "dense", "units": 1}]},
        "initialisation": "xavier_normal", "heads": {"output": {}},
        "schedule": {"kind": "cosine", "warm_up": 5}, "batch": 16, "epochs": 800, "optimiser": )") +
                                    optimiser + "}");
    Rows rows(recipe);
    for (int i = 0; i < 64; ++i) {
      const double x = i / 32.0 - 1;
      rows.add({x}, {{std::sin(3 * x)}});
    }
    // A fiftieth of the curve's variance.
    EXPECT_LT(learn_from(recipe, std::move(rows)).last.training_loss, 1e-2) << optimiser;
  }
}

TEST(Rows, PatienceAndAStopEndARun) {
  const Recipe recipe = recipe_of(R"({
      "network": {"input": [1], "layers": [{"type": "dense", "units": 1}]},
      "heads": {"output": {}}, "optimiser": {"rate": 0.1}, "batch": 8, "epochs": 2000,
      "patience": 5})");
  const auto noise = [&] {
    Rows rows(recipe);
    RandomStream random(Seed{1}, "noise");
    for (int i = 0; i < 40; ++i) {
      rows.add({random.uniform()}, {{random.uniform()}},
               i < 28 ? Split::training : Split::validation);
    }
    return rows;
  };
  const Learnt patient = learn_from(recipe, noise());
  EXPECT_TRUE(patient.result.finished);
  EXPECT_LT(patient.result.epochs, 500);
  TrainingOptions options;
  options.stop = [batches = 0]() mutable { return ++batches == 9; };
  const Learnt stopped = learn_from(recipe, noise(), options);
  EXPECT_FALSE(stopped.result.finished);
  EXPECT_EQ(stopped.result.epochs, 2) << "four batches an epoch";
}

// A model of weights that are not finite would be refused by everybody.
TEST(Rows, ATrainingThatDivergesSaysSo) {
  const Recipe recipe = recipe_of(R"({
      "network": {"input": [2], "layers": [{"type": "dense", "units": 4},
                                           {"type": "dense", "units": 1}]},
      "heads": {"output": {}}, "optimiser": {"kind": "sgd", "rate": 1000}, "epochs": 50})");
  ThreadPool pool(1);
  const DataSet data = xor_rows(recipe).finish().value();
  const auto result = train(recipe, data, Seed{1}, pool, {}, {});
  ASSERT_FALSE(result.ok());
  EXPECT_TRUE(result.error().text().starts_with("test: the weights are not finite any more in "))
      << result.error().text();
  EXPECT_EQ(result.error().kind, ErrorKind::failure);
}

TEST(Rows, MasksStandBesideTheTargets) {
  const Recipe recipe = recipe_of(R"({
      "network": {"input": [1], "layers": [{"type": "dense", "units": 2}],
                  "heads": {"chosen": [], "same": []}},
      "heads": {"chosen": {"loss": "chosen_squared_error", "mask": "which"},
                "same": {"target": "chosen"}},
      "epochs": 1, "batch": 2})");
  Rows rows(recipe);
  rows.add({1}, {{3, 4}, {0, 1}});
  const DataSet data = rows.finish().value();
  EXPECT_EQ(data.row_count(), 1u);
  const int mask = data.column_index("which");
  ASSERT_GE(mask, 0);
  EXPECT_EQ(data.values<double>(mask, {0, 1}).value(), (std::vector<double>{0, 1}));
  EXPECT_EQ(data.values<double>(data.column_index("chosen"), {0, 1}).value(),
            (std::vector<double>{3, 4}));
}

// A score through a sigmoid, and a quarter of the result: 3/4 of 1 / (1 + e^-1) and 1/4 of 1.
TEST(Rows, ScoresBecomeExpectedResultsAndAreMixedWithOthers) {
  const Recipe recipe = recipe_of(R"({
      "network": {"input": [1], "layers": [{"type": "dense", "units": 1}]},
      "initialisation": {"kind": "uniform", "limit": 0},
      "heads": {"output": {"target": "score", "squash": 200,
                           "mix": {"column": "result", "share": 0.25}}},
      "optimiser": {"kind": "sgd", "rate": 0}, "epochs": 1, "batch": 2, "precision": "double"})");
  Rows rows(recipe);
  rows.add({1}, {{200}, {1}});
  const double target = 0.75 / (1 + std::exp(-1.0)) + 0.25;
  EXPECT_NEAR(learn_from(recipe, std::move(rows)).last.training_loss, target * target, 1e-9);
}

// Features by their numbers: a sum of those that are there.
TEST(Rows, ASparseLayerLearnsWhatItsFeaturesAreWorth) {
  const Recipe recipe = recipe_of(R"({
      "network": {"input": [3], "layers": [{"type": "sparse", "features": 5, "units": 1}]},
      "heads": {"output": {}},
      "optimiser": {"rate": 0.05, "clip_weights": 3}, "batch": 8, "epochs": 300})");
  Rows rows(recipe);
  const double worth[] = {1, -2, 0.5, 3, 9};
  for (int i = 0; i < 5; ++i) {
    for (int k = 0; k < i; ++k) {
      rows.add({static_cast<double>(i), -1, static_cast<double>(k)}, {{worth[i] + worth[k]}});
      if (i < 4) rows.add({-1, static_cast<double>(i), -1}, {{worth[i]}});
    }
  }
  const Learnt learnt = learn_from(recipe, std::move(rows));
  for (const nn::Tensor& tensor : learnt.result.model.tensors) {
    const auto values = nn::values_of<float>(tensor).value();
    for (const float value : values) EXPECT_LE(std::abs(value), 3);
    if (tensor.name != "layers.0.weight") continue;
    EXPECT_GT(values[3] - values[1], 4);  // 5 apart
    EXPECT_EQ(values[4], 3);              // 9, but for the clipping
  }
}

TEST(Rows, RowsThatDoNotFitAreAnsweredInOneLine) {
  const Recipe recipe = recipe_of(R"({"network": {"input": [2]}, "heads": {"output": {}}})");
  const auto message = [&](const std::vector<double>& input,
                           const std::vector<std::vector<double>>& targets) {
    Rows rows(recipe);
    rows.add({1, 2}, {{3, 4}});
    rows.add(input, targets);
    const auto data = rows.finish();
    return data ? std::string("good") : data.error().text();
  };
  EXPECT_EQ(message({1, 2}, {{3, 4}}), "good");
  EXPECT_EQ(message({1}, {{3, 4}}), "row 1: the column 'input' has 1 numbers; expected 2");
  EXPECT_EQ(message({1, 2}, {{3}}), "row 1: the column 'output' has 1 numbers; expected 2");
  EXPECT_EQ(message({1, 2}, {}), "row 1: has 0 targets; expected 1");
}

TEST(Rows, TheirRecipesHaveNothingThatOnlyATaskHas) {
  const auto message = [](const std::string& more) {
    const auto recipe = parse_rows_recipe(
        R"({"network": {"input": [2]}, "heads": {"output": {}})" + more + "}", "test");
    return recipe ? std::string("good") : recipe.error().text();
  };
  EXPECT_EQ(message(""), "good");
  EXPECT_TRUE(message(R"(, "task": "fanorona")").starts_with("test: unknown key 'task'"));
  EXPECT_TRUE(message(R"(, "augmentation": "none")").starts_with("test: unknown key 'augm"));
  EXPECT_EQ(message(R"(, "evaluation": {"keep": "accuracy"})"),
            "test: evaluation.keep: unknown word 'accuracy' (known: last, loss)");
}

}  // namespace
}  // namespace damier::learn
