// The experiment on minesweeper from end to end, small enough for seconds.
#include "damier/lab/minesweeper/experiment.h"

#include <algorithm>
#include <set>

#include "tests/lab/stopped_study.h"
#include "tests/lab/study_folder.h"
#include <gtest/gtest.h>

#include "damier/base/files/files.h"
#include "damier/games/minesweeper/minesweeper.h"
#include "damier/lab/minesweeper/games.h"
#include "damier/model/library.h"
#include "damier/nn/safetensors.h"

namespace damier::lab {
namespace {

const Published& published() {
  static const Published read = find_published("minesweeper").value();
  return read;
}

MinesweeperPlan tiny_plan() {
  auto plan = plan_of<MinesweeperPlan>("minesweeper", true);
  plan.links = {{{4000, 10, 1},
                 {8000, 10, 1},
                 {8000, 100, 2},
                 {4000, 100, 1},
                 {8000, 100, 2},
                 {8000, 100, 2, 2},
                 {8000, 100, 2}}};
  plan.wide = {40, 40, 20};
  plan.held_out = 2000;
  plan.pool = 1500;
  plan.fresh = 4000;
  plan.sweeps = {{{{4000, 10, 1}, {0.25, 0.5}},
                  {{2000, 10, 1}, {"safe-first", "alternate:5", "mixed"}},
                  {{0, 10, 1}, {100, 800}},
                  {{4000, 0, 1}, {10, 500}}}};
  plan.epochs = {4000, 100, 3};
  plan.duplicates_of = 2000;
  plan.grids = {{{0.5, 1.15}, {0.2, 0.9, 1}}};
  plan.grid_games = 20;
  plan.games = 70;
  plan.player_games = 50;
  plan.sizes = {"6x6x4", "10x10x10"};
  plan.densities = {"10x10x4", "10x10x10"};
  plan.player = "solver";
  return plan;
}

class MinesweeperStudies : public StudyFolder {
 protected:
  Result<Json> study(const std::string& name, StudyHooks hooks = {},
                     const MinesweeperPlan& plan = tiny_plan(), int threads = 2) {
    ThreadPool pool(threads);
    return study_minesweeper(published(), plan, options("minesweeper", name),
                             {games_, pool, std::move(hooks)});
  }

  const play::Registry games_ = play::builtin_games();
};

TEST_F(MinesweeperStudies, FindAllThatTheyPresent) {
  std::set<std::string> steps;
  StudyHooks hooks;
  hooks.on_step = [&](const std::string& step, bool) {
    EXPECT_TRUE(steps.insert(step).second) << step;
  };
  const auto found = study("whole", hooks);
  ASSERT_TRUE(found) << found.error().text();
  const Json& findings = *found;
  const auto figure = [](const Json& errors, const char* name) {
    return estimate_of(errors[name]).value;
  };
  for (const auto& [name, network] : findings["networks"].items()) {
    const Json& errors = network["errors"];
    EXPECT_EQ(network["games"]["values"].size(), 70u) << name;
    EXPECT_GT(figure(errors, "absolute"), 0.05) << name;
    EXPECT_LT(figure(errors, "absolute"), 0.6) << name;
    EXPECT_GE(figure(errors, "squared"), 0.01) << name;
    EXPECT_LE(errors["first_quartile"], errors["third_quartile"]) << name;
    EXPECT_NEAR(
        figure(errors, "below_01") + figure(errors, "from_01_to_02") + figure(errors, "above_02"),
        1, 1e-9)
        << name;
    EXPECT_EQ(estimate_of(errors["absolute"]).kind, EstimateKind::loss) << name;
    double bins = 0;
    for (const auto& [bin, share] : errors["bins"].items()) bins += share.get<double>();
    EXPECT_NEAR(bins, 1, 1e-9) << name;
  }
  EXPECT_GT(findings["networks"]["wider network"]["parameters"], 3000);
  // Another seed is another network.
  EXPECT_EQ(findings["seeds"]["flags at the report's setting"]["trainings"], 2);
  EXPECT_TRUE(estimate_of(findings["seeds"]["flags"]["mean"]).has_interval());
  EXPECT_EQ(std::count_if(steps.begin(), steps.end(),
                          [](const std::string& step) { return step.starts_with("train flags"); }),
            2);
  EXPECT_EQ(findings["sweeps"]["shares"]["points"].size(), 2u);
  EXPECT_EQ(findings["sweeps"]["orders"]["points"].items()[1].first, "alternate 5");
  EXPECT_EQ(findings["epochs"]["epochs"], 3);
  const Json& kinds = findings["duplicates"]["kinds"];
  EXPECT_GT(figure(kinds["bomb"], "share"), figure(kinds["safe"], "share"));
  EXPECT_LE(findings["chosen"]["wins"], 20);
  const Json& players = findings["players"];
  EXPECT_GT(figure(players["our network"], "wins"), figure(players["random"], "wins"));
  EXPECT_EQ(estimate_of(players["our network"]["wins"]).n, 50);
  // A point of a sweep that is a network of the chain is the same run.
  EXPECT_EQ(findings["sweeps"]["shares"]["points"]["0.5"]["absolute"],
            findings["networks"]["first"]["errors"]["absolute"]);

  const auto result = presented("minesweeper", findings,
                                {"Salamone", "18.2 %", "86.6 %", "82.35", "a little over 75 %",
                                 "92.5 %", "Wins by batch", "Playful level", "patches from play"});
  std::set<std::string> names;
  for (const Comparison& row : result.comparisons) {
    EXPECT_TRUE(names.insert(row.what).second) << row.what;
  }
  for (const char* name :
       {"random player: games won", "first: games won", "more patches: games won",
        "flags at the report's 1.15 and 0.96: games won", "the same, mean of 2 trainings",
        "our network (solver): games won", "first: mean absolute error",
        "duplicates among safe patches"}) {
    EXPECT_TRUE(names.contains(name)) << name;
  }
  EXPECT_EQ(result.comparisons.at(2).verdict,
            verdict_at_least(estimate_of(players["first"]["wins"]), 0.182));
  EXPECT_EQ(table_of(result, "Trainings with other seeds: games won (%) on 10x10 with 10 bombs")
                .rows.size(),
            kLinks + 1);
  const auto boards = table_of(result, "Games won by size of the board (the report's table 3)");
  ASSERT_EQ(boards.rows.size(), 2u);
  EXPECT_EQ(boards.rows[0].cells[0].text, "6x6x4");
  EXPECT_EQ(boards.rows[0].cells[2].text, "83.5");
  EXPECT_NE(boards.rows[0].cells[3].verdict, report::Verdict::none);
}

TEST_F(MinesweeperStudies, StoppedAnywhereTheyEndAlike) {
  const auto whole = study("whole");
  ASSERT_TRUE(whole) << whole.error().text();
  expect_the_same_in_parts([&](const StudyHooks& hooks,
                               int threads) { return study("parts", hooks, tiny_plan(), threads); },
                           *whole, 200, 250);
}

TEST_F(MinesweeperStudies, GoOnWithWhatIsKnownAndNothingElse) {
  ASSERT_TRUE(study("one"));
  std::vector<std::string> fresh;
  StudyHooks hooks;
  hooks.on_step = [&](const std::string& step, bool was_known) {
    if (!was_known) fresh.push_back(step);
  };
  ASSERT_TRUE(study("one", hooks));
  EXPECT_TRUE(fresh.empty());
  MinesweeperPlan other = tiny_plan();
  other.grid_games = 30;
  other.duplicates_of = 1000;
  ASSERT_TRUE(study("one", hooks, other));
  ASSERT_GE(fresh.size(), 2u);
  EXPECT_EQ(fresh[0], "duplicates");
  EXPECT_EQ(fresh[1], "settings of flags 1");
}

TEST_F(MinesweeperStudies, TellWhatIsWrongBeforeTheWork) {
  const auto error = [&](const std::function<void(MinesweeperPlan&)>& change) {
    MinesweeperPlan plan = tiny_plan();
    change(plan);
    const auto findings = study("x", {}, plan);
    return findings ? std::string("none") : findings.error().message;
  };
  EXPECT_NE(error([](auto& plan) { plan.player = "nobody"; }), "none");
  EXPECT_NE(error([](auto& plan) { plan.player = "net:no-such-model"; }), "none");
  EXPECT_NE(
      error([](auto& plan) { plan.sweeps[kOrders].values = {"upside-down"}; }).find("upside-down"),
      std::string::npos);
  EXPECT_NE(error([](auto& plan) { plan.sizes = {"6x6x99"}; }), "none");
  EXPECT_FALSE(std::filesystem::exists(path("x")));
}

TEST_F(MinesweeperStudies, AJournalThatIsNotWholeIsAnError) {
  ASSERT_TRUE(study("one"));
  const auto journal = path("one") / "journal.json";
  const Json whole =
      parse_json(read_file(journal, std::size_t{1} << 26).value(), "journal").value();
  const auto broken = [&](const std::string& step, const char* key) {
    Json json = whole;
    for (std::size_t i = 0; i < json["steps"].size(); ++i) {
      if (json["steps"][i]["step"] == step) json["steps"][i]["result"].erase(key);
    }
    EXPECT_TRUE(write_file_atomically(journal, dump_line(json)));
    const auto again = study("one");
    ASSERT_FALSE(again) << step;
    EXPECT_EQ(again.error().message, "the result of '" + step + "' is incomplete (" + key +
                                         ": missing); --fresh starts over");
  };
  broken("look at first", "errors");
  broken("settings of flags 1", "rows");
  broken("random player", "scores");
}

TEST(MinesweeperTallies, AreTheSameOnAnyNumberOfThreads) {
  const GameSet set{games::minesweeper::Minesweeper(8, 8, 8), 200, Seed{3}, "test"};
  ThreadPool one(1), three(3);
  for (const char* player : {"random", "solver"}) {
    const auto players = minesweeper_players(player).value();
    const auto alone = play_games(players, set, one, {}, {});
    const auto together = play_games(players, set, three, {}, {});
    ASSERT_TRUE(alone && together);
    EXPECT_EQ(json_of(*alone), json_of(*together));
    EXPECT_EQ(alone->games, 200);
    EXPECT_EQ(alone->scores.back(), alone->wins);
    const Json findings = findings_of(*alone);
    EXPECT_EQ(findings["values"].size(), 200u);
    EXPECT_NEAR(estimate_of(findings["share"]).value, estimate_of(findings["score"]).value / 56,
                1e-12);
    EXPECT_EQ(alone->win_rate(), share_estimate(alone->wins, 200));
  }
  const auto stopped =
      play_games(minesweeper_players("random").value(), set, three, {}, [] { return true; });
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().message, interruption().message);
  EXPECT_FALSE(minesweeper_players("nobody"));
}

TEST(MinesweeperErrors, CountWhatTheReportCounts) {
  std::vector<learn::EvaluatedPatch> patches;
  for (int i = 0; i < 100; ++i) {
    patches.push_back(
        {i / 10, static_cast<float>(i) / 100 + 0.005f, static_cast<std::uint8_t>(i % 25), false});
  }
  const PatchErrors errors = errors_of(patches);
  EXPECT_NEAR(errors.absolute.value, 0.5, 1e-6);
  EXPECT_NEAR(errors.below_01.value, 0.1, 1e-9);
  EXPECT_NEAR(errors.from_01_to_02.value, 0.1, 1e-9);
  EXPECT_NEAR(errors.above_02.value, 0.8, 1e-9);
  EXPECT_NEAR(errors.above_06.value, 0.4, 1e-9);
  EXPECT_NEAR(errors.above_09.value, 0.1, 1e-9);
  for (const std::int64_t count : errors.bins) EXPECT_EQ(count, 10);
  for (const std::int64_t count : errors.count) EXPECT_EQ(count, 4);
  EXPECT_NEAR(errors.quartiles[1], 0.495, 1e-6);
  // A bomb's error is the other way round.
  for (auto& patch : patches) patch.bomb = true;
  EXPECT_NEAR(errors_of(patches).below_01.value, 0.1, 1e-9);
  EXPECT_EQ(json_of(read_described<PatchErrors>(json_of(errors), "").value()), json_of(errors));
  EXPECT_EQ(errors_of({}).absolute.n, 0);
}

TEST(MinesweeperErrors, KnowDuplicates) {
  EXPECT_EQ(duplicate_share(true, 1, Seed{1}), 0);
  EXPECT_EQ(duplicate_share(false, 0, Seed{1}), 0);
  EXPECT_GT(duplicate_share(true, 20'000, Seed{1}), 0.3);
  EXPECT_EQ(duplicate_share(true, 5000, Seed{1}), duplicate_share(true, 5000, Seed{1}));
}

TEST_F(MinesweeperStudies, ThePlayerIsOpenedAtTheStart) {
  const std::string model = path("model.safetensors");
  std::filesystem::copy_file(model::model_path("minesweeper-report").value(), model);
  MinesweeperPlan plan = tiny_plan();
  plan.player = "net:" + model;
  StudyHooks hooks;
  hooks.on_step = [&](const std::string&, bool) { std::filesystem::remove(model); };
  const auto findings = study("without", hooks, plan);
  ASSERT_TRUE(findings) << findings.error().text();
  for (const auto& [name, table] : (*findings)["boards"].items()) {
    for (const auto& [board, found] : table["boards"].items()) {
      EXPECT_EQ(estimate_of(found["ours"]["wins"]).n, 50) << board;
    }
  }
}

std::string print_of(const std::string& player) {
  return minesweeper_fingerprint(player, minesweeper_players(player).value());
}

// The name of a network stays when it is trained anew; what it found before must not be taken for
// its own.
TEST(MinesweeperFingerprints, FollowTheWeightsOfANetworkNotItsName) {
  const TemporaryFolder folder;
  const std::string path = folder.path() / "model.safetensors", player = "net:" + path;
  nn::TensorFile file =
      nn::read_safetensors(model::model_path("minesweeper-report").value()).value();
  ASSERT_TRUE(nn::write_safetensors(path, file));
  const std::string before = print_of(player);
  EXPECT_EQ(print_of(player), before);
  nn::Tensor& bias = file.tensors.back();
  ASSERT_EQ(bias.name, "heads.bomb.0.bias");
  const std::vector<float> other = {nn::values_of<float>(bias)->front() + 0.01f};
  bias = nn::make_tensor<float>(bias.name, bias.shape, other);
  ASSERT_TRUE(nn::write_safetensors(path, file));
  EXPECT_NE(print_of(player), before);
}

TEST(MinesweeperFingerprints, TellOptionsApart) {
  EXPECT_EQ(print_of("solver"), print_of("solver"));
  EXPECT_NE(print_of("solver"), print_of("solver:first=corner"));
}

TEST(MinesweeperPlans, NameRecipesThatExist) {
  for (const bool quick : {false, true}) {
    const auto plan = plan_of<MinesweeperPlan>("minesweeper", quick);
    for (std::size_t i = 0; i < kLinks; ++i) {
      const auto recipe = link_recipe(plan, static_cast<PatchLink>(i), Seed{7});
      ASSERT_TRUE(recipe) << recipe.error().text();
      EXPECT_EQ(value_of(recipe->data->generate.seed), 7u);
      EXPECT_TRUE(recipe->evaluated.empty());
    }
  }
  // The full one is the report's.
  const auto plan = plan_of<MinesweeperPlan>("minesweeper", false);
  const auto recipe = [&](PatchLink link) { return link_recipe(plan, link, Seed{1}).value(); };
  EXPECT_EQ(recipe(kFirst).data->generate.count, 1'000'000u);
  EXPECT_EQ(recipe(kFirst).batch, 10);
  EXPECT_EQ(recipe(kFirst).initialisation.limit, 0.05);
  EXPECT_EQ(recipe(kDistinct).data->generate.count, 10'100'000u);
  EXPECT_EQ(recipe(kDistinct).data->generate.more.at("duplicates"), false);
  EXPECT_EQ(recipe(kDistinct).data->generate.more.at("pool"), 1'000'000);
  EXPECT_EQ(recipe(kWide).network.layers[2].out.text(), "1024");
  EXPECT_EQ(recipe(kPlay).data->generate.more.at("source"), "play");
  EXPECT_GE(plan.links[kFlags].seeds, 5);
  double settings = 0;
  for (const auto& grid : plan.grids) {
    settings += static_cast<double>(grid.playful.size() * grid.threshold.size());
  }
  EXPECT_EQ(settings, published().value("tuned.settings"));
}

TEST(MinesweeperPublished, BoardsHaveTheReportsDensities) {
  const std::vector<double> printed = {11.1, 9.4, 10, 9.7, 10.2, 10.2, 9.9, 10, 9.9, 10.1};
  const auto boards = plan_of<MinesweeperPlan>("minesweeper", false).sizes;
  ASSERT_EQ(boards.size(), printed.size());
  for (std::size_t i = 0; i < boards.size(); ++i) {
    const auto game = games::minesweeper::Minesweeper::make({{"board", boards[i]}}).value();
    EXPECT_NEAR(100.0 * game.bombs() / game.cells(), printed[i], 0.051) << boards[i];
    EXPECT_TRUE(published().figure(fmt::format("sizes.{}.wins", boards[i]))) << boards[i];
  }
}

}  // namespace
}  // namespace damier::lab
