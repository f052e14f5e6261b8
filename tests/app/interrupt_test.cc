// The first Ctrl-C ends every kind of work, and a closed terminal does no more harm than Ctrl-C.

#include "tests/app/stored_program.h"
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "damier/store/sqlite.h"

namespace damier::app {
namespace {

class Interrupt : public StoredProgram {
 protected:
  // At work for hours, until the signal comes.
  void expect_stopped(const std::vector<std::string>& arguments, const std::string& said = "",
                      int signal = SIGINT) const {
    std::string line;
    for (const std::string& argument : arguments) line += argument + " ";
    WatchedProgram program = start(arguments);
    ASSERT_TRUE(program.wait_until_it_is_busy()) << line << program.seen();
    program.send(signal);
    EXPECT_EQ(program.wait_for_end(), 130) << line << program.seen();
    EXPECT_NE(program.seen().find("damier: interrupted"), std::string::npos)
        << line << program.seen();
    EXPECT_NE(program.seen().find(said), std::string::npos) << line << program.seen();
  }

  // The same on a terminal, where a search says what it has found: only then is it stopped.
  void expect_stopped_with_a_move(std::vector<std::string> arguments,
                                  const std::string& said) const {
    arguments.insert(arguments.begin(), DAMIER_PROGRAM);
    OnTerminal program(arguments, environment());
    ASSERT_TRUE(program.wait_for("  best so far ")) << program.seen();
    program.send(SIGINT);
    ASSERT_TRUE(program.wait_for(said)) << program.seen();
    EXPECT_TRUE(program.wait_for("damier: interrupted")) << program.seen();
    EXPECT_EQ(program.wait_for_end(), 130) << program.seen();
  }
};

TEST_F(Interrupt, StopsAPlayersThought) {
  for (const char* player : {"flat:100000000", "ucb:100000000", "uct:100000000", "puct:100000000",
                             "minimax:40", "net,mcts=10000000"}) {
    const std::string game = std::string(player).starts_with("net") ? "fanorona" : "domineering";
    expect_stopped({"play", game, "--as", "none", "--vs", player, "--seed", "1"});
  }
  for (const char* player : {"flat:100000000", "uct:100000000", "minimax:40"}) {
    expect_stopped({"analyze", "chess", "--player", player}, "  e4 ");
  }
  expect_stopped({"match", "bremen", "flat:100000000", "ucb:100000000", "--no-store"});
  expect_stopped({"tournament", "chess", "uct:100000000", "minimax:30", "--no-store"});
}

TEST_F(Interrupt, StopsCountingSolvingAndMeasuring) {
  expect_stopped({"perft", "chess", "12"});
  expect_stopped_with_a_move({"solve", "bremen", "a1b1c1d2/a5b5c5d5 r"}, "best so far: ");
  expect_stopped_with_a_move({"solve", "chess", "--json"}, "\"so_far\":");
  expect_stopped({"solve", "domineering", "--board", "4x16"}, "best so far: ");
  expect_stopped({"bench", "search"});
  expect_stopped({"bench", "self-play"});
  for (const char* player : {"solver", "net", "random"}) {
    expect_stopped({"eval", player, "minesweeper", "--board", "16x30x99", "--games", "1000000"});
  }
  expect_stopped({"eval", "fanorona", "--games", "1000000"});
}

TEST_F(Interrupt, StopsMakingDataAndTraining) {
  for (const std::vector<std::string>& task : std::vector<std::vector<std::string>>{
           {"minesweeper", "--count", "100000000"},
           {"minesweeper-patch", "--count", "100000000"},
           {"domineering", "--teacher", "uct:1000000"},
           {"bremen", "--teacher", "minimax:20", "--count", "100"}}) {
    std::vector<std::string> arguments = {"generate", "-o", path("rows")};
    arguments.insert(arguments.end(), task.begin(), task.end());
    expect_stopped(arguments);
    EXPECT_FALSE(std::filesystem::exists(path("rows")));
  }
  expect_stopped({"train", "fanorona-quick", "--set", "epochs=100000"});
}

TEST_F(Interrupt, StopsWaitingForInput) {
  const std::string pipe = path("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"predict", "fanorona", "--input", "-"},
           {"predict", "fanorona", "--input", path("other pipe")},
           {"analyze", "minesweeper", "--board", "-"},
           {"play", "fanorona", "--load", "-"},
           {"export", "fanorona", "--format", "onnx", "-o", path("other pipe")}}) {
    mkfifo(path("other pipe").c_str(), 0600);
    WatchedProgram program = start(arguments, pipe);
    ASSERT_TRUE(program.wait_until_it_sleeps()) << arguments[0] << program.seen();
    program.send(SIGINT);
    EXPECT_EQ(program.wait_for_end(), 130) << arguments[0] << program.seen();
    EXPECT_EQ(program.seen(), "damier: interrupted\n") << arguments[0];
  }
}

TEST_F(Interrupt, StopsWaitingForALockedStore) {
  ASSERT_EQ(run({"match", "fanorona", "random", "first", "--games", "2", "--seed", "1"}).code, 0);
  auto other = sqlite::Database::open(path("runs.db"), 0);
  ASSERT_TRUE(other && other->execute("BEGIN EXCLUSIVE"));
  WatchedProgram program = start({"match", "fanorona", "random", "first", "--games", "2"});
  ASSERT_TRUE(program.wait_until_it_sleeps()) << program.seen();
  program.send(SIGINT);
  EXPECT_EQ(program.wait_for_end(), 130) << program.seen();
  EXPECT_EQ(program.seen(),
            "damier: " + path("runs.db") + ": interrupted while another process keeps it busy\n");
}

TEST_F(Interrupt, AnEndOfAnyKindKeepsTheGame) {
  const std::string pipe = path("pipe"), kept = path("state/damier/interrupted-fanorona.json");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    std::filesystem::remove(kept);
    WatchedProgram program = start({"play", "fanorona", "--vs", "human", "--seed", "1"}, pipe);
    const int keyboard = open(pipe.c_str(), O_WRONLY);
    ASSERT_EQ(write(keyboard, "7-4\nboard\n", 10), 10);
    ASSERT_TRUE(program.wait_for("○─────7─────○")) << program.seen();
    program.send(signal);
    EXPECT_EQ(program.wait_for_end(), 130) << program.seen();
    EXPECT_NE(program.seen().find("continue with: damier play --load " + kept), std::string::npos)
        << program.seen();
    EXPECT_EQ(run({"play", "--load", kept}, "quit\n").code, 0);
    close(keyboard);
  }
}

TEST_F(Interrupt, AClosedTerminalMaySaySoTwice) {
  WatchedProgram program = start({"match", "fanorona", "random", "first", "--games", "1000000"});
  ASSERT_TRUE(program.wait_until_it_is_busy());
  program.send(SIGHUP);
  program.send(SIGHUP);
  EXPECT_EQ(program.wait_for_end(), 130);
  EXPECT_NE(program.seen().find("the finished games are kept"), std::string::npos);
}

}  // namespace
}  // namespace damier::app
