// The experiment on domineering from end to end, small enough for seconds.
#include "damier/lab/domineering/experiment.h"

#include "tests/lab/stopped_study.h"
#include "tests/lab/study_folder.h"
#include <gtest/gtest.h>

#include "damier/play/contest/contest.h"

namespace damier::lab {
namespace {

const Published& published() {
  static const Published found = find_published("domineering").value();
  return found;
}

DomineeringPlan tiny_plan() {
  auto plan = plan_of<DomineeringPlan>("domineering", false);
  plan.settings = {"epochs=1", "data.generate.count=150", "data.generate.teacher=ucb:2,c=0.3"};
  for (std::size_t i = 0; i < plan.players.size(); ++i) {
    plan.players[i].playouts = static_cast<std::int64_t>(i);
  }
  plan.playouts = 2;
  plan.games = 4;
  return plan;
}

class DomineeringStudies : public StudyFolder {
 protected:
  Result<Json> study(const std::string& name, StudyHooks hooks = {}, int threads = 2) {
    ThreadPool pool(threads);
    return study_domineering(published(), tiny_plan(), options("domineering", name),
                             {games_, pool, std::move(hooks)});
  }

  const play::Registry games_ = play::builtin_games();
};

TEST_F(DomineeringStudies, FindAllThatTheyPresent) {
  const auto findings = study("whole");
  ASSERT_TRUE(findings) << findings.error().text();
  ASSERT_EQ((*findings)["networks"].size(), 4u);
  const Estimate first = estimate_of((*findings)["networks"]["1"]["classes"]);
  const Estimate again = estimate_of((*findings)["again"]);
  EXPECT_GT(first.n, 5);
  EXPECT_EQ(again.n, first.n);
  EXPECT_GT(again.value, 0) << "with two random games a move it is often the same";
  const Json& pairs = (*findings)["pairs"];
  ASSERT_EQ(pairs.size(), 10u);
  EXPECT_EQ(pairs.items().back().first, "1K-10K");
  for (const auto& [name, pair] : pairs.items()) {
    const Json& match = pair["match"];
    EXPECT_EQ(match["games"], 4) << name;
    EXPECT_EQ(match["wins_first"].get<int>() + match["losses_first"].get<int>(), 2) << name;
    EXPECT_EQ(match["draws"], 0) << "a game of domineering has a winner";
  }
  // The trainings are runs of the store: four networks, and one that is shown the board after.
  EXPECT_EQ(Store::open(store()).value().runs("train").value().size(), 5u);

  const auto result =
      presented("domineering", *findings, {"Maitre", "Figure 1", "In 6 of 9 published points"});
  EXPECT_EQ(result.comparisons.at(3).published, "52 %");
  const auto tables = tables_of(result);
  ASSERT_EQ(tables.size(), 5u);
  EXPECT_EQ(tables[0].rows.size(), 5u);
  EXPECT_EQ(tables[0].rows[0].cells[0].text, "1: 2 levels, dropout 0.15");
  EXPECT_EQ(tables[0].rows[4].cells[0].text, "4, after the move");
  EXPECT_EQ(tables[1].rows.size(), 10u);
  EXPECT_EQ(tables[1].rows[0].cells[6].text, "—") << "the last move is never untried there";
  EXPECT_EQ(tables[2].rows.size(), 9u);
}

TEST_F(DomineeringStudies, StoppedAnywhereTheyEndAlike) {
  const auto whole = study("whole");
  ASSERT_TRUE(whole) << whole.error().text();
  expect_the_same_in_parts(
      [&](const StudyHooks& hooks, int threads) { return study("parts", hooks, threads); }, *whole,
      15, 25);
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
  const auto plan = plan_of<DomineeringPlan>("domineering", false);
  ASSERT_EQ(plan.networks.size(), 4u);
  std::vector<std::size_t> layers;
  for (const std::string& name : plan.networks) {
    const auto recipe = domineering_recipe(published(), plan, name);
    ASSERT_TRUE(recipe) << recipe.error().text();
    EXPECT_EQ(recipe->data->generate.count, 10'000u);
    EXPECT_EQ(recipe->data->generate.split, "game");
    EXPECT_EQ(recipe->task->text_option(recipe->data->generate, "teacher"), "ucb:100,c=0.3");
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
