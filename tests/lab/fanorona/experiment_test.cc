// The experiment on fanoron-telo from end to end, small enough for seconds.
#include "damier/lab/fanorona/experiment.h"

#include "tests/lab/stopped_study.h"
#include "tests/lab/study_folder.h"
#include <gtest/gtest.h>

#include "damier/base/files/files.h"
#include "damier/lab/matches.h"
#include "damier/learn/fanorona/task.h"
#include "damier/learn/train/fit.h"
#include "damier/model/library.h"
#include "damier/model/model.h"

namespace damier::lab {
namespace {

const Published& published() {
  static const Published found = find_published("fanorona").value();
  return found;
}

FanoronaPlan tiny_plan() {
  auto plan = plan_of<FanoronaPlan>("fanorona", false);
  plan.recipes = {"fanorona-report", "fanorona-adam"};
  plan.settings = {"epochs=3", "data.generate.count=800", "data.generate.teacher=minimax:2",
                   R"(evaluation.sets=["training","test"])"};
  plan.ours = "fanorona-quick";
  plan.ours_settings = {"epochs=3", "data.generate.count=800",
                        R"(evaluation.sets=["validation","test","reachable"])"};
  plan.player = "minimax:3";
  plan.games = 6;
  plan.max_states = 60;
  return plan;
}

class FanoronaStudies : public StudyFolder {
 protected:
  Result<Json> study(const std::string& name, StudyHooks hooks = {},
                     const FanoronaPlan& plan = tiny_plan(), int threads = 2) {
    ThreadPool pool(threads);
    return study_fanorona(published(), plan, options("fanorona", name),
                          {games_, pool, std::move(hooks)});
  }

  const play::Registry games_ = play::builtin_games();
};

TEST_F(FanoronaStudies, FindAllThatTheyPresent) {
  const auto findings = study("whole");
  ASSERT_TRUE(findings) << findings.error().text();
  const Json &report = (*findings)["report"], &ours = (*findings)["ours"];
  ASSERT_EQ((*findings)["networks"].size(), 2u);
  EXPECT_EQ(report["epochs"], 3);
  const Estimate kept = estimate_of(report["test"]["value_kept"]);
  EXPECT_GT(kept.n, 20);
  EXPECT_GT(estimate_of(ours["test"]["value_kept"]).value, 0.4);
  EXPECT_EQ(estimate_of((*findings)["reachable"]).n, 60);
  // The trainings are runs of the store.
  EXPECT_EQ(Store::open(store()).value().runs("train").value().size(), 3u);

  const auto result =
      presented("fanorona", *findings, {"Fanoron-telo", "Ramaroson", "not given", "Figure 1"});
  ASSERT_EQ(result.comparisons.size(), 9u);
  EXPECT_EQ(result.comparisons[0].published, "");
  EXPECT_EQ(result.comparisons[0].ours.n, kept.n);
  EXPECT_EQ(result.comparisons[3].published, "goal ≥ 99.5 %");
  EXPECT_EQ(result.comparisons[3].verdict, report::Verdict::missed);
  EXPECT_EQ(
      table_of(result, "The report's network and its extensions, on the same unseen positions")
          .rows.size(),
      2u);
  EXPECT_EQ(table_of(result, "The games of minimax:3").rows.size(), 3u);
}

// The cells of a network add up to what the task's own evaluation says of it.
TEST_F(FanoronaStudies, SortMistakesWithoutLosingAny) {
  const auto recipe = learn::find_recipe("fanorona-quick", tiny_plan().ours_settings).value();
  ThreadPool pool(2);
  const auto data = learn::open_data(recipe, pool).value();
  const auto model = model::open_model(model::model_path("fanorona").value()).value();
  const auto predictor = model::predict_with(model, 64);
  const auto sorted = evaluate_fanorona(*predictor, data, learn::Split::test).value();
  std::int64_t kept = 0, n = 0;
  for (const FanoronaCell& cell : sorted.cells) {
    EXPECT_LE(cell.shortest, cell.kept);
    EXPECT_LE(cell.kept, cell.n);
    kept += cell.kept;
    n += cell.n;
  }
  const auto metrics =
      recipe.task->evaluate(*predictor, learn::encoder_of(data), data, learn::Split::test).value();
  const Metric* evaluated = find_metric(metrics, "value_kept");
  ASSERT_NE(evaluated, nullptr);
  EXPECT_EQ(n, evaluated->n);
  EXPECT_DOUBLE_EQ(static_cast<double>(kept) / static_cast<double>(n), evaluated->value);
}

TEST_F(FanoronaStudies, StoppedAnywhereTheyEndAlike) {
  const auto whole = study("whole");
  ASSERT_TRUE(whole) << whole.error().text();
  expect_the_same_in_parts([&](const StudyHooks& hooks,
                               int threads) { return study("parts", hooks, tiny_plan(), threads); },
                           *whole, 40, 150);
}

TEST_F(FanoronaStudies, GoOnWithWhatIsKnownAndNothingElse) {
  ASSERT_TRUE(study("one"));
  std::vector<std::string> fresh;
  StudyHooks hooks;
  hooks.on_step = [&](const std::string& step, bool known) {
    if (!known) fresh.push_back(step);
  };
  ASSERT_TRUE(study("one", hooks));
  EXPECT_TRUE(fresh.empty());
  FanoronaPlan other = tiny_plan();
  other.settings.front() = "epochs=2";
  other.opponents = {"random"};
  ASSERT_TRUE(study("one", hooks, other));
  EXPECT_EQ(fresh, (std::vector<std::string>{"train fanorona-report", "evaluate fanorona-report",
                                             "train fanorona-adam", "evaluate fanorona-adam"}));
  fresh.clear();
  other.player = "first";
  ASSERT_TRUE(study("one", hooks, other));
  EXPECT_EQ(fresh,
            (std::vector<std::string>{"first on the reachable positions", "first against random"}));
}

TEST_F(FanoronaStudies, TellWhatIsWrongBeforeTheWork) {
  FanoronaPlan plan = tiny_plan();
  plan.player = "nobody";
  EXPECT_NE(study("x", {}, plan).error().message.find("unknown fanorona player"),
            std::string::npos);
  plan = tiny_plan();
  plan.recipes.push_back("fanorona-repot");
  EXPECT_NE(study("x", {}, plan).error().message.find("unknown recipe"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(path("x")));
}

TEST_F(FanoronaStudies, AJournalThatIsNotWholeIsAnError) {
  ASSERT_TRUE(study("one"));
  const auto journal = path("one") / "journal.json";
  Json json = parse_json(read_file(journal, std::size_t{1} << 24).value(), "journal").value();
  json["steps"][0]["result"].erase("cells");
  ASSERT_TRUE(write_file_atomically(journal, dump_line(json)));
  const auto again = study("one");
  ASSERT_FALSE(again);
  EXPECT_EQ(
      again.error().message,
      "the result of 'evaluate fanorona-report' is incomplete (cells: missing); --fresh starts "
      "over");
}

TEST_F(FanoronaStudies, ThePerfectPlayerLosesNothing) {
  FanoronaPlan plan = tiny_plan();
  plan.player = "perfect";
  plan.opponents = {"minimax:2"};
  plan.games = 40;
  const auto findings = study("perfect", {}, plan);
  ASSERT_TRUE(findings) << findings.error().text();
  EXPECT_EQ(estimate_of((*findings)["reachable"]).value, 1);
  const Json& match = (*findings)["matches"]["minimax:2"];
  EXPECT_EQ(match["losses"], 0);
  EXPECT_GT(match["different"], 10);
  EXPECT_EQ(match["games"], 40);
}

// `net` may be the model that was trained last, and the study trains: its player is the one that it
// began with.
TEST_F(FanoronaStudies, ThePlayerIsOpenedAtTheStart) {
  FanoronaPlan plan = tiny_plan();
  const std::string model = path("model.safetensors");
  std::filesystem::copy_file(model::model_path("fanorona").value(), model);
  plan.player = "net:" + model;
  const auto whole = study("whole", {}, plan);
  ASSERT_TRUE(whole) << whole.error().text();
  StudyHooks hooks;
  hooks.on_step = [&](const std::string&, bool) { std::filesystem::remove(model); };
  const auto without = study("without", hooks, plan);
  ASSERT_TRUE(without) << without.error().text();
  EXPECT_EQ(facts_of(*without), facts_of(*whole));
}

TEST(PlayerFingerprints, TellPlayersApart) {
  const auto games = play::builtin_games();
  const auto toolkit = games.toolkit(games.find("fanorona").value()->make({}).value());
  const auto print = [&](const char* player) {
    return player_fingerprint(*toolkit, play::open_player(*toolkit, player).value());
  };
  EXPECT_EQ(print("minimax:2"), print("minimax:2"));
  EXPECT_NE(print("minimax:2"), print("minimax:5"));
  EXPECT_NE(print("perfect"), print("first"));
}

TEST(FanoronaPlans, NameRecipesThatExist) {
  for (const bool quick : {false, true}) {
    const auto plan = plan_of<FanoronaPlan>("fanorona", quick);
    for (const auto& name : plan.recipes) {
      const auto recipe = learn::find_recipe(name, plan.settings);
      ASSERT_TRUE(recipe) << recipe.error().text();
      EXPECT_EQ(recipe->data->generate.count, 76000u);
      EXPECT_EQ(recipe->task->text_option(recipe->data->generate, "teacher"), "minimax:6");
      EXPECT_EQ(value_of(recipe->data->generate.seed), 1u);
    }
    EXPECT_TRUE(learn::find_recipe(plan.ours, plan.ours_settings));
  }
}

}  // namespace
}  // namespace damier::lab
