// What every command does when its outputs are full, closed or left by their reader, what reaches a
// terminal, and where files go that are no plain files.

#include <set>

#include "tests/app/stored_program.h"
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "damier/app/context.h"
#include "damier/base/files/files.h"
#include "damier/base/json/json.h"
#include "damier/base/text/text.h"
#include "damier/nn/safetensors.h"

namespace damier::app {
namespace {

class Output : public StoredProgram {
 protected:
  void SetUp() override {
    ASSERT_TRUE(write_file_atomically(
        path("net.json"), R"({"input": [2], "layers": [{"type": "dense", "units": 2}]})"));
    ASSERT_TRUE(write_file_atomically(path("in.csv"), "1,2\n3,4\n"));
    ASSERT_EQ(run({"init", path("net.json"), "-o", path("net"), "--seed", "1"}).code, 0);
    ASSERT_EQ(
        run({"generate", "fanorona", "--count", "10", "--seed", "1", "-o", path("rows")}).code, 0);
  }

  // Every command at some work that is soon done.
  std::vector<std::vector<std::string>> every_command() const {
    return {
        {"games"},
        {"play", "fanorona", "--as", "none", "--seed", "1"},
        {"analyze", "fanorona"},
        {"solve", "fanorona"},
        {"match", "fanorona", "random", "first", "--games", "2", "--seed", "1"},
        {"tournament", "fanorona", "random", "first", "--games", "2", "--seed", "1"},
        {"eval", "solver", "minesweeper", "--board", "5x5x3", "--games", "2", "--seed", "1"},
        {"runs"},
        {"verify"},
        {"uci", "--help"},
        {"serve", "--help"},  // itself it ends only when it is told to: serve_test.cc
        {"ratings", "fanorona"},
        {"strength", "fanorona"},
        {"reproduce"},
        {"report", path("rows"), "-o", path("page.html")},
        {"perft", "fanorona", "3"},
        {"generate", "fanorona", "--count", "10", "--seed", "1", "-o", path("more")},
        {"data", path("rows")},
        {"train", "fanorona-quick", "--set", "epochs=1", "--set", "data.generate.count=200",
         "--seed", "1"},
        {"init", path("net.json"), "-o", path("other"), "--seed", "1"},
        {"models"},
        {"inspect", path("net")},
        {"predict", path("net"), "--input", path("in.csv")},
        {"export", path("net"), "--format", "onnx", "-o", path("onnx")},
        {"bench", "games", "--quick"},
        {"completion", "bash"},
        {"version"},
        {"help"},
        {"--version"},
        {"--help"},
        {"perft", "--help"},
        {},
    };
  }

  // In a shell, with the descriptors as `redirection` says.
  Ran redirected(const std::vector<std::string>& arguments, const std::string& redirection) const {
    std::vector<std::string> command = {"sh", "-c", "exec \"$0\" \"$@\" " + redirection,
                                        DAMIER_PROGRAM};
    command.insert(command.end(), arguments.begin(), arguments.end());
    return run_command(command, "", environment());
  }
};

std::string line_of(const std::vector<std::string>& arguments) {
  std::string line = "damier";
  for (const std::string& argument : arguments) line += " " + argument;
  return line;
}

TEST_F(Output, TheTableHoldsEveryCommand) {
  std::set<std::string> tried;
  for (const auto& arguments : every_command()) tried.insert(line_of(arguments));
  for (const Command& command : commands()) {
    const std::string start = "damier " + std::string(command.name);
    const auto at = tried.lower_bound(start);
    EXPECT_TRUE(at != tried.end() && at->starts_with(start)) << command.name;
  }
}

TEST_F(Output, ThatCannotBeWrittenIsAFailureOfEveryCommand) {
  for (const auto& arguments : every_command()) {
    const Ran full = redirected(arguments, ">/dev/full");
    EXPECT_EQ(full.code, 1) << line_of(arguments);
    EXPECT_EQ(last_line(full.err),
              "damier: standard output: cannot be written: No space left on device")
        << line_of(arguments);
  }
  const Ran closed = redirected({"perft", "fanorona", "3"}, ">&-");
  EXPECT_EQ(closed.code, 1);
  EXPECT_EQ(closed.err, "damier: standard output: cannot be written: Bad file descriptor\n");
}

TEST_F(Output, MessagesThatNobodyCanReadStopNoCommand) {
  for (const auto& arguments : every_command()) {
    EXPECT_EQ(redirected(arguments, "2>/dev/full").code, 0) << line_of(arguments);
    EXPECT_EQ(redirected(arguments, "2>&- <&-").code, 0) << line_of(arguments);
  }
  EXPECT_EQ(redirected({"perft", "fanorona", "99"}, "2>&-").code, 2);
}

TEST_F(Output, AReaderThatLeftEndsEveryCommandQuietly) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  close(ends[0]);
  for (auto arguments : every_command()) {
    arguments.insert(arguments.begin(), DAMIER_PROGRAM);
    const Ran ran = run_command_into(ends[1], arguments, environment());
    EXPECT_EQ(ran.code, 141) << line_of(arguments) << "\n" << ran.err;
    EXPECT_EQ(ran.err.find("damier:"), std::string::npos) << line_of(arguments) << "\n" << ran.err;
  }
  close(ends[1]);
}

TEST_F(Output, NoFileTakesThePlaceOfAClosedStream) {
  const std::vector<std::string> match = {"match",   "fanorona", "random", "first",
                                          "--games", "20",       "--seed", "1"};
  for (const char* closed : {"2>&-", "<&- 2>&-", "<&- >&- 2>&-"}) {
    redirected(match, closed);
  }
  const Ran runs = run({"runs", "--json"});
  ASSERT_EQ(runs.code, 0) << "messages were written into the store: " << runs.err;
  const Json json = parse_json(runs.out, "runs").value();
  ASSERT_EQ(json["runs"].size(), 3u);
  for (const Json& each : json["runs"]) EXPECT_EQ(each["status"], "done");
}

TEST_F(Output, ASignalDuringABlockedWriteTearsNothing) {
  std::string rows;
  for (int i = 0; i < 20'000; ++i) rows += "1,2\n";
  ASSERT_TRUE(write_file_atomically(path("in.csv"), rows));
  const std::vector<std::string> predict = {"predict", path("net"), "--input", path("in.csv")};
  const std::string whole = run(predict).out;
  ASSERT_GT(whole.size(), std::size_t{1} << 17) << "more than the pipe and the program hold";
  WatchedProgram program = start(predict);
  ASSERT_TRUE(program.wait_until_it_sleeps());
  program.send(SIGINT);
  EXPECT_EQ(program.wait_for_end(), 130);
  const std::string message = "damier: interrupted\n";
  ASSERT_TRUE(program.seen().ends_with(message)) << last_line(program.seen());
  EXPECT_TRUE(whole.starts_with(program.seen().substr(0, program.seen().size() - message.size())));
}

// Everything that a terminal would obey.
const std::string kHostile = "\x1b]0;x\a\x1b[31m\u009b2J\u202e\u2066\x7f\r\u200f";

void expect_harmless(const Ran& ran, const std::string& what) {
  for (const std::string& text : {ran.out, ran.err}) {
    for (const char* part : {"\x1b", "\a", "\r", "\x7f", "\u009b", "\u202e", "\u2066", "\u200f"}) {
      EXPECT_EQ(text.find(part), std::string::npos) << what << ":\n" << in_quotes(text);
    }
  }
  EXPECT_NE((ran.out + ran.err).find("u202e"), std::string::npos) << what << ": nothing was quoted";
}

TEST_F(Output, TextFromFilesAndNamesReachesNoTerminalRaw) {
  const std::string file = path("a" + kHostile + "file");
  const auto harmless = [&](const std::vector<std::string>& arguments) {
    expect_harmless(run(arguments), line_of(arguments));
  };
  harmless({"init", path("net.json"), "-o", file, "--seed", "1"});
  harmless({"export", file, "--format", "text", "-o", file + "2"});
  harmless({"generate", "fanorona", "--count", "10", "--seed", "1", "-o", file + "3"});
  harmless({"data", file + "3"});
  harmless({"data", file + "3", "--json"});
  harmless({"report", file + "3", "-o", file + "4"});
  harmless({"report", file + "5"});
  harmless({"play", "--load", file});
  harmless({"perft", "fanorona", "3", "--position", kHostile});
  harmless({"perft", kHostile, "3"});
  harmless({"perft", "fanorona", kHostile});
  harmless({kHostile});
  harmless({"--" + kHostile});
  harmless({"match", "fanorona", kHostile, "random", "--no-store"});
  harmless({"train", file + "6"});
  harmless({"train", "fanorona-quick", "--set", kHostile + "=1"});
  harmless({"train", "fanorona-quick", "--set", "task=" + kHostile});
  // What a model says of itself.
  auto tensors = nn::read_safetensors(path("net"));
  ASSERT_TRUE(tensors);
  tensors->metadata.emplace_back("made" + kHostile, kHostile);
  ASSERT_TRUE(nn::write_safetensors(path("hostile"), *tensors));
  harmless({"inspect", path("hostile")});
  harmless({"inspect", path("hostile"), "--json"});
  harmless({"report", path("hostile"), "-o", path("page") + kHostile});
}

TEST_F(Output, JsonKeepsItsData) {
  const std::string file = path("rows\u202e\x7f\u009b.data");
  const Ran ran = run({"generate", "fanorona", "--count", "10", "-o", file, "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(parse_json(ran.out, "output").value()["data"], file);
}

TEST_F(Output, FilesCanGoToStandardOutputAndToPipes) {
  ASSERT_EQ(run({"export", path("net"), "--format", "onnx", "-o", path("net.onnx")}).code, 0);
  const std::string onnx = read_file(path("net.onnx"), 1 << 20).value();
  const Ran piped =
      redirected({"export", path("net"), "--format", "onnx", "-o", "/dev/stdout"}, "| cat");
  EXPECT_EQ(piped.out, onnx);
  EXPECT_EQ(piped.err, "/dev/stdout: " + std::to_string(onnx.size()) + " bytes\n");
  const Ran file = redirected({"export", path("net"), "--format", "onnx", "-o", "/dev/stdout"}, "");
  EXPECT_EQ(file.out, onnx) << "into the file that is open, not over it";
  const Ran data =
      run({"generate", "fanorona", "--count", "10", "--seed", "1", "-o", "/dev/stdout"});
  EXPECT_EQ(data.code, 0) << data.err;
  ASSERT_TRUE(write_file_atomically(path("piped"), data.out));
  EXPECT_EQ(run({"data", path("piped")}).code, 0) << "the data set, whole and alone";
  for (const char* device : {"/dev/null", "/dev/stderr"}) {
    EXPECT_EQ(run({"generate", "fanorona", "--count", "10", "-o", device}).code, 0) << device;
    EXPECT_EQ(
        run({"match", "fanorona", "random", "first", "--games", "2", "--record", device}).code, 0)
        << device;
    EXPECT_EQ(run({"play", "chess", "--as", "none", "--pgn", device}).code, 0) << device;
    EXPECT_EQ(run({"report", path("rows"), "-o", device}).code, 0) << device;
  }
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  EXPECT_TRUE(std::filesystem::is_symlink("/dev/stderr"));
}

TEST_F(Output, FoldersAreRefusedByEveryCommandThatWrites) {
  const std::string folder = path("folder");
  std::filesystem::create_directory(folder);
  const std::vector<std::vector<std::string>> all = {
      {"init", path("net.json"), "-o", folder},
      {"export", path("net"), "--format", "onnx", "-o", folder},
      {"generate", "fanorona", "--count", "10", "-o", folder},
      {"train", "fanorona-quick", "--set", "epochs=1", "-o", folder},
      {"data", path("rows"), "--csv", folder},
      {"report", path("rows"), "-o", folder},
      {"reproduce", "fanorona", "-o", folder},
      {"play", "chess", "--as", "none", "--pgn", folder},
      {"match", "chess", "random", "first", "--games", "2", "--pgn", folder},
      {"tournament", "fanorona", "random", "first", "--games", "2", "--record", folder},
  };
  for (const auto& arguments : all) {
    const Ran ran = run(arguments);
    EXPECT_EQ(ran.code, 2) << line_of(arguments);
    EXPECT_EQ(last_line(ran.err),
              "damier: " + folder + ": is a folder; expected the name of a file");
    EXPECT_TRUE(std::filesystem::is_empty(folder));
  }
}

TEST_F(Output, AFileThatMayNotGrowIsAFailure) {
  const std::string file = path("folder/rows");
  std::filesystem::create_directory(path("folder"));
  const Ran ran = run_command(
      {"sh", "-c", "ulimit -f 8; exec \"$0\" generate fanorona --count 10000 --seed 1 -o \"$1\"",
       DAMIER_PROGRAM, file});
  EXPECT_EQ(ran.code, 1);
  EXPECT_EQ(last_line(ran.err), "damier: " + file + ": cannot be written: File too large");
  EXPECT_TRUE(std::filesystem::is_empty(path("folder")));
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST_F(Output, FewerThreadsDoWhereTheSystemHasNoRoomForAll) {
  const Ran ran = run_command(
      {"sh", "-c", "ulimit -v 4000000; exec \"$0\" perft chess 3 --threads 1024", DAMIER_PROGRAM});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(last_line(ran.out), "8902");
}

TEST_F(Output, TooLittleMemoryIsOneLine) {
  const Ran ran = run_command(
      {"sh", "-c",
       "ulimit -v 300000; exec \"$0\" eval solver minesweeper --games 100000000 --seed 1",
       DAMIER_PROGRAM});
  EXPECT_EQ(ran.code, 1);
  EXPECT_EQ(ran.err, "damier: out of memory\n");
}
#endif

}  // namespace
}  // namespace damier::app
