// The program in a real terminal: colours, prompts, and Ctrl-C.

#include "damier/app/terminal/terminal.h"

#include <regex>

#include "tests/app/program.h"
#include "tests/base/temporary_folder.h"
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include "damier/base/files/files.h"
#include "damier/base/text/columns.h"
#include "damier/base/text/text.h"
#include "damier/games/saved_game.h"

namespace damier::app {
namespace {

// damier on a terminal of its own.
class InTerminal : public OnTerminal {
 public:
  InTerminal(std::vector<std::string> words, const Environment& more, int columns = 120)
      : OnTerminal(command(std::move(words)), environment(more), columns) {}

 private:
  static std::vector<std::string> command(std::vector<std::string> words) {
    words.insert(words.begin(), DAMIER_PROGRAM);
    return words;
  }
  static Environment environment(const Environment& more) {
    // A test that keeps something says where.
    Environment all = {
        {"TERM", "xterm-256color"}, {"EDITRC", "/dev/null"}, {"XDG_STATE_HOME", "/dev/null"}};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
};

TEST(Terminal, BoardsAreColouredAndPromptsNameTheSide) {
  InTerminal program({"play", "bremen", "--seed", "1"}, {});
  ASSERT_TRUE(program.wait_for("blue\x1b[0m> ")) << program.seen();
  EXPECT_NE(program.seen().find("\x1b["), std::string::npos);
  program.type("d@a1\n");
  ASSERT_TRUE(program.wait_for("plays ")) << program.seen();
  ASSERT_TRUE(program.wait_for("> "));
  program.type("quit\n");
  EXPECT_EQ(program.wait_for_end(), 0);
}

TEST(Terminal, NoColourWhenAskedNotTo) {
  InTerminal program({"play", "bremen", "--seed", "1"}, {{"NO_COLOR", "1"}});
  ASSERT_TRUE(program.wait_for("blue> ")) << program.seen();
  EXPECT_FALSE(std::regex_search(program.seen(), std::regex("\x1b\\[[0-9;]*m")));
  program.type("\x04");  // Ctrl-D: the end of the input
  EXPECT_EQ(program.wait_for_end(), 0);
}

// `play fanorona` at its first prompt, with a state folder of its own.
class AtThePrompt : public testing::Test {
 protected:
  static std::vector<std::string> words(std::vector<std::string> more) {
    more.insert(more.begin(), {"play", "fanorona", "--seed", "1"});
    return more;
  }
  Environment environment() const {
    return {{"XDG_STATE_HOME", folder_.path()}, {"NO_COLOR", "1"}};
  }
  const std::filesystem::path& folder() const { return folder_.path(); }
  std::string history() const { return folder_.path() / "damier" / "history-fanorona"; }

 private:
  TemporaryFolder folder_;
};

constexpr const char* kUp = "\x1b[A";
constexpr const char* kLeft = "\x1b[D";
constexpr const char* kBackspace = "\x7f";

TEST_F(AtThePrompt, LinesAreEdited) {
  InTerminal program(words({"--vs", "human"}), environment());
  ASSERT_TRUE(program.wait_for("white> "));
  // An é goes as one character; the 4 is put in front of what comes to stand behind it.
  program.type(std::string("7-\xc3\xa9") + kBackspace + "x" + kLeft + "4\x0b\n");
  ASSERT_TRUE(program.wait_for("black> ")) << program.seen();
  program.type("quit\n");
  EXPECT_EQ(program.wait_for_end(), 0);
  EXPECT_TRUE(program.settings_unchanged());
}

TEST_F(AtThePrompt, MovesAndWordsAreCompleted) {
  InTerminal program(words({"--vs", "human"}), environment());
  ASSERT_TRUE(program.wait_for("white> "));
  program.type("6-\t");  // 6-3 or 6-4
  ASSERT_TRUE(program.wait_for("6-3 6-4")) << program.seen();
  ASSERT_TRUE(program.wait_for("white> 6-"));
  program.type("4\n");
  ASSERT_TRUE(program.wait_for("black> "));
  program.type("und\t\n");  // undo
  ASSERT_TRUE(program.wait_for("white> ")) << program.seen();
  program.type("hint perf\t\n");
  ASSERT_TRUE(program.wait_for("The exact value of each move")) << program.seen();
  ASSERT_TRUE(program.wait_for("white> "));
  const std::string file = folder() / "my-game.json";
  ASSERT_TRUE(write_file_atomically(file, "before"));
  program.type("sa\t" + (folder() / "my-g").string() + "\t\n");
  ASSERT_TRUE(program.wait_for("Saved.")) << program.seen();
  EXPECT_NE(contents(file), "before") << "the name of a file is completed too";
  program.type("quit\n");
  EXPECT_EQ(program.wait_for_end(), 0);
}

TEST_F(AtThePrompt, LinesAreRememberedAlsoByTheNextSession) {
  {
    InTerminal program(words({}), environment());
    ASSERT_TRUE(program.wait_for("white> "));
    program.type("rules\n");
    ASSERT_TRUE(program.wait_for("white> "));
    program.type(std::string(kUp) + "\n");
    ASSERT_TRUE(program.wait_for("Nine points")) << "the rules, a second time" << program.seen();
    ASSERT_TRUE(program.wait_for("white> "));
    program.type("\x03");
    EXPECT_EQ(program.wait_for_end(), 130);
  }
  EXPECT_EQ(contents(history()), "rules\n");
  // What cannot have been typed is not shown.
  ASSERT_TRUE(write_file_atomically(history(), "rules\n\x1b]0;evil\x07\n\xff\n"));
  InTerminal program(words({}), environment());
  ASSERT_TRUE(program.wait_for("white> "));
  program.type(kUp);
  ASSERT_TRUE(program.wait_for("rules")) << program.seen();
  program.type("\x15quit\n");
  EXPECT_EQ(program.wait_for_end(), 0);
  EXPECT_EQ(program.seen().find("evil"), std::string::npos);
  EXPECT_EQ(contents(history()), "rules\nquit\n");
}

TEST_F(AtThePrompt, TheLineStaysWhenTheWindowChangesOrTheProgramIsStopped) {
  InTerminal program(words({"--vs", "human"}), environment());
  ASSERT_TRUE(program.wait_for("white> "));
  program.type("7-");
  ASSERT_TRUE(program.wait_for("7-"));
  program.resize(50);
  ASSERT_TRUE(program.wait_for("white> 7-")) << program.seen();
  program.type("\x1a");
  ASSERT_TRUE(program.wait_until_it_is_stopped());
  EXPECT_TRUE(program.settings_unchanged()) << "for the shell";
  program.send(SIGCONT);
  ASSERT_TRUE(program.wait_for("white> 7-")) << program.seen();
  program.type("4\n");
  ASSERT_TRUE(program.wait_for("black> ")) << program.seen();
  program.type("quit\n");
  EXPECT_EQ(program.wait_for_end(), 0);
  EXPECT_TRUE(program.settings_unchanged());
}

TEST_F(AtThePrompt, AfterTheEndThereIsARematch) {
  InTerminal program(words({}), environment());
  ASSERT_TRUE(program.wait_for("White: human   Black: "));
  ASSERT_TRUE(program.wait_for("white> "));
  program.type("7-4\n");
  ASSERT_TRUE(program.wait_for("white> "));
  program.type("resign\n");
  ASSERT_TRUE(program.wait_for("rematch, swap (a rematch with sides swapped), analyze"));
  ASSERT_TRUE(program.wait_for("over> "));
  program.type("analyze\n");
  ASSERT_TRUE(program.wait_for("1  white  7-4   draw")) << program.seen();
  ASSERT_TRUE(program.wait_for("over> "));
  program.type("rema\t\n");
  ASSERT_TRUE(program.wait_for("White: human   Black: ")) << program.seen();
  ASSERT_TRUE(program.wait_for("white> "));
  program.type("resign\n");
  ASSERT_TRUE(program.wait_for("over> "));
  program.type("swap\n");
  ASSERT_TRUE(program.wait_for("Black: human")) << program.seen();
  ASSERT_TRUE(program.wait_for("black> "));
  program.type("\x04");
  EXPECT_EQ(program.wait_for_end(), 0);
}

TEST(Terminal, CtrlCKeepsTheGameTheSaveFileAndTheTerminal) {
  const TemporaryFolder folder;
  const std::string file = folder.path() / "game.json";
  InTerminal program({"play", "fanorona", "--seed", "1"},
                     {{"XDG_STATE_HOME", folder.path().string()}});
  ASSERT_TRUE(program.wait_for("> "));
  program.type("7-4\n");
  ASSERT_TRUE(program.wait_for("> "));
  program.type("save " + file + "\n");
  ASSERT_TRUE(program.wait_for("Saved."));
  const std::string saved = read_file(file, 10000).value();
  program.type("moves\n");
  ASSERT_TRUE(program.wait_for("> "));
  ASSERT_TRUE(program.wait_for("> ")) << program.seen();
  program.type("8-7\n");
  ASSERT_TRUE(program.wait_for("> "));
  program.type("half a li\x03");
  EXPECT_EQ(program.wait_for_end(), 130);
  EXPECT_TRUE(program.settings_unchanged());
  EXPECT_EQ(read_file(file, 10000).value(), saved) << "the save file is as it was";
  // The game itself is kept, and goes on.
  const std::string kept = folder.path() / "damier" / "interrupted-fanorona.json";
  ASSERT_NE(program.seen().find("continue with: damier play --load " + kept), std::string::npos)
      << program.seen();
  EXPECT_EQ(damier({"play", "--load", kept}, "quit\n").code, 0);
}

TEST(Terminal, ALongSearchShowsWhatItHasAndPrintsItAtCtrlC) {
  InTerminal solving({"solve", "bremen", "a1b1c1d2/a5b5c5d5 r"}, {});
  ASSERT_TRUE(solving.wait_for("solve  depth ")) << solving.seen();
  ASSERT_TRUE(solving.wait_for(" nodes  ")) << solving.seen();
  ASSERT_TRUE(solving.wait_for("best so far ")) << solving.seen();
  solving.type("\x03");
  EXPECT_EQ(solving.wait_for_end(), 130);
  EXPECT_NE(solving.seen().find("unknown: interrupted"), std::string::npos) << solving.seen();
  EXPECT_NE(solving.seen().find("best so far: "), std::string::npos) << solving.seen();
  InTerminal analyzing({"analyze", "chess", "--player", "uct:100000000"}, {});
  ASSERT_TRUE(analyzing.wait_for("analyze  depth ")) << analyzing.seen();
  analyzing.type("\x03");
  EXPECT_EQ(analyzing.wait_for_end(), 130);
  EXPECT_NE(analyzing.seen().find("best line: "), std::string::npos) << analyzing.seen();
}

TEST(Terminal, AClosedTerminalKeepsTheGame) {
  const TemporaryFolder folder;
  InTerminal program({"play", "fanorona", "--seed", "1"},
                     {{"XDG_STATE_HOME", folder.path().string()}});
  ASSERT_TRUE(program.wait_for("> "));
  program.type("7-4\n");
  ASSERT_TRUE(program.wait_for("plays "));
  program.close_output();
  EXPECT_EQ(program.wait_for_end(), 130);
  const std::string kept = folder.path() / "damier" / "interrupted-fanorona.json";
  EXPECT_EQ(damier({"play", "--load", kept}, "quit\n").code, 0);
}

// Every line of what was written, with \r as a line break too: how a terminal shows it.
int widest_shown(const std::string& text) {
  int width = 0;
  for (const auto line : split(text, '\n')) {
    for (std::string_view part : split(line, '\r')) {
      if (part.ends_with("\x1b[K")) part.remove_suffix(3);
      width = std::max(width, visible_width(part));
    }
  }
  return width;
}

TEST(Terminal, NothingIsWiderThanANarrowOne) {
  constexpr int kColumns = 60;
  for (const char* line :
       {"", "games", "help", "help match", "help players", "help chess", "models", "reproduce",
        "solve fanorona --stats", "analyze bremen --player minimax:2", "perft chess 2",
        "tournament fanorona random first flat:2 uct:2 --games 2 --no-store",
        "play chess --as none --vs random --seed 1",
        "play domineering --board 2x32 --as none --seed 1"}) {
    std::vector<std::string> words;
    for (const auto word : split(line, ' ')) {
      if (!word.empty()) words.emplace_back(word);
    }
    InTerminal program(words, {}, kColumns);
    program.wait_for_end();
    std::string seen = program.seen();
    // A folder stays whole, and this one is as long as whoever built here has made it.
    const std::string_view folder = DAMIER_BUILD_DIR;
    for (std::size_t at = 0; (at = seen.find(folder, at)) != std::string::npos;) {
      seen.erase(at, folder.size());
    }
    EXPECT_LE(widest_shown(seen), kColumns) << line << "\n" << program.seen();
  }
}

TEST(Terminal, JsonStaysOneLineHoweverNarrowTheTerminal) {
  InTerminal program({"games", "--json"}, {}, 60);
  EXPECT_EQ(program.wait_for_end(), 0);
  EXPECT_EQ(program.seen().find('\n'), program.seen().size() - 1);
}

TEST(Terminal, ALineOfProgressFitsIntoANarrowOne) {
  InTerminal program({"perft", "bremen", "30"}, {}, 40);
  ASSERT_TRUE(program.wait_for(" nodes/s")) << program.seen();
  ASSERT_TRUE(program.wait_for("\x1b[K"));
  EXPECT_LT(widest_shown(program.seen()), 40) << program.seen();
  program.type("\x03");
  EXPECT_EQ(program.wait_for_end(), 130);
}

TEST(Terminal, CtrlCStopsLongWork) {
  InTerminal program({"perft", "bremen", "30"}, {});
  ASSERT_TRUE(program.wait_for("perft  [")) << "a line of progress";
  program.type("\x03");
  EXPECT_EQ(program.wait_for_end(), 130);
  EXPECT_NE(program.seen().find("damier: interrupted"), std::string::npos) << program.seen();
}

}  // namespace
}  // namespace damier::app
