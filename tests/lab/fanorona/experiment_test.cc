// The experiment on fanoron-telo from end to end, small enough for seconds.
#include "damier/lab/fanorona/experiment.h"

#include "tests/lab/stopped_study.h"
#include "tests/lab/study_folder.h"
#include "tests/report/sound_page.h"
#include <gtest/gtest.h>

#include "damier/base/files/files.h"
#include "damier/learn/fanorona/task.h"
#include "damier/model/library.h"

namespace damier::lab {
namespace {

FanoronaPlan tiny_plan() {
  FanoronaPlan plan;
  plan.recipes = {"fanorona-report", "fanorona-adam"};
  plan.settings = {"epochs=3", "data.generate.count=800", "data.generate.oracle=minimax:2",
                   R"(evaluation.sets=["training","test"])"};
  plan.ours = "fanorona-quick";
  plan.ours_settings = {"epochs=3", "data.generate.count=800",
                        R"(evaluation.sets=["validation","test","reachable"])"};
  plan.player = "minimax:3";
  plan.games = 6;
  plan.most_states = 60;
  return plan;
}

class FanoronaStudies : public StudyFolder {
 protected:
  Result<FanoronaFindings> study(const std::string& name, StudyHooks hooks = {},
                                 const FanoronaPlan& plan = tiny_plan(), int threads = 2) {
    ThreadPool pool(threads);
    return study_fanorona(plan, options("fanorona", name), {games_, pool, std::move(hooks)});
  }

  // All that was found, but for the time it took.
  static Json facts(const FanoronaFindings& findings) {
    Json json = Json::array();
    const auto add = [&](const FanoronaNetwork& network) {
      for (const auto& set : network.trained.sets) json.push_back(metrics_json(set.metrics));
      for (const auto& epoch : network.trained.curve) {
        json.push_back({epoch.epoch, epoch.training_loss, epoch.validation_loss.value_or(-1),
                        epoch.accuracy.value_or(-1)});
      }
      json.push_back(json_of(network.evaluation));
      json.push_back(network.trained.kept_epoch);
    };
    for (const FanoronaNetwork& network : findings.networks) add(network);
    add(findings.ours);
    for (const auto& match : findings.matches) json.push_back(json_of(match));
    const auto rows = compare(find_published("fanorona").value(), measured_fanorona(findings));
    for (const auto& row : rows.value()) json.push_back(comparison_json(row));
    return json;
  }

  const play::Registry games_ = play::builtin_games();
};

TEST_F(FanoronaStudies, FindAllThatTheyPresent) {
  const auto findings = study("whole");
  ASSERT_TRUE(findings) << findings.error().text();
  ASSERT_EQ(findings->networks.size(), 2u);
  EXPECT_EQ(findings->networks[0].trained.curve.size(), 3u);
  EXPECT_GT(findings->networks[0].on_test("value_kept").n, 20);
  EXPECT_GT(findings->ours.on_test("value_kept").value, 0.4);
  std::int64_t asked = 0;
  for (const FanoronaCell& cell : findings->reachable.cells) {
    asked += cell.n;
    EXPECT_LE(cell.shortest, cell.kept);
    EXPECT_LE(cell.kept, cell.n);
  }
  EXPECT_EQ(asked, 60);
  // The cells of a network add up to what the task's own evaluation says of it.
  std::int64_t kept = 0, n = 0;
  for (const FanoronaCell& cell : findings->ours.evaluation.cells) {
    kept += cell.kept;
    n += cell.n;
  }
  const Estimate evaluated = findings->ours.on_test("value_kept");
  EXPECT_EQ(n, evaluated.n);
  EXPECT_DOUBLE_EQ(static_cast<double>(kept) / static_cast<double>(n), evaluated.value);
  // The trainings are runs of the store.
  EXPECT_EQ(Store::open(store()).value().runs("train").value().size(), 3u);

  const auto presented =
      present_fanorona(find_published("fanorona").value(), *findings, options("fanorona", "whole"));
  ASSERT_TRUE(presented) << presented.error().text();
  const ExperimentResult& result = *presented;
  ASSERT_EQ(result.comparisons.size(), 9u);
  EXPECT_EQ(result.comparisons[0].published, "");
  EXPECT_EQ(result.comparisons[0].ours.n, findings->networks[0].on_test("value_kept").n);
  EXPECT_EQ(result.comparisons[3].published, "goal ≥ 99.5 %");
  EXPECT_EQ(result.comparisons[3].verdict, report::Verdict::missed);
  EXPECT_EQ(result.tables[0].rows.size(), 2u);
  EXPECT_EQ(result.tables[1].rows.size(), 3u);
  const std::string page = report::html(result.report);
  report::expect_sound(page);
  for (const char* text : {"Fanoron-telo", "Ramaroson", "not given", "Figure 1",
                           "damier reproduce fanorona --seed 1"}) {
    EXPECT_NE(page.find(text), std::string::npos) << text;
  }
  EXPECT_EQ(page.find(">nan"), std::string::npos);
  EXPECT_EQ(page.find(" nan"), std::string::npos);
}

TEST_F(FanoronaStudies, StoppedAnywhereTheyEndAlike) {
  const auto whole = study("whole");
  ASSERT_TRUE(whole) << whole.error().text();
  expect_the_same_in_parts([&](const StudyHooks& hooks,
                               int threads) { return study("parts", hooks, tiny_plan(), threads); },
                           facts, facts(*whole), 40, 150);
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
  for (const FanoronaCell& cell : findings->reachable.cells) EXPECT_EQ(cell.shortest, cell.n);
  EXPECT_EQ(findings->matches[0].record.losses, 0);
  EXPECT_GT(findings->matches[0].different, 10);
  EXPECT_EQ(findings->matches[0].record.games(), 40);
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
  EXPECT_EQ(facts(*without), facts(*whole));
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
    const FanoronaPlan plan = fanorona_plan(quick);
    for (const auto& name : plan.recipes) {
      const auto recipe = learn::find_recipe(name, plan.settings);
      ASSERT_TRUE(recipe) << recipe.error().text();
      EXPECT_EQ(recipe->data->generate.count, 76000u);
      EXPECT_EQ(recipe->task->text_option(recipe->data->generate, "oracle"), "minimax:6");
      EXPECT_EQ(value_of(recipe->data->generate.seed), 1u);
    }
    EXPECT_TRUE(learn::find_recipe(plan.ours, plan.ours_settings));
  }
}

}  // namespace
}  // namespace damier::lab
