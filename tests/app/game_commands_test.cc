// What a game offers to the commands, from a program of one's own.

#include "damier/app/game_commands.h"

#include "tests/app/program.h"
#include <gtest/gtest.h>

#include "damier/app/app.h"
#include "damier/app/commands/builtin_commands.h"
#include "damier/learn/registry.h"

namespace damier::app {
namespace {

class OwnCommands final : public GameCommands {
 public:
  static constexpr std::string_view kExamples[] = {"{program} analyze fanorona --player mine"};
  OwnCommands() : GameCommands("fanorona", {kExamples}) {}
  std::optional<GameFormat> format() const override {
    return GameFormat{
        "--scroll", "write the game on a scroll",
        [](const games::Session&, const GameFormat::Names&) { return std::string(); }};
  }
  std::optional<Result<int>> analyze(const AnalyzeRequest& request) const override {
    return request.player == "mine" ? std::optional(42) : std::nullopt;
  }
};

Ran run_with_own(std::vector<std::string> words) {
  GameCommandsList commands;
  commands.add(std::make_unique<OwnCommands>());
  words.insert(words.begin(), "damier");
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  const int code =
      run(learn::builtin_games(), commands, static_cast<int>(argv.size()), argv.data());
  return {code, ::testing::internal::GetCapturedStdout(), ::testing::internal::GetCapturedStderr()};
}

TEST(GameCommands, AnOutsideGameTakesOverAnAnalysis) {
  EXPECT_EQ(run_with_own({"analyze", "fanorona", "--player", "mine"}).code, 42);
  EXPECT_EQ(run_with_own({"analyze", "fanorona", "--player", "first"}).code, 0)
      << "where it says nothing, the general analysis does";
}

TEST(GameCommands, ItsFormatIsAnOptionThatGoesWithItAlone) {
  const Ran help = run_with_own({"help", "play"});
  EXPECT_NE(help.out.find("fanorona: write the game on a scroll"), std::string::npos) << help.out;
  EXPECT_EQ(help.out.find("--pgn"), std::string::npos) << "chess offers nothing in this program";
  const Ran wrong = run_with_own({"play", "bremen", "--scroll", "x"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_EQ(wrong.err, "damier: --scroll goes with fanorona, not with bremen\n");
}

TEST(GameCommands, ItsExamplesAreInTheHelp) {
  const Ran help = run_with_own({"help", "analyze"});
  EXPECT_NE(help.out.find("damier analyze fanorona --player mine"), std::string::npos) << help.out;
}

TEST(GameCommands, EveryExampleBelongsToACommandAndNamesItsGame) {
  const GameCommandsList commands = builtin_commands();
  for (const auto& own : commands.all()) {
    for (const std::string_view example : own->help().examples) {
      EXPECT_TRUE(example.starts_with("{program} ")) << example;
      EXPECT_NE(example.find(own->game()), std::string::npos) << example;
    }
  }
}

}  // namespace
}  // namespace damier::app
