#include "damier/games/options.h"

#include <gtest/gtest.h>

#include "damier/games/registry.h"

namespace damier::games {
namespace {

TEST(Options, NameAndValuePairs) {
  EXPECT_EQ(*parse_options("winner=rooster, maxply=0"),
            (OptionValues{{"winner", "rooster"}, {"maxply", "0"}}));
  EXPECT_EQ(parse_options("").error().text(), "rule option '' is not of the form name=value");
  EXPECT_EQ(parse_options("winner").error().text(),
            "rule option 'winner' is not of the form name=value");
}

TEST(Options, EveryGameAcceptsTheValuesItReports) {
  const Registry registry = builtin_games();
  for (const GameEntry& entry : registry.entries()) {
    const auto game = entry.make({});
    ASSERT_TRUE(game) << game.error().text();
    const OptionValues values = (*game)->option_values();
    EXPECT_EQ(values.size(), entry.options.size());
    const auto again = entry.make(values);
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_EQ((*again)->option_values(), values);
    for (std::size_t i = 0; i < values.size(); ++i) {
      EXPECT_EQ(values[i].first, entry.options[i].name);
      EXPECT_EQ(values[i].second, entry.options[i].default_value);
    }
  }
}

TEST(Options, WrongOnesAreNamed) {
  const Registry registry = builtin_games();
  const auto error = [&](std::string_view game, const OptionValues& values) {
    return registry.make(game, values).error().text();
  };
  EXPECT_EQ(error("bremen", {{"winer", "mover"}}),
            "unknown rule option 'winer'; did you mean 'winner'? (known: winner, retreat, maxply)");
  EXPECT_EQ(error("bremen", {{"winner", "red"}}),
            "rule option winner is 'red'; expected mover|rooster");
  EXPECT_EQ(error("bremen", {{"maxply", "-1"}}),
            "rule option maxply is '-1'; expected a whole number from 0 to 100000");
  EXPECT_EQ(error("bremen", {{"maxply", "1"}, {"maxply", "2"}}),
            "rule option 'maxply' is given twice");
  EXPECT_EQ(error("fanorona", {{"board", "3x3"}}), "unknown rule option 'board'");
}

}  // namespace
}  // namespace damier::games
