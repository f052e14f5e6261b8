// The program with a store and a state folder of its own, for tests of commands that keep things.
#pragma once

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/app/program.h"
#include "tests/base/temporary_folder.h"
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

namespace damier::app {

class StoredProgram : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.path() / name; }
  Environment environment() const {
    return {{"DAMIER_STORE", path("runs.db")}, {"XDG_STATE_HOME", path("state")}};
  }
  Ran run(std::vector<std::string> arguments, const std::string& input = "") const {
    return damier(std::move(arguments), input, environment());
  }
  void refused(std::vector<std::string> arguments, const std::string& line) const {
    const Ran ran = run(std::move(arguments));
    EXPECT_EQ(ran.code, 2);
    EXPECT_EQ(ran.out, "");
    EXPECT_EQ(last_line(ran.err), "damier: " + line);
  }

  // Starts the program, and sends it `sent` after a while. What it says goes to the file "err".
  int signalled(const std::vector<std::string>& arguments, int sent, int milliseconds) const {
    const pid_t child = fork();
    if (child == 0) {
      for (const auto& [name, value] : environment()) setenv(name.c_str(), value.c_str(), 1);
      std::vector<char*> argv = {const_cast<char*>(DAMIER_PROGRAM)};
      for (const auto& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
      argv.push_back(nullptr);
      if (std::freopen("/dev/null", "w", stdout) == nullptr) _exit(126);
      if (std::freopen(path("err").c_str(), "w", stderr) == nullptr) _exit(126);
      execv(DAMIER_PROGRAM, argv.data());
      _exit(127);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    kill(child, sent);
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

 private:
  TemporaryFolder folder_;
};

}  // namespace damier::app
