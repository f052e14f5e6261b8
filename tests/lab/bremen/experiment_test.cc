// The experiment on Brême from end to end, small enough for seconds.
#include "damier/lab/bremen/experiment.h"

#include "tests/lab/stopped_study.h"
#include "tests/lab/study_folder.h"
#include <gtest/gtest.h>

#include "damier/base/files/files.h"
#include "damier/base/text/text.h"

namespace damier::lab {
namespace {

const Published& published_bremen() {
  static const Published found = find_published("bremen").value();
  return found;
}

BremenPlan tiny_bremen_plan() {
  auto plan = plan_of<BremenPlan>("bremen", true);
  plan.settings = {"epochs=2",
                   "steps=64",
                   "batch=16",
                   "reinforcement.games=8",
                   "reinforcement.begin=16",
                   "reinforcement.replay=128",
                   "evaluation.every=1",
                   "evaluation.games=2",
                   "evaluation.models=true",
                   "evaluation.opponents=[\"random\"]"};
  plan.faults.resize(1);
  plan.extensions = {plan.extensions.front(), plan.extensions.back()};
  plan.seeds = 2;
  plan.games = 2;
  plan.positions = 20;
  plan.others = {"random", "minimax:2"};
  plan.tournament_games = 2;
  return plan;
}

class BremenStudies : public StudyFolder {
 protected:
  Result<Json> study(const BremenPlan& plan, const std::string& name, StudyHooks hooks = {},
                     int threads = 2) {
    ThreadPool pool(threads);
    return study_bremen(published_bremen(), plan, options("bremen", name),
                        {games_, pool, std::move(hooks)});
  }

  const play::Registry games_ = play::builtin_games();
};

TEST_F(BremenStudies, FindAllThatTheyPresent) {
  const auto findings = study(tiny_bremen_plan(), "whole");
  ASSERT_TRUE(findings) << findings.error().text();
  const Json& ways = (*findings)["ways"];
  ASSERT_EQ(ways.size(), 4u) << "two ways, two seeds";
  EXPECT_EQ(ways[3]["name"], "as published, seed 2");
  EXPECT_FALSE(ways[0].contains("against_corrected")) << "it is the one";
  EXPECT_EQ(ways[1]["against_corrected"]["games"], 2);
  EXPECT_EQ((*findings)["extensions"][2]["way"], "PPO");
  for (const Json& network : ways) {
    EXPECT_EQ(estimate_of(network["lost"]["all"]).n, 20);
    EXPECT_EQ(network["curves"]["score_random"].size(), 2u);
  }
  for (const Json& way : (*findings)["learning"]) {
    ASSERT_EQ(way["lost"].size(), 2u) << "one an epoch";
    EXPECT_EQ(way["lost"][0][0], 1);
    EXPECT_EQ(way["lost"][0].size(), 4u) << "epoch, mean, lowest, highest";
  }
  // The opponents, and the network after each epoch: six pairings of two games.
  EXPECT_EQ((*findings)["rated"].size(), 2u);
  EXPECT_EQ((*findings)["rated"]["random"], 0) << "random is where the scale begins";
  ASSERT_EQ((*findings)["ratings"].size(), 2u);
  EXPECT_EQ((*findings)["ratings"][1][0], 2);
  EXPECT_EQ((*findings)["tournament"]["count"], 12);
  const auto csv = read_file(path("whole") / "games.csv", 1 << 20);
  ASSERT_TRUE(csv) << csv.error().text();
  EXPECT_EQ(split(trim(*csv), '\n').size(), 13u);
  EXPECT_TRUE(csv->starts_with("number,first,second,opening,outcome,plies,moves\n"));
  ASSERT_EQ((*findings)["others"].size(), 2u);
  EXPECT_GT(estimate_of((*findings)["weakest_lost"]["all"]).value, 0.2)
      << "random throws much away";

  const auto result = presented(
      "bremen", *findings,
      {"Pottier", "Where the rooster goes", "Points by opening draft", "Value lost while learning",
       "first placement, exactly", "Points against minimax:2 while learning"});
  EXPECT_EQ(table_of(result, "The report's system, as published and corrected (%)").rows.size(),
            4u);
  EXPECT_EQ(table_of(result, "The proposed extensions (%)").rows.size(), 3u)
      << "corrected, and two extensions";
}

TEST_F(BremenStudies, StoppedAnywhereTheyEndAlike) {
  BremenPlan plan = tiny_bremen_plan();
  plan.seeds = 1;
  plan.faults.clear();
  plan.extensions.resize(1);
  const auto whole = study(plan, "whole");
  ASSERT_TRUE(whole) << whole.error().text();
  expect_the_same_in_parts(
      [&](const StudyHooks& hooks, int threads) { return study(plan, "parts", hooks, threads); },
      *whole, 6, 8);
}

TEST(BremenPlans, HaveOnlyRecipesThatCanBeTrained) {
  for (const bool quick : {false, true}) {
    const auto plan = plan_of<BremenPlan>("bremen", quick);
    for (const auto* list : {&plan.ways, &plan.faults, &plan.extensions}) {
      for (const BremenVariant& variant : *list) {
        const auto recipe = learn::find_recipe(variant.recipe, variant.settings);
        EXPECT_TRUE(recipe.ok()) << variant.name << ": " << recipe.error().text();
      }
    }
  }
}

}  // namespace
}  // namespace damier::lab
