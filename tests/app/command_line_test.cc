// What can be wrong with the words of a command line: every kind of mistake, of every option that
// the help shows, gets one line of ours and nothing of the parser's own.

#include <algorithm>
#include <regex>

#include "tests/app/program.h"
#include <gtest/gtest.h>

#include "damier/app/context.h"

namespace damier::app {
namespace {

std::string line_of(const std::vector<std::string>& words) {
  std::string line = "damier";
  for (const std::string& word : words) line += " " + word;
  return line;
}

// Words of CLI11's errors.
const std::regex kForeign(
    "At Most|At least|At most|[Rr]equires|required [A-Z]|but received|Could not convert|not in "
    "\\{|disallowed|excludes|INI|not an allowed value|were not expected|was not expected|Expected "
    "|subcommand|TEXT|you should not see|do not go together");

Ran refused(const std::vector<std::string>& words) {
  const Ran ran = damier(words);
  EXPECT_EQ(ran.code, 2) << line_of(words) << "\n" << ran.err;
  EXPECT_EQ(ran.out, "") << line_of(words);
  EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << line_of(words) << ran.err;
  EXPECT_FALSE(std::regex_search(ran.err, kForeign)) << line_of(words) << "\n" << ran.err;
  return ran;
}

struct HelpedOption {
  std::string name, value;  // value: empty for a flag
};

// "  -o,--output FILE   …" of a command's help.
std::vector<HelpedOption> options_of(const Command& command) {
  const std::string help = damier({"help", std::string(command.name)}).out;
  const std::regex option(R"(\n  (?:-\w,)?(--[-\w]+)(?: ([^ \n]+(?: \.\.\.)?))?)");
  std::vector<HelpedOption> options;
  for (std::sregex_iterator at(help.begin(), help.end(), option), end; at != end; ++at) {
    if ((*at)[1] != "--help") options.push_back({(*at)[1], (*at)[2]});
  }
  return options;
}

TEST(CommandLine, EveryOptionThatIsMisusedGetsALineOfOurs) {
  std::size_t flags = 0, valued = 0;
  for (const Command& command : commands()) {
    const std::string word(command.name);
    for (const HelpedOption& option : options_of(command)) {
      const bool repeated = option.value.ends_with("...");  // --set KEY=VALUE ...
      if (option.value.empty()) {
        ++flags;
        EXPECT_NE(refused({word, option.name + "=maybe"}).err.find(option.name + " takes no value"),
                  std::string::npos)
            << word;
        continue;
      }
      ++valued;
      EXPECT_NE(refused({word, option.name}).err.find(option.name + " needs a value"),
                std::string::npos)
          << word;
      if (repeated) continue;
      const Ran twice = refused({word, option.name, "1", option.name, "1"});
      EXPECT_NE(twice.err.find(option.name), std::string::npos) << twice.err;
    }
    refused({word, "--no-such-option"});
    refused({word, "-?"});
    refused({word, "a", "b", "c", "d", "e", "f", "--no-such-option=1"});
  }
  EXPECT_GT(flags, 10u) << "found in the help";
  EXPECT_GT(valued, 30u);
}

struct WrongWords {
  std::vector<std::string> words;
  std::string message;  // all of it, behind "damier: "
};

TEST(CommandLine, EveryKindOfMistakeHasItsWords) {
  for (const WrongWords& wrong : std::vector<WrongWords>{
           {{"perft"}, "perft: GAME is required; see `damier help perft`"},
           {{"perft", "-x"}, "perft: unknown option '-x'"},
           {{"perft", "fanorona", "2", "--json=maybe"},
            "perft: --json takes no value; see `damier help perft`"},
           {{"perft", "fanorona", "2", "--threads", "1", "--threads", "2"},
            "perft: --threads is given 2 times; expected once; see `damier help perft`"},
           {{"play", "chess", "--vs"}, "play: --vs needs a value: PLAYER; see `damier help play`"},
           {{"play", "chess", "--lang", "de"},
            "play: --lang: unknown value 'de' (known: en, fr); see `damier help play`"},
           {{"tournament", "fanorona", "random"},
            "tournament: PLAYERS has 1 value; expected 2 to 64; see `damier help tournament`"},
           {{"perft", "fanorona", "2", "3", "4"},
            "unexpected argument '4' after 'perft'; see `damier help perft`"},
           {{"perft", "fanorona", "2", "--threads", "x"},
            "perft: --threads is 'x'; expected a whole number from 1 to 1024; see `damier help "
            "perft`"},
           {{"--vs", "random", "play", "chess"},
            "'--vs' is an option of 'play'; expected it after that word; see `damier help play`"},
           {{"--sprt", "0,5"}, "'--sprt' goes with a command: match\n"},
           {{"--threads", "2"}, "'--threads' goes with a command: "},
           {{"--seed"}, "'--seed' goes with a command: "},
           {{"--json", "--nonsense", "games"}, "unknown option '--nonsense'"},
           {{"--threads", "2", "games"}, "unknown option '--threads' (known: "},
       }) {
    const Ran ran = refused(wrong.words);
    EXPECT_TRUE(ran.err.starts_with("damier: " + wrong.message)) << ran.err;
    EXPECT_EQ(ran.err.find("did you mean '--threads'"), std::string::npos) << ran.err;
  }
}

TEST(CommandLine, SharedOptionsMayStandBeforeTheCommand) {
  const std::string expected = damier({"perft", "fanorona", "3", "--json", "--threads", "1"}).out;
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"--json", "--threads", "1", "perft", "fanorona", "3"},
                                             {"--threads=1", "perft", "fanorona", "3", "--json"},
                                             {"--", "--json", "perft", "fanorona", "3"}}) {
    EXPECT_EQ(damier(words).out, expected) << line_of(words);
  }
  EXPECT_EQ(damier({"--seed", "7", "play", "fanorona", "--as", "none"}).err, "seed 7\n");
}

}  // namespace
}  // namespace damier::app
