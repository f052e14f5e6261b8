#include "damier/arena/players.h"

#include <map>

#include <gtest/gtest.h>

#include "damier/games/registry.h"

namespace damier::arena {
namespace {

TEST(Players, AllButTheHumanAreMadeByName) {
  for (const PlayerInfo& info : player_infos()) {
    const auto player = make_player(info.name);
    ASSERT_TRUE(player);
    EXPECT_EQ(player->is_human(), info.name == "human");
    EXPECT_EQ(player->name, info.name);
  }
}

TEST(Players, FirstTakesTheFirstLegalMove) {
  const auto session = games::builtin_games().make("fanorona").value()->start(Seed{1});
  RandomStream random(Seed{1}, "test");
  const auto action = make_player("first")->player->choose(*session, random);
  EXPECT_EQ(session->move_text(action), "6-3");
}

TEST(Players, RandomTakesAllMovesAlike) {
  const auto session = games::builtin_games().make("fanorona").value()->start(Seed{1});
  const auto player = make_player("random");
  RandomStream random(Seed{1}, "test");
  std::map<games::Action, int> counts;
  for (int i = 0; i < 50000; ++i) ++counts[player->player->choose(*session, random)];
  EXPECT_EQ(counts.size(), 5u);
  for (const auto& [action, count] : counts) EXPECT_NEAR(count, 10000, 450);
}

TEST(Players, InMinesweeperTheyOpenAndDoNotFlag) {
  const auto session = games::builtin_games().make("minesweeper").value()->start(Seed{1});
  RandomStream random(Seed{1}, "test");
  for (const char* name : {"random", "first"}) {
    const auto action = make_player(name)->player->choose(*session, random);
    EXPECT_LT(games::index(action), 81) << "the openings come first among the actions";
  }
}

TEST(Players, WrongNamesGetTheListNearestFirst) {
  EXPECT_EQ(make_player("randm").error().text(),
            "unknown player 'randm'; did you mean 'random'? (known: random, first, human)");
  EXPECT_EQ(make_player("random:5").error().text(), "player 'random' takes no options; got '5'");
}

}  // namespace
}  // namespace damier::arena
