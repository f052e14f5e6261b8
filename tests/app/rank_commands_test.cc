// Commands under mpirun: the same bytes for any number of ranks, one line when something is wrong.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/app/stored_program.h"
#include <gtest/gtest.h>
#include <signal.h>

#include "damier/base/json/json.h"
#include "damier/store/store.h"

namespace damier::app {
namespace {

std::vector<std::string> small_self_play(int generations) {
  return {"train",  "fanorona-self-play",
          "--set",  "generations=" + std::to_string(generations),
          "--set",  "games=8",
          "--set",  "simulations=4",
          "--set",  "self_play.window=2",
          "--set",  "evaluation.games=2",
          "--set",  "evaluation.every=2",
          "--seed", "3",
          "--json"};
}

// No run comes to the end of it: whoever ends it early has hit it at work.
const std::vector<std::string> kEndlessSelfPlay = small_self_play(1'000'000);
const std::string kGeneration = "damier/train-generation/1";

// Open MPI leaks, and takes locks in both orders: what sanitizers say of that is not asked.
Environment without_open_mpi_faults(Environment environment) {
  environment.emplace_back("ASAN_OPTIONS", "detect_leaks=0");
  environment.emplace_back("TSAN_OPTIONS", "detect_deadlocks=0");
  return environment;
}

class RankCommands : public StoredProgram {
 protected:
  void SetUp() override {
#if !defined(DAMIER_MPIRUN)
    GTEST_SKIP() << "the program was built without MPI: libopenmpi-dev or openmpi-bin is missing";
#endif
  }

  // The same command alone, or shared by so many processes.
  std::vector<std::string> with_ranks([[maybe_unused]] int ranks,
                                      const std::vector<std::string>& arguments) const {
    std::vector<std::string> command;
#if defined(DAMIER_MPIRUN)
    if (ranks > 1) {
      command = {DAMIER_MPIRUN, "--allow-run-as-root", "--oversubscribe", "-n",
                 std::to_string(ranks)};
    }
#endif
    command.emplace_back(DAMIER_PROGRAM);
    command.insert(command.end(), arguments.begin(), arguments.end());
    return command;
  }
  Environment rank_environment() const { return without_open_mpi_faults(environment()); }
  Ran run_on(int ranks, const std::vector<std::string>& arguments) const {
    return run_command(with_ranks(ranks, arguments), "", rank_environment());
  }
  // What a command prints, without what no two runs have in common.
  std::string figures_on(int ranks, std::vector<std::string> arguments) const {
    arguments.insert(arguments.end(), {"--json", "--no-store"});
    const Ran ran = run_on(ranks, arguments);
    EXPECT_EQ(ran.code, 0) << ran.err;
    auto json = parse_json(ran.out, "output");
    if (!json) return ran.out;
    (*json)["seconds"] = 0;
    if (json->find("metrics") != nullptr) (*json)["metrics"]["games_per_second"] = 0;
    return dump_line(*json);
  }
  // The process of a rank of the run that this test has started.
  pid_t process_of(int rank) const {
    const std::string own = "DAMIER_STORE=" + path("runs.db");
    const std::string which = "OMPI_COMM_WORLD_RANK=" + std::to_string(rank);
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
      const std::string name = entry.path().filename();
      if (name.find_first_not_of("0123456789") != std::string::npos) continue;
      std::ifstream variables(entry.path() / "environ", std::ios::binary);
      const std::string text = '\0' + std::string(std::istreambuf_iterator<char>(variables), {});
      if (text.find('\0' + own + '\0') != std::string::npos &&
          text.find('\0' + which + '\0') != std::string::npos) {
        return std::stoi(name);
      }
    }
    return 0;
  }
  std::string last_run() const { return Store::open(path("runs.db"))->runs("train")->front().name; }
  // Interrupts a training when it has told of so many generations; its name.
  std::string interrupted_after(int generations, int ranks,
                                const std::vector<std::string>& arguments) const {
    WatchedProgram run = watch_command(with_ranks(ranks, arguments), rank_environment());
    for (int i = 0; i < generations; ++i) EXPECT_TRUE(run.wait_for(kGeneration)) << run.seen();
    run.send(SIGINT);
    EXPECT_NE(run.wait_for_end(), 0);
    // mpirun leaves the ranks a second, in which a busy machine may not get round to saying it.
    const std::string name = last_run();
    if (ranks == 1) {
      EXPECT_NE(run.seen().find("train --resume " + name), std::string::npos);
    }
    return name;
  }
  // Of every generation that a run has kept.
  std::vector<MetricRow> losses(const std::string& name) const {
    auto store = Store::open(path("runs.db")).value();
    return store.metrics(store.find_run(name)->id, "training_loss").value();
  }
};

TEST_F(RankCommands, SelfPlayEndsWithTheSameBytesOnAnyNumberOfRanks) {
  const auto command = [&](const std::string& model) {
    auto arguments = small_self_play(2);
    arguments.insert(arguments.end(), {"-o", model});
    return arguments;
  };
  const std::string alone = path("alone");
  ASSERT_EQ(run_on(1, command(alone)).code, 0);
  for (const int ranks : {2, 4}) {
    const std::string shared = path("shared" + std::to_string(ranks));
    const Ran ran = run_on(ranks, command(shared));
    ASSERT_EQ(ran.code, 0) << ran.err;
    EXPECT_TRUE(contents(shared) == contents(alone)) << ranks << " ranks";
    EXPECT_EQ(std::count(ran.out.begin(), ran.out.end(), '\n'), 3) << "one rank speaks" << ran.out;
  }
}

TEST_F(RankCommands, ADataSetIsTheSameFileOnAnyNumberOfRanks) {
  for (const std::vector<std::string>& task : std::vector<std::vector<std::string>>{
           {"bremen", "--teacher", "minimax:1", "--count", "100"},
           {"fanorona", "--count", "200"},
           {"minesweeper", "--count", "100", "--set", "board=6x6x4"}}) {
    std::vector<std::string> arguments = {"generate", "--seed", "2", "-o", path("rows")};
    arguments.insert(arguments.end(), task.begin(), task.end());
    ASSERT_EQ(run_on(1, arguments).code, 0) << task[0];
    const std::string alone = contents(path("rows"));
    const Ran ran = run_on(2, arguments);
    ASSERT_EQ(ran.code, 0) << ran.err;
    EXPECT_TRUE(contents(path("rows")) == alone) << task[0];
  }
}

TEST_F(RankCommands, MatchesTournamentsAndEvaluationsHaveTheSameResults) {
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"match", "fanorona", "uct:20", "random", "--games", "400", "--seed", "4", "--sprt",
            "0,100"},
           {"tournament", "fanorona", "uct:10", "flat:2", "random", "--games", "4", "--seed", "4"},
           {"eval", "random", "minesweeper", "--board", "6x6x4", "--games", "300", "--seed",
            "4"}}) {
    EXPECT_EQ(figures_on(2, arguments), figures_on(1, arguments)) << arguments[0];
  }
}

// What one process finds, generation by generation, a run finds that loses a rank, goes on with two
// and then with one.
TEST_F(RankCommands, ARunGoesOnToTheSameNumbersAfterAKillAndAnInterrupt) {
  const std::string alone = interrupted_after(8, 1, kEndlessSelfPlay);
  std::string shared;
  {
    WatchedProgram run = watch_command(with_ranks(2, kEndlessSelfPlay), rank_environment());
    ASSERT_TRUE(run.wait_for(kGeneration) && run.wait_for(kGeneration)) << run.seen();
    const pid_t killed = process_of(1);
    ASSERT_GT(killed, 0);
    ASSERT_EQ(kill(killed, SIGKILL), 0);
    EXPECT_NE(run.wait_for_end(), 0);
    // Rank 0 says who died, unless mpirun ends it before it can.
    EXPECT_TRUE(run.seen().find("damier: rank 1 on ") != std::string::npos ||
                run.seen().find("rank 1 with PID") != std::string::npos)
        << run.seen();
    shared = last_run();
    ASSERT_NE(shared, alone);
  }
  const std::vector<std::string> resume = {"train", "--resume", shared, "--json"};
  for (const int ranks : {2, 1}) EXPECT_EQ(interrupted_after(2, ranks, resume), shared);
  std::vector<MetricRow> expected = losses(alone), found = losses(shared);
  const std::size_t both = std::min(expected.size(), found.size());
  ASSERT_GE(both, 4u) << "what was told last may be done and told again";
  expected.resize(both);
  found.resize(both);
  EXPECT_EQ(found, expected);
}

TEST_F(RankCommands, WhatCannotBeSharedIsRefusedInOneLine) {
  const auto refused_on = [&](int ranks, const std::vector<std::string>& arguments) {
    const Ran ran = run_on(ranks, arguments);
    EXPECT_EQ(ran.code, 2) << ran.err;
    EXPECT_EQ(ran.out, "");
    // mpirun has lines of its own.
    const auto at = std::min(ran.err.find("damier: "), ran.err.size());
    return ran.err.substr(at, ran.err.find('\n', at) - at);
  };
  EXPECT_EQ(refused_on(2, {"play", "fanorona"}),
            "damier: play would be done 2 times, by each of the processes that were started; "
            "expected one of match, tournament, eval, generate, train, which share their work");
  EXPECT_EQ(refused_on(2, {"train", "nothing"}).substr(0, 7), "damier:");
}

// A program that was not built for whoever starts it would do everything several times.
TEST(RankCommandsAlone, AnotherLauncherIsRefusedInOneLine) {
  const Ran ran = damier({"match", "fanorona", "random", "first", "--no-store"}, "",
                         without_open_mpi_faults({{"PMI_SIZE", "4"}, {"PMI_RANK", "0"}}));
  EXPECT_EQ(ran.code, 2);
  EXPECT_EQ(ran.out, "");
  EXPECT_TRUE(ran.err.starts_with("damier: started as one of 4 processes, ")) << ran.err;
  EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
  const Ran other = damier({"match", "fanorona", "random", "first", "--no-store"}, "",
                           without_open_mpi_faults({{"PMI_SIZE", "4"}, {"PMI_RANK", "3"}}));
  EXPECT_EQ(other.code, 1);
  EXPECT_EQ(other.err, "") << "rank 0 speaks";
}

}  // namespace
}  // namespace damier::app
