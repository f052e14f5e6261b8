// The experiment on chess from end to end, small enough for seconds.
#include "damier/lab/chess/experiment.h"

#include "tests/lab/stopped_study.h"
#include "tests/lab/study_folder.h"
#include <gtest/gtest.h>

namespace damier::lab {
namespace {

const Published& published() {
  static const Published found = find_published("chess").value();
  return found;
}

ChessPlan tiny_plan() {
  auto plan = plan_of<ChessPlan>("chess", true);
  plan.rates = {0.5};
  plan.settings = {"data.generate.count=200", "data.generate.teacher=engine:30",
                   "data.generate.player=engine:20", "epochs=2"};
  plan.better_settings = plan.settings;
  return plan;
}

class ChessStudies : public StudyFolder {
 protected:
  Result<Json> study(const std::string& name, StudyHooks hooks = {}, int threads = 2) {
    ThreadPool pool(threads);
    return study_chess(published(), tiny_plan(), options("chess", name),
                       {games_, pool, std::move(hooks)});
  }

  const play::Registry games_ = play::builtin_games();
};

TEST_F(ChessStudies, FindAllThatTheyPresent) {
  const auto findings = study("whole");
  ASSERT_TRUE(findings) << findings.error().text();
  const Json& valued = (*findings)["valued"];
  const Estimate even = estimate_of(valued["zero"]["sign_agreement"]);
  const std::int64_t positions = estimate_of(valued["zero"]["centipawns"]).n;
  ASSERT_EQ((*findings)["networks"].size(), 6u);
  for (const auto& [name, network] : (*findings)["networks"].items()) {
    EXPECT_EQ(estimate_of(network["test"]["centipawns"]).n, positions) << name;
    EXPECT_EQ(network["curves"]["centipawns"].size(), 2u) << name;
  }
  EXPECT_GT(positions, 5);
  EXPECT_DOUBLE_EQ(even.value, 0.5);
  // With the rate 1/2 the local rule is backpropagation of the squared error, step by step.
  const Json& half = (*findings)["rates"]["0.5"];
  EXPECT_NEAR(estimate_of(half["local"]["squared_error"]).value,
              estimate_of(half["backpropagation"]["squared_error"]).value, 1e-9);

  const auto result = presented(
      "chess", *findings, {"Figure 1", "always even", "<strong>no error of any kind</strong>"});
  EXPECT_EQ(result.comparisons.at(0).published, "10300");
  EXPECT_EQ(result.comparisons.at(0).ours.value, 97 * 64 + 64 + 64 * 64 + 64 + 64 + 1);
  EXPECT_EQ(table_of(result, "Errors in games that were not learnt from").rows.size(),
            3u + 6u + 1u);
}

TEST_F(ChessStudies, StoppedAnywhereTheyEndAlike) {
  const auto whole = study("whole");
  ASSERT_TRUE(whole) << whole.error().text();
  expect_the_same_in_parts(
      [&](const StudyHooks& hooks, int threads) { return study("parts", hooks, threads); }, *whole,
      100, 150);
}

TEST(ChessPlans, TrainTheReportsNetworkInSixForms) {
  const auto plan = plan_of<ChessPlan>("chess", false);
  const auto ships = learn::find_recipe("chess-report");
  ASSERT_TRUE(ships) << ships.error().text();
  EXPECT_EQ(ships->rule, learn::LearningRule::local);
  EXPECT_EQ(ships->data->generate.count * 8 / 10,
            static_cast<std::uint64_t>(published().value("positions")));
  EXPECT_EQ(ships->epochs, static_cast<int>(published().value("epochs")));
  EXPECT_EQ(chess_report_recipe(plan, "bytes", "local")->json, ships->json);
  for (const std::string& encoder : plan.encoders) {
    for (const std::string& rule : plan.rules) {
      const auto recipe = chess_report_recipe(plan, encoder, rule);
      ASSERT_TRUE(recipe) << recipe.error().text();
      EXPECT_EQ(recipe->network.input.size(), encoder == "bits" ? 769 : 97);
      EXPECT_EQ(recipe->network.layers.size(), 6u);
    }
  }
  EXPECT_TRUE(chess_table_recipe(plan));
}

}  // namespace
}  // namespace damier::lab
