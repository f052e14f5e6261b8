// Numbers on the command line, in players, boards and settings: what is out of range is refused
// with the range. The options are those that the help shows with one, so none can be forgotten.

#include <algorithm>
#include <regex>

#include "tests/app/program.h"
#include <gtest/gtest.h>

#include "damier/app/context.h"

namespace damier::app {
namespace {

struct NumberOption {
  std::string command, name, low, high;
};

// "--threads N … from 1 to 1024" of every command; long help is wrapped.
std::vector<NumberOption> number_options() {
  std::vector<NumberOption> options;
  for (const Command& command : commands()) {
    const std::string help = damier({"help", std::string(command.name)}).out;
    const std::regex option(R"((?:^|\n)  ([-\w,]+)[^\n]*(?:\n {3,}[^\n]*)*)");
    const std::regex range(R"(from\s+([-.\w^]+)\s+to\s+([-.\w^]+)\s*$)");
    for (std::sregex_iterator at(help.begin(), help.end(), option), end; at != end; ++at) {
      const std::string text = at->str();
      std::smatch found;
      if (!std::regex_search(text, found, range)) continue;
      options.push_back({std::string(command.name), (*at)[1], found[1], found[2]});
    }
  }
  return options;
}

void expect_refused(const std::vector<std::string>& arguments, const std::string& expected) {
  const Ran ran = damier(arguments);
  std::string line;
  for (const std::string& argument : arguments) line += argument + " ";
  EXPECT_EQ(ran.code, 2) << line << ran.err;
  EXPECT_EQ(ran.out, "") << line;
  EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << line << ran.err;
  EXPECT_NE(ran.err.find(expected), std::string::npos) << line << ran.err;
}

TEST(NumberOptions, AreFoundInTheHelp) {
  const auto options = number_options();
  for (const auto& [command, name] :
       std::vector<std::pair<std::string, std::string>>{{"solve", "--nodes"},
                                                        {"solve", "--seconds"},
                                                        {"generate", "--count"},
                                                        {"generate", "--validation"},
                                                        {"generate", "--test"},
                                                        {"match", "--games"},
                                                        {"match", "--opening"},
                                                        {"match", "--seed"},
                                                        {"match", "--threads"},
                                                        {"play", "--number"},
                                                        {"eval", "--games"},
                                                        {"init", "--limit"},
                                                        {"perft", "DEPTH"},
                                                        {"reproduce", "--seed"}}) {
    EXPECT_TRUE(std::any_of(options.begin(), options.end(),
                            [&](const NumberOption& option) {
                              return option.command == command && option.name == name;
                            }))
        << command << " " << name;
  }
}

TEST(NumberOptions, OutOfRangeAreRefusedWithTheRange) {
  for (const NumberOption& option : number_options()) {
    const std::string expected = "number from " + option.low + " to " + option.high;
    std::vector<std::string> wrong = {"x",    "nan", "inf", "1e300", "18446744073709551616",
                                      "0x10", "1 ",  "+1"};
    const bool positional = !option.name.starts_with("-");
    if (!positional) wrong.insert(wrong.end(), {"-1", "-9223372036854775809", "", "-inf", "-nan"});
    if (option.low == "1") wrong.push_back("0");
    if (!positional) expect_refused({option.command, option.name + "=-1"}, expected);
    for (const std::string& value : wrong) {
      if (positional) {
        expect_refused({option.command, "fanorona", value}, expected);
      } else {
        expect_refused({option.command, option.name, value}, expected);
      }
    }
  }
}

TEST(NumberOptions, TheLastOfTheirRangeAreTaken) {
  EXPECT_EQ(damier({"analyze", "fanorona", "--seed", "18446744073709551615"}).code, 0);
  EXPECT_EQ(damier({"perft", "fanorona", "0", "--threads", "1"}).code, 0);
  EXPECT_EQ(damier({"solve", "fanorona", "--seconds", "1e9", "--nodes", "1"}).code, 0);
}

TEST(NumberOptions, OfPlayersBoardsAndSettingsAreRefusedToo) {
  for (const char* player :
       {"uct:-1", "uct:0", "uct:1e30", "uct:99999999999999999999", "uct:1.5", "uct:nan",
        "uct:10,c=-1", "uct:10,c=nan", "uct:10,c=inf", "uct:10,c=1e30", "flat:-1", "flat:0",
        "ucb:-5", "ucb:10,c=nan", "minimax:-1", "minimax:1e9", "net,mcts=1e30", "net,mcts=-1",
        "puct:-1"}) {
    expect_refused({"match", "fanorona", player, "random", "--no-store"}, "number from ");
  }
  for (const char* board : {"-1x3", "3x-1", "99999999999999999999x3", "nanx3", "1e9x1", "0x0"}) {
    expect_refused({"perft", "domineering", "2", "--board", board}, "board");
  }
  for (const char* rules :
       {"maxply=-1", "maxply=1e9", "maxply=nan", "maxply=99999999999999999999"}) {
    expect_refused({"perft", "bremen", "2", "--rules", rules}, "expected a whole number from ");
  }
  for (const char* set : {"epochs=-1", "epochs=1e30", "epochs=nan", "batch=0", "batch=-1",
                          "optimiser.rate=-1", "optimiser.rate=1e300", "data.generate.count=-1",
                          "data.generate.validation=-1", "data.generate.test=2", "seed=-1"}) {
    expect_refused({"train", "fanorona-quick", "--print-recipe", "--set", set}, "expected");
  }
  for (const char* set : {"smallest=-1", "smallest=1e30", "certain=2", "certain=-1", "tries=-1",
                          "tries=1e9", "least_density=nan", "greatest_density=-0.1"}) {
    expect_refused({"generate", "minesweeper", "-o", "/dev/null", "--set", set}, "expected");
  }
  for (const char* sprt : {"nan,0", "0,inf", "0,1e30", "0,10,-1,0.05", "0,10,nan,0.05"}) {
    expect_refused({"match", "fanorona", "random", "first", "--no-store", "--sprt", sprt},
                   "--sprt");
  }
  for (const char* anchor : {"random=1e9", "random=nan", "random=-999999999"}) {
    expect_refused({"tournament", "fanorona", "random", "first", "--no-store", "--anchor", anchor},
                   "expected a whole number from ");
  }
}

}  // namespace
}  // namespace damier::app
