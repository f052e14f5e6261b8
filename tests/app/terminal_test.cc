// The program in a real terminal: colours, prompts, and Ctrl-C.

#include "damier/app/terminal.h"

#include "tests/app/program.h"
#include "tests/base/temporary_folder.h"
#include <gtest/gtest.h>
#include <pty.h>
#include <termios.h>
#include <unistd.h>

#include "damier/base/files.h"
#include "damier/games/saved_game.h"

namespace damier::app {
namespace {

// damier on a terminal of its own.
class InTerminal : public WatchedProgram {
 public:
  InTerminal(const std::vector<std::string>& arguments, const Environment& environment)
      : InTerminal(Begun(arguments, environment)) {}

  void type(const std::string& text) {
    ASSERT_EQ(write(output(), text.data(), text.size()), std::ssize(text));
  }

  bool settings_unchanged() const {
    termios now = {};
    tcgetattr(output(), &now);
    return now.c_lflag == settings_.c_lflag && now.c_iflag == settings_.c_iflag &&
           now.c_oflag == settings_.c_oflag;
  }

 private:
  struct Begun {
    Begun(std::vector<std::string> command, const Environment& environment) {
      command.insert(command.begin(), DAMIER_PROGRAM);
      winsize size = {40, 120, 0, 0};
      child = forkpty(&terminal, nullptr, nullptr, &size);
      if (child == 0) {
        setenv("TERM", "xterm-256color", 1);
        unsetenv("NO_COLOR");
        become(command, environment);
      }
    }
    pid_t child = -1;
    int terminal = -1;
  };

  explicit InTerminal(const Begun& begun) : WatchedProgram(begun.child, begun.terminal) {
    tcgetattr(output(), &settings_);
  }

  termios settings_ = {};
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
  EXPECT_EQ(program.seen().find('\x1b'), std::string::npos);
  program.type("\x04");  // Ctrl-D: the end of the input
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
  ASSERT_NE(program.seen().find("go on with: damier play --load " + kept), std::string::npos)
      << program.seen();
  EXPECT_EQ(damier({"play", "--load", kept}, "quit\n").code, 0);
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

TEST(Terminal, CtrlCStopsLongWork) {
  InTerminal program({"perft", "bremen", "30"}, {});
  ASSERT_TRUE(program.wait_for("perft  [")) << "a line of progress";
  program.type("\x03");
  EXPECT_EQ(program.wait_for_end(), 130);
  EXPECT_NE(program.seen().find("damier: interrupted"), std::string::npos) << program.seen();
}

}  // namespace
}  // namespace damier::app
