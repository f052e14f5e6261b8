// The experiment on chess from end to end, small enough for seconds.
#include "damier/lab/chess/experiment.h"

#include "tests/lab/stopped_study.h"
#include "tests/lab/study_folder.h"
#include "tests/report/sound_page.h"
#include <gtest/gtest.h>

namespace damier::lab {
namespace {

const Published& published() {
  static const Published found = find_published("chess").value();
  return found;
}

ChessPlan tiny_plan() {
  ChessPlan plan = chess_plan(published(), true);
  plan.rates = {0.5};
  plan.settings = {"data.generate.count=200", "data.generate.oracle=engine:30",
                   "data.generate.player=engine:20", "epochs=2"};
  plan.better_settings = plan.settings;
  return plan;
}

class ChessStudies : public StudyFolder {
 protected:
  Result<ChessFindings> study(const std::string& name, StudyHooks hooks = {}, int threads = 2) {
    ThreadPool pool(threads);
    return study_chess(published(), tiny_plan(), options("chess", name),
                       {games_, pool, std::move(hooks)});
  }

  // All that was found, but for the time it took.
  static Json facts(const ChessFindings& findings) {
    Json json = Json::array();
    const auto rows = compare(published(), measured_chess(findings));
    for (const auto& row : rows.value()) json.push_back(comparison_json(row));
    json.push_back(json_of(findings.zero));
    return json;
  }

  const play::Registry games_ = play::builtin_games();
};

TEST_F(ChessStudies, FindAllThatTheyPresent) {
  const auto findings = study("whole");
  ASSERT_TRUE(findings) << findings.error().text();
  ASSERT_EQ(findings->networks.size(), 6u);
  ASSERT_EQ(findings->sweep.size(), 2u);
  for (const ChessNetwork& network : findings->networks) {
    EXPECT_EQ(network.trained.metric("test", "centipawns").n, findings->zero.n);
    const TrainedFigure* by_epoch = network.trained.figure("centipawns");
    ASSERT_NE(by_epoch, nullptr);
    EXPECT_EQ(by_epoch->by_epoch.size(), 2u);
  }
  EXPECT_GT(findings->zero.n, 5);
  EXPECT_DOUBLE_EQ(findings->zero.sign_agreement, 0.5);
  // With the rate 1/2 the local rule is backpropagation of the squared error, step by step.
  EXPECT_NEAR(findings->sweep[0].trained.metric("test", "squared_error").value,
              findings->sweep[1].trained.metric("test", "squared_error").value, 1e-9);

  const auto presented = present_chess(published(), *findings, options("chess", "whole"));
  ASSERT_TRUE(presented) << presented.error().text();
  EXPECT_EQ(presented->comparisons.size(), published().comparisons.size());
  EXPECT_EQ(presented->comparisons[0].published, "10300");
  EXPECT_EQ(presented->comparisons[0].ours.value, 97 * 64 + 64 + 64 * 64 + 64 + 64 + 1);
  ASSERT_EQ(presented->tables.size(), 3u);
  EXPECT_EQ(presented->tables[0].rows.size(), 3u + 6u + 1u);
  for (const report::Table& table : presented->tables) {
    for (const report::Row& row : table.rows) {
      EXPECT_EQ(row.cells.size(), table.columns.size()) << table.caption;
    }
  }
  const std::string page = report::html(presented->report);
  report::expect_sound(page);
  for (const char* text :
       {"Figure 1", "always even", "no error of any kind", "damier reproduce chess --seed 1"}) {
    EXPECT_NE(page.find(text), std::string::npos) << text;
  }
  EXPECT_EQ(page.find(">nan"), std::string::npos);
}

TEST_F(ChessStudies, StoppedAnywhereTheyEndAlike) {
  const auto whole = study("whole");
  ASSERT_TRUE(whole) << whole.error().text();
  expect_the_same_in_parts(
      [&](const StudyHooks& hooks, int threads) { return study("parts", hooks, threads); }, facts,
      facts(*whole), 100, 150);
}

TEST(ChessPlans, TrainTheReportsNetworkInSixForms) {
  const ChessPlan plan = chess_plan(published(), false);
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
