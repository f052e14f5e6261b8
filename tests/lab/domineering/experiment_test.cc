// The experiment on domineering from end to end, small enough for seconds.
#include "damier/lab/domineering/experiment.h"

#include "tests/lab/stopped_study.h"
#include "tests/lab/study_folder.h"
#include "tests/report/sound_page.h"
#include <gtest/gtest.h>

namespace damier::lab {
namespace {

const Published& published() {
  static const Published found = find_published("domineering").value();
  return found;
}

DomineeringPlan tiny_plan() {
  DomineeringPlan plan = domineering_plan(published(), false);
  plan.settings = {"epochs=1", "data.generate.count=150", "data.generate.oracle=ucb:2,c=0.3"};
  for (std::size_t i = 0; i < plan.players.size(); ++i) {
    plan.players[i].playouts = static_cast<std::int64_t>(i);
  }
  plan.playouts = 2;
  plan.games = 4;
  return plan;
}

class DomineeringStudies : public StudyFolder {
 protected:
  Result<DomineeringFindings> study(const std::string& name, StudyHooks hooks = {},
                                    const DomineeringPlan& plan = tiny_plan(), int threads = 2) {
    ThreadPool pool(threads);
    return study_domineering(published(), plan, options("domineering", name),
                             {games_, pool, std::move(hooks)});
  }

  // All that was found, but for the time it took.
  static Json facts(const DomineeringFindings& findings) {
    Json json = Json::array();
    const auto rows = compare(published(), measured_domineering(findings));
    for (const auto& row : rows.value()) {
      json.push_back(comparison_json(row));
    }
    for (const PlayoutPair& pair : findings.pairs) json.push_back(json_of(pair.match));
    for (const ExplorationPoint& point : findings.exploration) {
      json.push_back(json_of(point.network_bound));
    }
    for (const auto& network : findings.networks) json.push_back(network.trained.kept_epoch);
    return json;
  }

  const play::Registry games_ = play::builtin_games();
};

TEST_F(DomineeringStudies, FindAllThatTheyPresent) {
  const auto findings = study("whole");
  ASSERT_TRUE(findings) << findings.error().text();
  ASSERT_EQ(findings->networks.size(), 4u);
  EXPECT_GT(findings->networks[0].on_test.n, 5);
  EXPECT_EQ(findings->again.n, findings->networks[0].on_test.n);
  EXPECT_GT(findings->again.right, 0) << "with two random games a move it is often the same";
  ASSERT_EQ(findings->pairs.size(), 10u);
  EXPECT_EQ(findings->pairs.back().player, "1K");
  EXPECT_EQ(findings->pairs.back().opponent, "10K");
  for (const PlayoutPair& pair : findings->pairs) {
    EXPECT_EQ(pair.match.record.games(), 4);
    EXPECT_EQ(pair.match.moving_first.games(), 2);
    EXPECT_EQ(pair.match.record.draws, 0) << "a game of domineering has a winner";
  }
  // The trainings are runs of the store: four networks, and one that is shown the board after.
  EXPECT_EQ(Store::open(store()).value().runs("train").value().size(), 5u);

  const auto presented =
      present_domineering(published(), *findings, options("domineering", "whole"));
  ASSERT_TRUE(presented) << presented.error().text();
  EXPECT_EQ(presented->comparisons.size(), published().comparisons.size());
  EXPECT_EQ(presented->comparisons[3].published, "52 %");
  ASSERT_EQ(presented->tables.size(), 4u);
  EXPECT_EQ(presented->tables[0].rows.size(), 5u);
  EXPECT_EQ(presented->tables[1].rows.size(), 10u);
  EXPECT_EQ(presented->tables[2].rows.size(), 9u);
  for (const report::Table& table : presented->tables) {
    for (const report::Row& row : table.rows) {
      EXPECT_EQ(row.cells.size(), table.columns.size()) << table.caption;
    }
  }
  const std::string page = report::html(presented->report);
  report::expect_sound(page);
  for (const char* text : {"Maitre", "Figure 1", "In 6 of 9 published points",
                           "damier reproduce domineering --seed 1"}) {
    EXPECT_NE(page.find(text), std::string::npos) << text;
  }
  EXPECT_EQ(page.find(">nan"), std::string::npos);
}

TEST_F(DomineeringStudies, StoppedAnywhereTheyEndAlike) {
  const auto whole = study("whole");
  ASSERT_TRUE(whole) << whole.error().text();
  expect_the_same_in_parts([&](const StudyHooks& hooks,
                               int threads) { return study("parts", hooks, tiny_plan(), threads); },
                           facts, facts(*whole), 15, 25);
}

// What makes the report's tables: its bandit that explores much is hardly better than chance, and
// of its players by random games the one that moves first wins.
TEST(SlowDomineeringFaults, MakeThePublishedTables) {
  const auto games = play::builtin_games();
  const auto score = [&](const char* player, const char* opponent) {
    play::ContestPlan plan;
    plan.toolkit = games.toolkit(games.find("domineering").value()->make({}).value());
    plan.players = {player, opponent};
    plan.games = 80;
    plan.opening_plies = 0;
    const auto contest = play::open_contest(plan).value();
    play::GameRows rows;
    ThreadPool pool(2);
    play::play_contest(contest, rows, pool, [](const GameRow&) { return true; });
    return play::score_between(contest, rows, 0, 1);
  };
  EXPECT_GT(score("ucb:100,c=1.8", "flat:100").tally.record().score(), 0.55);
  EXPECT_LT(score("ucb:100,c=1.8,choice=bound,mean=zero", "flat:100").tally.record().score(), 0.3);
  const auto untried = score("flat:1000,last=untried", "flat:2000,last=untried");
  EXPECT_GT(untried.moving_first.score(), 0.75);
  EXPECT_LT(untried.tally.record().score(), 0.6);
}

TEST(DomineeringPlans, TrainTheReportsFourNetworks) {
  const DomineeringPlan plan = domineering_plan(published(), false);
  ASSERT_EQ(plan.networks.size(), 4u);
  std::vector<std::size_t> layers;
  for (const std::string& name : plan.networks) {
    const auto recipe = domineering_recipe(published(), plan, name);
    ASSERT_TRUE(recipe) << recipe.error().text();
    EXPECT_EQ(recipe->data->generate.count, 10'000u);
    EXPECT_EQ(recipe->data->generate.split, "game");
    EXPECT_EQ(recipe->task->text_option(recipe->data->generate, "oracle"), "ucb:100,c=0.3");
    EXPECT_DOUBLE_EQ(recipe->data->generate.validation, 0.2);
    EXPECT_DOUBLE_EQ(recipe->data->generate.test, 0.2);
    layers.push_back(recipe->network.layers.size());
  }
  // A level: convolution, norm, ReLU, and three blocks, each with a ReLU behind it and a dropout.
  EXPECT_EQ(layers, (std::vector<std::size_t>{24, 18, 12, 9}));
  // The recipe that ships is the fourth.
  const auto ships = learn::find_recipe("domineering-report");
  ASSERT_TRUE(ships) << ships.error().text();
  EXPECT_EQ(domineering_recipe(published(), plan, "4")->json, ships->json);
}

}  // namespace
}  // namespace damier::lab
