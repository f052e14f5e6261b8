// The experiment on Brême from end to end, small enough for seconds.
#include "damier/lab/bremen/experiment.h"

#include "tests/lab/stopped_study.h"
#include "tests/lab/study_folder.h"
#include "tests/report/sound_page.h"
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
  BremenPlan plan = bremen_plan(true);
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
  plan.mistakes.resize(1);
  plan.wishes = {plan.wishes.front(), plan.wishes.back()};
  plan.seeds = 2;
  plan.games = 2;
  plan.positions = 20;
  plan.others = {"random", "minimax:2"};
  plan.tournament_games = 2;
  return plan;
}

class BremenStudies : public StudyFolder {
 protected:
  Result<BremenFindings> study(const BremenPlan& plan, const std::string& name,
                               StudyHooks hooks = {}, int threads = 2) {
    ThreadPool pool(threads);
    return study_bremen(plan, options("bremen", name), {games_, pool, std::move(hooks)});
  }

  // All that was found, but for the time it took.
  static Json facts(const BremenFindings& findings) {
    Json json = Json::array();
    const auto rows = compare(published_bremen(), measured_bremen(findings));
    for (const auto& row : rows.value()) json.push_back(comparison_json(row));
    for (const BremenNetwork& network : findings.ways) json.push_back(json_of(network.matches[1]));
    for (const BremenNetwork& network : findings.ways) json.push_back(json_of(network.regrets));
    json.push_back(json_of(findings.tournament));
    return json;
  }

  const play::Registry games_ = play::builtin_games();
};

TEST_F(BremenStudies, FindAllThatTheyPresent) {
  const auto findings = study(tiny_bremen_plan(), "whole");
  ASSERT_TRUE(findings) << findings.error().text();
  ASSERT_EQ(findings->ways.size(), 4u) << "two ways, two seeds";
  EXPECT_EQ(findings->ways[3].name, "public code");
  EXPECT_EQ(findings->ways[3].seed, 2);
  EXPECT_EQ(findings->ways[0].against_right.record.games(), 0) << "it is the one";
  EXPECT_EQ(findings->ways[1].against_right.record.games(), 2);
  EXPECT_EQ(findings->wishes[1].name, "PPO");
  for (const BremenNetwork& network : findings->ways) {
    ASSERT_EQ(network.regrets.list.size(), 2u) << "one an epoch";
    EXPECT_EQ(network.regrets.list[0].epoch, 1);
    EXPECT_EQ(network.regret().all().n, 20);
    ASSERT_NE(network.trained.figure("score_random"), nullptr);
    EXPECT_EQ(network.trained.figure("score_random")->by_epoch.size(), 2u);
  }
  // The opponents, and the network after each epoch: six pairings of two games.
  ASSERT_EQ(findings->tournament.ratings.size(), 4u);
  EXPECT_EQ(findings->tournament.ratings[0].elo, 0) << "random is where the scale begins";
  EXPECT_EQ(findings->tournament.ratings[3].epoch, 2);
  EXPECT_EQ(findings->tournament.games.size(), 12u);
  const auto csv = read_file(findings->games_file, 1 << 20);
  ASSERT_TRUE(csv) << csv.error().text();
  EXPECT_EQ(split(trim(*csv), '\n').size(), 13u);
  EXPECT_TRUE(csv->starts_with("number,first,second,opening,outcome,plies,moves\n"));
  ASSERT_EQ(findings->others.list.size(), 2u);
  EXPECT_GT(findings->others.list[0].all().value, 0.2) << "random throws much away";

  const auto presented = present_bremen(published_bremen(), *findings, options("bremen", "whole"));
  ASSERT_TRUE(presented) << presented.error().text();
  ASSERT_EQ(presented->tables.size(), 4u);
  EXPECT_EQ(presented->tables[0].rows.size(), 4u);
  EXPECT_EQ(presented->tables[2].rows.size(), 3u) << "made right, and two wishes";
  for (const report::Table& table : presented->tables) {
    for (const report::Row& row : table.rows) {
      EXPECT_EQ(row.cells.size(), table.columns.size()) << table.caption;
    }
  }
  const std::string page = report::html(presented->report);
  report::expect_sound(page);
  for (const char* text :
       {"Pottier", "Where the rooster goes", "Points by opening draft", "Regret while learning",
        "first placement, exactly", "damier reproduce bremen --seed 1"}) {
    EXPECT_NE(page.find(text), std::string::npos) << text;
  }
}

TEST_F(BremenStudies, StoppedAnywhereTheyEndAlike) {
  BremenPlan plan = tiny_bremen_plan();
  plan.seeds = 1;
  plan.mistakes.clear();
  plan.wishes.resize(1);
  const auto whole = study(plan, "whole");
  ASSERT_TRUE(whole) << whole.error().text();
  expect_the_same_in_parts(
      [&](const StudyHooks& hooks, int threads) { return study(plan, "parts", hooks, threads); },
      facts, facts(*whole), 6, 8);
}

TEST(BremenPlans, HaveOnlyRecipesThatCanBeTrained) {
  for (const bool quick : {false, true}) {
    const BremenPlan plan = bremen_plan(quick);
    for (const auto* list : {&plan.ways, &plan.mistakes, &plan.wishes}) {
      for (const BremenVariant& variant : *list) {
        const auto recipe = learn::find_recipe(variant.recipe, variant.settings);
        EXPECT_TRUE(recipe.ok()) << variant.name << ": " << recipe.error().text();
      }
    }
  }
}

}  // namespace
}  // namespace damier::lab
