// The experiment on minesweeper from end to end, small enough for seconds.
#include "damier/lab/minesweeper/experiment.h"

#include <set>

#include "tests/base/temporary_folder.h"
#include "tests/lab/stopped_study.h"
#include "tests/report/sound_page.h"
#include <gtest/gtest.h>

#include "damier/base/files.h"
#include "damier/lab/minesweeper/tables.h"
#include "damier/lab/minesweeper/tasks.h"
#include "damier/lab/minesweeper/weights.h"
#include "damier/learn/model/model_library.h"

namespace damier::lab {
namespace {

MinesweeperPlan tiny_plan() {
  MinesweeperPlan plan;
  plan.networks = {{{4000, 10, 1},
                    {8000, 10, 1},
                    {8000, 100, 2},
                    {4000, 100, 1},
                    {8000, 100, 2},
                    {8000, 100, 2}}};
  plan.wide = {40, 40, 20};
  plan.held_out = 2000;
  plan.fresh = 4000;
  plan.shares = {0.25, 0.5};
  plan.share_training.rows = 4000;
  plan.orders = {"safe-first", "alternate:5", "mixed"};
  plan.order_training.rows = 2000;
  plan.patches = {100, 800};
  plan.batches = {10, 500};
  plan.batch_training.rows = 4000;
  plan.epoch_training = {4000, 100, 3};
  plan.duplicates_of = 2000;
  plan.grids = {{{0.5, 1.15}, {0.2, 0.9, 1}}};
  plan.grid_games = 20;
  plan.games = 70;
  plan.player_games = 50;
  plan.sizes = {published::kSizes[0], published::kSizes[2]};
  plan.densities = {published::kDensities[0], published::kDensities[3]};
  plan.player = "solver";
  return plan;
}

class MinesweeperStudies : public testing::Test {
 protected:
  Result<MinesweeperFindings> study(const std::string& name, StudyHooks hooks = {},
                                    const MinesweeperPlan& plan = tiny_plan(), int threads = 2) {
    ExperimentOptions options;
    options.folder = folder_.path() / name;
    options.command = "damier reproduce minesweeper --seed 1";
    ThreadPool pool(threads);
    return study_minesweeper(plan, options, {games_, pool, std::move(hooks)});
  }

  // All that was found, but for the time it took.
  static Json facts(const MinesweeperFindings& findings) {
    Json json = Json::array();
    const auto add = [&](const PatchNetwork& network) {
      json.push_back(to_json(network.errors));
      json.push_back(to_json(network.games));
    };
    for (const PatchNetwork& network : findings.networks) add(network);
    for (const auto* sweep :
         {&findings.shares, &findings.orders, &findings.patches, &findings.batches}) {
      for (const PatchPoint& point : *sweep) add(point.trained);
    }
    for (const TrainedEpoch& epoch : findings.epochs.curve) {
      json.push_back({epoch.epoch, epoch.training_loss, epoch.validation_loss.value_or(-1)});
    }
    for (const GridFindings& tried : findings.grids) json.push_back(tried.wins);
    for (const auto* table : {&findings.sizes, &findings.densities}) {
      for (const BoardFindings& board : *table) {
        json.push_back({to_json(board.copy), to_json(board.ours)});
      }
    }
    for (const auto& row : present_minesweeper(findings).comparisons) json.push_back(to_json(row));
    return json;
  }

  TemporaryFolder folder_;
  const arena::Registry games_ = arena::builtin_games();
};

TEST_F(MinesweeperStudies, FindAllThatTheyPresent) {
  const auto findings = study("whole");
  ASSERT_TRUE(findings) << findings.error().text();
  for (const PatchNetwork& network : findings->networks) {
    EXPECT_EQ(network.games.games, 70);
    EXPECT_GT(network.errors.absolute.value, 0.05);
    EXPECT_LT(network.errors.absolute.value, 0.6);
    EXPECT_GE(network.errors.squared.value, 0.01);
    EXPECT_LE(network.errors.quartiles[0], network.errors.quartiles[2]);
    EXPECT_NEAR(network.errors.below_01.value + network.errors.from_01_to_02.value +
                    network.errors.above_02.value,
                1, 1e-9);
  }
  EXPECT_GT(findings->networks[published::kWide].network.parameters, 3000u);
  ASSERT_EQ(findings->shares.size(), 2u);
  ASSERT_EQ(findings->orders.size(), 3u);
  EXPECT_EQ(findings->orders[1].name, "alternate 5");
  EXPECT_EQ(findings->epochs.curve.size(), 3u);
  EXPECT_GT(findings->bomb_duplicates, findings->safe_duplicates);
  EXPECT_LE(findings->chosen_wins, 20);
  ASSERT_EQ(findings->sizes.size(), 2u);
  // The board of both tables is played once, and by players that differ.
  EXPECT_EQ(to_json(findings->sizes[1].copy), to_json(findings->densities[1].copy));
  EXPECT_EQ(to_json(findings->sizes[1].ours), to_json(findings->ours));
  EXPECT_GT(findings->ours.wins, findings->random.wins);
  EXPECT_EQ(findings->ours.games, 50);

  const ExperimentResult result = present_minesweeper(*findings);
  std::set<std::string> names;
  for (const Comparison& row : result.comparisons) {
    EXPECT_TRUE(names.insert(row.what).second) << row.what;
    EXPECT_EQ(row.against, Yardstick::published);
    EXPECT_FALSE(row.published.empty());
  }
  for (const char* name :
       {"random player: games won", "first: games won", "more patches: games won",
        "batch and epochs: games won", "wider network: games won", "no duplicates: games won",
        "flags: games won", "flags at the report's 1.15 and 0.96: games won",
        "our network (solver): games won", "first: mean absolute error", "first: errors above 0.9",
        "no duplicates: mean squared error", "duplicates among safe patches"}) {
    EXPECT_TRUE(names.contains(name)) << name;
  }
  EXPECT_EQ(result.comparisons.size(), 39u);
  EXPECT_EQ(result.comparisons[2].verdict,
            verdict_at_least(findings->networks[0].games.win_rate(), 0.182));
  ASSERT_EQ(result.tables.size(), 5u);
  EXPECT_EQ(result.tables[1].rows.size(), 2u);
  const std::string page = report::html(result.report);
  report::expect_sound(page);
  for (const char* text : {"Salamone", "18.2 %", "86.6 %", "Wins by batch", "Playful level",
                           "damier reproduce minesweeper --seed 1"}) {
    EXPECT_NE(page.find(text), std::string::npos) << text;
  }
  EXPECT_EQ(page.find(">nan"), std::string::npos);
  EXPECT_EQ(page.find(" nan"), std::string::npos);
}

TEST_F(MinesweeperStudies, StoppedAnywhereTheyEndAlike) {
  const auto whole = study("whole");
  ASSERT_TRUE(whole) << whole.error().text();
  expect_the_same_in_parts([&](const StudyHooks& hooks,
                               int threads) { return study("parts", hooks, tiny_plan(), threads); },
                           facts, facts(*whole), 200, 250);
}

TEST_F(MinesweeperStudies, GoOnWithWhatIsKnownAndNothingElse) {
  ASSERT_TRUE(study("one"));
  std::vector<std::string> fresh;
  std::size_t known = 0;
  StudyHooks hooks;
  hooks.on_step = [&](const std::string& step, bool was_known) {
    if (!was_known) fresh.push_back(step);
    ++known;
  };
  ASSERT_TRUE(study("one", hooks));
  EXPECT_TRUE(fresh.empty());
  // The points of sweeps that are networks of the chain have no step of their own.
  const auto tasks = minesweeper_tasks(tiny_plan(), Seed{1});
  ASSERT_TRUE(tasks);
  EXPECT_EQ(known + 3, planned_steps(tiny_plan(), *tasks).size());
  MinesweeperPlan other = tiny_plan();
  other.grid_games = 30;
  other.duplicates_of = 1000;
  ASSERT_TRUE(study("one", hooks, other));
  ASSERT_GE(fresh.size(), 2u);
  EXPECT_EQ(fresh[0], "duplicates");
  EXPECT_EQ(fresh[1], "settings of flags 1");
}

TEST_F(MinesweeperStudies, TellWhatIsWrongBeforeTheWork) {
  MinesweeperPlan plan = tiny_plan();
  plan.player = "nobody";
  EXPECT_FALSE(study("x", {}, plan));
  plan = tiny_plan();
  plan.player = "net:no-such-model";
  EXPECT_FALSE(study("x", {}, plan));
  plan = tiny_plan();
  plan.orders = {"upside-down"};
  const auto findings = study("x", {}, plan);
  ASSERT_FALSE(findings);
  EXPECT_NE(findings.error().message.find("upside-down"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "x"));
}

TEST_F(MinesweeperStudies, AJournalThatIsNotWholeIsAFault) {
  ASSERT_TRUE(study("one"));
  const auto path = folder_.path() / "one" / "journal.json";
  const Json whole = parse_json(read_file(path, std::size_t{1} << 26).value(), "journal").value();
  const auto broken = [&](const char* step, const char* key) {
    Json json = whole;
    for (Json& entry : json["steps"]) {
      if (entry["step"] != step) continue;
      Json& result = entry["result"];
      (result.contains("found") ? result["found"] : result).erase(key);
    }
    EXPECT_TRUE(write_file_atomically(path, dump_line(json)));
    const auto again = study("one");
    ASSERT_FALSE(again) << step;
    EXPECT_NE(again.error().message.find("is not whole; --fresh begins anew"), std::string::npos)
        << again.error().text();
  };
  broken("train first", "errors");
  broken("train flags", "weights");
  broken("random player", "scores");
}

TEST(MinesweeperTallies, AreTheSameOnAnyNumberOfThreads) {
  const GameSet set{games::minesweeper::Minesweeper(8, 8, 8), 200, Seed{3}, "test"};
  ThreadPool one(1), three(3);
  const auto solver = named_players("solver");
  ASSERT_TRUE(solver);
  for (const PlayerMaker& players : {random_opener(), *solver}) {
    const auto alone = play_games(players, set, one, {}, {});
    const auto together = play_games(players, set, three, {}, {});
    ASSERT_TRUE(alone && together);
    EXPECT_EQ(to_json(*alone), to_json(*together));
    EXPECT_EQ(alone->games, 200);
    EXPECT_EQ(alone->scores.back(), alone->wins);
    EXPECT_EQ(alone->values().size(), 200u);
    EXPECT_NEAR(alone->score_share().value, alone->mean_score().value / 56, 1e-12);
    EXPECT_EQ(to_json(read_tally(to_json(*alone))), to_json(*alone));
  }
  const auto stopped = play_games(random_opener(), set, three, {}, [] { return true; });
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().message, interruption().message);
}

TEST(MinesweeperErrors, CountWhatTheReportCounts) {
  std::vector<learn::JudgedPatch> patches;
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
  EXPECT_EQ(to_json(read_errors(to_json(errors)))["bins"], to_json(errors)["bins"]);
  EXPECT_EQ(errors_of({}).absolute.n, 0);
}

TEST(MinesweeperErrors, KnowDuplicates) {
  EXPECT_EQ(duplicate_share(true, 1, Seed{1}), 0);
  EXPECT_EQ(duplicate_share(false, 0, Seed{1}), 0);
  EXPECT_GT(duplicate_share(true, 20'000, Seed{1}), 0.3);
  EXPECT_EQ(duplicate_share(true, 5000, Seed{1}), duplicate_share(true, 5000, Seed{1}));
}

TEST(MinesweeperWeights, AreReadAsTheyWereWritten) {
  nn::TensorFile file;
  const std::vector<float> values = {1.5f, -2.25f, 0, 3e-20f};
  file.tensors.push_back(nn::make_tensor<float>("w", {2, 2}, values));
  const auto text = weights_text(file);
  ASSERT_TRUE(text);
  const auto again = read_weights(*text);
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_EQ(*again, file);
  EXPECT_FALSE(read_weights(text->substr(1)));
  EXPECT_FALSE(read_weights("zz"));
  EXPECT_FALSE(read_weights(""));
}

// The name of a network stays when it is trained anew; what it found before must not be taken for
// its own.
TEST(MinesweeperFingerprints, FollowTheWeightsOfANetworkNotItsName) {
  const TemporaryFolder folder;
  const std::string path = folder.path() / "model.safetensors", player = "net:" + path;
  nn::TensorFile file =
      nn::read_safetensors(learn::model_path("minesweeper-report").value()).value();
  ASSERT_TRUE(nn::write_safetensors(path, file));
  const std::string before = minesweeper_fingerprint(player).value();
  EXPECT_EQ(minesweeper_fingerprint(player).value(), before);
  nn::Tensor& bias = file.tensors.back();
  ASSERT_EQ(bias.name, "heads.bomb.0.bias");
  const std::vector<float> other = {nn::values_of<float>(bias)->front() + 0.01f};
  bias = nn::make_tensor<float>(bias.name, bias.shape, other);
  ASSERT_TRUE(nn::write_safetensors(path, file));
  EXPECT_NE(minesweeper_fingerprint(player).value(), before);
}

TEST(MinesweeperFingerprints, TellOptionsApart) {
  EXPECT_EQ(minesweeper_fingerprint("solver").value(), minesweeper_fingerprint("solver").value());
  EXPECT_NE(minesweeper_fingerprint("solver").value(),
            minesweeper_fingerprint("solver:first=corner").value());
  EXPECT_FALSE(minesweeper_fingerprint("nobody"));
}

TEST(MinesweeperPlans, NameRecipesThatExist) {
  for (const bool quick : {false, true}) {
    const MinesweeperPlan plan = minesweeper_plan(quick);
    const auto tasks = minesweeper_tasks(plan, Seed{7});
    ASSERT_TRUE(tasks) << tasks.error().text();
    ASSERT_EQ(tasks->chain.size(), kMinesweeperNetworks);
    for (const PatchTask& task : tasks->chain) {
      EXPECT_EQ(value_of(task.recipe.generate.seed), 7u);
      EXPECT_TRUE(task.recipe.judged.empty());
    }
    for (const SweepTask& order : tasks->orders) EXPECT_TRUE(order.task.recipe.stored_order);
    std::set<std::string> names;
    for (const PlannedStep& step : planned_steps(plan, *tasks)) {
      EXPECT_TRUE(names.insert(step.name).second) << step.name;
      EXPECT_GT(step.seconds, 0) << step.name;
    }
  }
  // The full one is the report's.
  const auto tasks = minesweeper_tasks(minesweeper_plan(false), Seed{1}).value();
  EXPECT_EQ(tasks.chain[published::kFirst].recipe.generate.count, 1'000'000u);
  EXPECT_EQ(tasks.chain[published::kFirst].recipe.batch, 10);
  EXPECT_EQ(tasks.chain[published::kDistinct].recipe.generate.count, 10'100'000u);
  EXPECT_EQ(tasks.chain[published::kDistinct].recipe.generate.more.at("duplicates"), false);
  EXPECT_EQ(tasks.chain[published::kWide].recipe.network.layers[2].units, 1024);
}

TEST(MinesweeperPublished, BoardsHaveTheReportsDensities) {
  const std::vector<double> printed = {11.1, 9.4, 10, 9.7, 10.2, 10.2, 9.9, 10, 9.9, 10.1};
  for (std::size_t i = 0; i < published::kSizes.size(); ++i) {
    const auto& board = published::kSizes[i];
    EXPECT_NEAR(100.0 * board.bombs / (board.side * board.side), printed[i], 0.051) << board.side;
  }
}

}  // namespace
}  // namespace damier::lab
