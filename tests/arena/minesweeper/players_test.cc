// Networks that play minesweeper, with the model that ships.

#include "damier/arena/minesweeper/players.h"

#include <cmath>

#include <gtest/gtest.h>

#include "damier/arena/registry.h"
#include "damier/games/any_game_impl.h"
#include "damier/solve/minesweeper/probabilities.h"

namespace damier::arena {
namespace {

using games::minesweeper::Minesweeper;

std::shared_ptr<const Toolkit> minesweeper(const std::string& board) {
  const Registry registry = builtin_games();
  return registry.toolkit(registry.make("minesweeper", {{"board", board}}).value());
}

double win_rate(const Toolkit& toolkit, const std::string& player, std::uint64_t games) {
  ThreadPool pool(2);
  const auto result = toolkit.evaluate(player, games, Seed{5}, pool, nullptr);
  EXPECT_TRUE(result) << result.error().text();
  return static_cast<double>(result->wins) / static_cast<double>(games);
}

TEST(MinesweeperPlayers, TheShippedNetworkWinsNearlyAsOftenAsTheSolver) {
  // 200 games of a rate of 92 %: the standard error is 2 %.
  EXPECT_GT(win_rate(*minesweeper("8x8x6"), "net", 200), 0.84);
}

TEST(MinesweeperPlayers, WholeGamesAreTheSameAsMoveByMove) {
  const auto kit = minesweeper("7x6x6");
  for (const char* name : {"net", "solver", "solver,net=minesweeper"}) {
    SCOPED_TRACE(name);
    auto player = make_player(*kit, name);
    ASSERT_TRUE(player) << player.error().text();
    auto* fast = dynamic_cast<MinesweeperPlayer*>(player->player.get());
    ASSERT_NE(fast, nullptr);
    constexpr std::size_t kGames = 12;
    std::vector<Seed> deals;
    std::vector<RandomStream> random;
    for (std::uint64_t i = 0; i < kGames; ++i) {
      deals.push_back(Seed{i});
      random.emplace_back(Seed{9}, "test", i);
    }
    std::vector<RandomStream> again = random;
    std::vector<detail::HiddenResult> whole(kGames), moves(kGames);
    fast->play(games::rules_of<Minesweeper>(kit->game()), deals, random, whole);
    detail::play_sessions<Minesweeper>(kit->game(), *player->player, deals, again, moves);
    for (std::size_t i = 0; i < kGames; ++i) {
      EXPECT_EQ(whole[i].won, moves[i].won) << i;
      EXPECT_EQ(whole[i].score, moves[i].score) << i;
    }
  }
}

TEST(MinesweeperPlayers, TheNetworksChancesAreCloseToTheExactOnes) {
  const auto player = make_minesweeper_player("net");
  ASSERT_TRUE(player) << player.error().text();
  for (const char* text : {"4 5 3\n01###\n01###\n12###\n#####\n", "3 3 2\n1##\n###\n###\n"}) {
    const auto board = Minesweeper().parse_observation(text);
    ASSERT_TRUE(board) << board.error().text();
    const auto exact = solve::minesweeper::probabilities(*board).value();
    const auto said = (*player)->risks(*board);
    ASSERT_EQ(said.size(), exact.bomb.size());
    for (std::size_t i = 0; i < said.size(); ++i) {
      if (exact.bomb[i] < 0) continue;
      EXPECT_NEAR(static_cast<double>(said[i]), exact.bomb[i], 0.1) << text << i;
    }
  }
}

TEST(MinesweeperPlayers, AnAdvisedSolverStillPlaysTheEndOfTheGameExactly) {
  // The best play wins 93.19 % of these games; bad guesses would show.
  EXPECT_GT(win_rate(*minesweeper("6x6x4"), "solver,net=minesweeper", 300), 0.87);
}

TEST(MinesweeperPlayers, FaultsAreNamedInOneLine) {
  const auto kit = minesweeper("6x6x4");
  const auto fault = [&](const char* text) { return make_player(*kit, text).error().text(); };
  EXPECT_EQ(fault("net,safe=2"), "player 'net,safe=2': safe=2 is not a number from 0 to 1");
  EXPECT_EQ(fault("net,flags"), "unknown option of player 'net' 'flags' (known: safe, margin)");
  EXPECT_EQ(fault("solver,net=mine").find("player 'solver,net=mine': unknown model 'mine'"), 0u);
  EXPECT_NE(fault("net:fanorona").find("is a network for fanorona; expected one for minesweeper"),
            std::string::npos);
  EXPECT_EQ(make_minesweeper_player("uct:5").error().text(),
            "player 'uct:5' has no view of a board; expected net or solver");
}

}  // namespace
}  // namespace damier::arena
