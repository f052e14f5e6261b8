// The program with a store and a state folder of its own, for tests of commands that keep things.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tests/app/program.h"
#include "tests/base/temporary_folder.h"
#include <gtest/gtest.h>

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

  // The program at work, to be interrupted or killed at what it says.
  WatchedProgram start(std::vector<std::string> arguments,
                       const std::string& input = "/dev/null") const {
    arguments.insert(arguments.begin(), DAMIER_PROGRAM);
    return watch_command(arguments, environment(), input);
  }

 private:
  TemporaryFolder folder_;
};

}  // namespace damier::app
