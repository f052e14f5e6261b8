// The program in a real terminal: colours, prompts, and Ctrl-C.

#include "damier/app/terminal.h"

#include <cstring>

#include "tests/app/program.h"
#include "tests/base/temporary_folder.h"
#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "damier/base/files.h"
#include "damier/games/saved_game.h"

namespace damier::app {
namespace {

// damier on a terminal of its own.
class InTerminal {
 public:
  InTerminal(const std::vector<std::string>& arguments, const Environment& environment) {
    winsize size = {40, 120, 0, 0};
    child_ = forkpty(&terminal_, nullptr, nullptr, &size);
    if (child_ == 0) {
      setenv("TERM", "xterm-256color", 1);
      unsetenv("NO_COLOR");
      for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
      std::vector<char*> list = {const_cast<char*>(DAMIER_PROGRAM)};
      for (const auto& argument : arguments) list.push_back(const_cast<char*>(argument.c_str()));
      list.push_back(nullptr);
      execv(list[0], list.data());
      _exit(127);
    }
    tcgetattr(terminal_, &settings_);
  }
  ~InTerminal() {
    close(terminal_);
    if (child_ > 0) {
      kill(child_, SIGKILL);
      waitpid(child_, nullptr, 0);
    }
  }

  void type(const std::string& text) {
    ASSERT_EQ(write(terminal_, text.data(), text.size()), std::ssize(text));
  }

  // Reads until `text` has come; the limit only ends a test that has failed.
  bool wait_for(const std::string& text) {
    while (seen_.find(text, from_) == std::string::npos) {
      if (!read_some()) return false;
    }
    from_ = seen_.find(text, from_) + text.size();
    return true;
  }

  int wait_for_end() {
    while (read_some()) {
    }
    int status = 0;
    for (int tries = 0; waitpid(child_, &status, WNOHANG) == 0; ++tries) {
      constexpr int kMostTries = 3000;
      if (tries == kMostTries) return -1;
      usleep(10000);
    }
    child_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

  bool settings_unchanged() const {
    termios now = {};
    tcgetattr(terminal_, &now);
    return now.c_lflag == settings_.c_lflag && now.c_iflag == settings_.c_iflag &&
           now.c_oflag == settings_.c_oflag;
  }

  const std::string& seen() const { return seen_; }

 private:
  bool read_some() {
    pollfd waiting = {terminal_, POLLIN, 0};
    constexpr int kLimitMilliseconds = 60000;
    if (poll(&waiting, 1, kLimitMilliseconds) <= 0) return false;
    char block[4096];
    const ssize_t count = read(terminal_, block, sizeof(block));
    if (count <= 0) return false;
    seen_.append(block, static_cast<std::size_t>(count));
    return true;
  }

  int terminal_ = -1;
  pid_t child_ = -1;
  termios settings_ = {};
  std::string seen_;
  std::size_t from_ = 0;
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

TEST(Terminal, CtrlCStopsLongWork) {
  InTerminal program({"perft", "bremen", "30"}, {});
  ASSERT_TRUE(program.wait_for("perft  [")) << "a progress line after two seconds";
  program.type("\x03");
  EXPECT_EQ(program.wait_for_end(), 130);
  EXPECT_NE(program.seen().find("damier: interrupted"), std::string::npos) << program.seen();
}

}  // namespace
}  // namespace damier::app
