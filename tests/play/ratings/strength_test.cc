#include "damier/play/ratings/strength.h"

#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "damier/play/players/players.h"
#include "damier/play/registry.h"

namespace damier::play {
namespace {

std::vector<std::shared_ptr<const Toolkit>> games_of_two() {
  static const Registry kGames = builtin_games();
  std::vector<std::shared_ptr<const Toolkit>> all;
  for (const auto& entry : kGames.entries()) {
    if (entry.facts.players == 2) all.push_back(kGames.toolkit(entry.make({}).value()));
  }
  return all;
}

TEST(Strength, EveryGameOfTwoThatShipsIsMeasured) {
  for (const auto& toolkit : games_of_two()) {
    const std::string_view game = toolkit->game().facts().name;
    const Strength* strength = strength_of(game);
    ASSERT_NE(strength, nullptr) << game;
    EXPECT_EQ(strength->ratings.size(), strength->plan.players.size()) << game;
    for (const StrengthRow& row : strength->ratings) {
      const auto player = open_player(*toolkit, row.player);
      EXPECT_TRUE(player.ok()) << game << ": " << row.player;
      EXPECT_LE(row.low, row.elo) << row.player;
      EXPECT_GE(row.high, row.elo) << row.player;
    }
    EXPECT_EQ(strength->rules, games::options_text(toolkit->game().option_values()))
        << game << ": measured under the usual rules";
  }
}

TEST(Strength, LevelsRiseFromEasyToTheBest) {
  for (const auto& toolkit : games_of_two()) {
    const std::string_view game = toolkit->game().facts().name;
    const auto levels = levels_of(*toolkit);
    ASSERT_EQ(levels.size(), static_cast<std::size_t>(kLevels)) << game;
    double last = 0;  // that of `random`
    for (const Level& level : levels) {
      ASSERT_TRUE(level.measured) << game << ": level " << level.number;
      EXPECT_GT(level.measured->elo, last) << game << ": level " << level.number;
      EXPECT_LE(level.measured->seconds.value_or(0), kMaxMoveSeconds)
          << game << ": " << level.player;
      last = level.measured->elo;
    }
  }
}

TEST(Strength, TheStrongestIsWhomTheTableSays) {
  for (const auto& toolkit : games_of_two()) {
    const Strength* strength = strength_of(toolkit->game().facts().name);
    const auto best =
        std::max_element(strength->ratings.begin(), strength->ratings.end(),
                         [](const StrengthRow& a, const StrengthRow& b) { return a.elo < b.elo; });
    EXPECT_EQ(strength->strongest, best->player);
    EXPECT_EQ(toolkit->strongest_player(), best->player);
    const auto words = strength_in_words(best->player, *toolkit);
    ASSERT_TRUE(words);
    EXPECT_NE(words->english().find("the strongest"), std::string::npos) << words->english();
  }
}

TEST(Strength, OtherRulesAreSaidToBeOthers) {
  const Registry registry = builtin_games();
  const auto small = registry.toolkit(registry.make("domineering", {{"board", "4x4"}}).value());
  const auto words = strength_in_words(levels_of(*small)[4].player, *small);
  ASSERT_TRUE(words);
  EXPECT_NE(words->english().find("usual rules"), std::string::npos) << words->english();
  EXPECT_FALSE(strength_in_words("flat:77", *small)) << "nobody has measured it";
}

// A plan with so many players, and what a tournament might have found of them.
Strength planned(std::size_t players) {
  Strength strength;
  strength.game = "go";
  for (std::size_t i = 0; i < players; ++i) {
    strength.plan.players.push_back(i == 0 ? "random" : fmt::format("uct:{}", i));
  }
  return strength;
}

std::vector<StrengthRow> found(const Strength& strength, double (*elo)(std::size_t)) {
  std::vector<StrengthRow> rows;
  for (std::size_t i = 0; i < strength.plan.players.size(); ++i) {
    rows.push_back({strength.plan.players[i], elo(i), elo(i) - 10, elo(i) + 10, 40, 0.5, 0.01});
  }
  return rows;
}

TEST(Strength, LevelsAreEvenSteps) {
  // 100 Elo apart at first, then 10: the last ones are nearly all alike.
  Strength strength = planned(40);
  const auto elo = [](std::size_t i) {
    const auto x = static_cast<double>(i);
    return i <= 10 ? 100 * x : 1000 + 10 * (x - 10);
  };
  ASSERT_TRUE(set_ratings(strength, found(strength, elo)));
  EXPECT_EQ(strength.strongest, "uct:39");
  ASSERT_EQ(strength.levels.size(), static_cast<std::size_t>(kLevels));
  EXPECT_EQ(strength.levels.front(), "uct:1") << "not random itself";
  EXPECT_EQ(strength.levels.back(), "uct:39");
  for (std::size_t i = 1; i < strength.levels.size(); ++i) {
    const double step =
        strength.find(strength.levels[i])->elo - strength.find(strength.levels[i - 1])->elo;
    EXPECT_NEAR(step, 150, 50) << "as even as players 100 Elo apart allow: " << strength.levels[i];
  }
}

TEST(Strength, AGapIsOneStepAndTheOthersStayEven) {
  // 50 Elo apart, and nobody between the sixth and the seventh, 400 above him.
  Strength strength = planned(30);
  const auto elo = [](std::size_t i) {
    return 50.0 * static_cast<double>(i) + (i > 6 ? 350.0 : 0.0);
  };
  ASSERT_TRUE(set_ratings(strength, found(strength, elo)));
  int wide = 0;
  for (std::size_t i = 1; i < strength.levels.size(); ++i) {
    const double step =
        strength.find(strength.levels[i])->elo - strength.find(strength.levels[i - 1])->elo;
    EXPECT_GE(step, 100) << strength.levels[i];
    wide += step >= 400;
  }
  EXPECT_EQ(wide, 1);
}

TEST(Strength, SlowPlayersAreNoLevels) {
  Strength strength = planned(12);
  auto rows = found(strength, [](std::size_t i) { return 50.0 * static_cast<double>(i); });
  rows.back().seconds = 60;
  ASSERT_TRUE(set_ratings(strength, rows));
  EXPECT_EQ(strength.levels.back(), "uct:10");
  EXPECT_EQ(strength.strongest, "uct:11") << "who is asked for advice may think";
  rows[5].seconds = 60;
  const auto status = set_ratings(strength, rows);
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().message.find("the tournament has 9 beside random"), std::string::npos)
      << status.error().message;
}

TEST(Strength, AFileIsReadBackAndErrorsAreNamed) {
  Strength strength = planned(11);
  const std::string plan = strength_text(strength);
  EXPECT_TRUE(read_strength(plan, "x.json").value().ratings.empty()) << "a plan alone will do";
  ASSERT_TRUE(set_ratings(
      strength, found(strength, [](std::size_t i) { return 50.0 * static_cast<double>(i); })));
  const std::string text = strength_text(strength);
  const Strength again = read_strength(text, "x.json").value();
  EXPECT_EQ(again.levels, strength.levels);
  EXPECT_EQ(strength_text(again), text);
  std::swap(strength.levels[2], strength.levels[3]);
  EXPECT_EQ(read_strength(strength_text(strength), "x.json").error().text(),
            "x.json: levels: 'uct:3' is no stronger than the last");
  EXPECT_NE(read_strength("{}", "x.json").error().text().find("game"), std::string::npos);
}

}  // namespace
}  // namespace damier::play
