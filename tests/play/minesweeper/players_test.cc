// Networks that play minesweeper, with the model that ships.

#include "damier/play/minesweeper/players.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "damier/exact/minesweeper/end_game.h"
#include "damier/exact/minesweeper/probabilities.h"
#include "damier/exact/minesweeper/solver.h"
#include "damier/games/any_game_impl.h"
#include "damier/play/registry.h"

namespace damier::play {
namespace {

using games::minesweeper::Minesweeper;

std::shared_ptr<const Toolkit> minesweeper(const std::string& board) {
  const Registry registry = builtin_games();
  return registry.toolkit(registry.make("minesweeper", {{"board", board}}).value());
}

// How many of the same games a player wins.
int wins(const Minesweeper& game, const std::string& name, std::uint64_t games) {
  const auto player = make_minesweeper_player(name);
  EXPECT_TRUE(player) << player.error().text();
  std::vector<Seed> deals;
  std::vector<RandomStream> random;
  for (std::uint64_t i = 0; i < games; ++i) {
    deals.push_back(Seed{i});
    random.emplace_back(Seed{9}, "test", i);
  }
  const auto results = (*player)->play_all(game, deals, random);
  return static_cast<int>(std::ranges::count_if(results, &games::HiddenResult::won));
}

// Crowded enough that guesses decide. The solver wins 218 of these games, the network 215; a
// network that guesses carelessly, with up to 30 % for a bomb, wins 196.
TEST(MinesweeperPlayers, TheShippedNetworkWinsNearlyAsOftenAsTheSolver) {
  const Minesweeper game(7, 7, 9);
  EXPECT_GT(wins(game, "net", 300), wins(game, "solver", 300) - 15);
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
    const auto whole = fast->play_all(games::rules_of<Minesweeper>(kit->game()), deals, random);
    const auto moves =
        detail::play_sessions<Minesweeper>(kit->game(), *player->player, deals, again);
    for (std::size_t i = 0; i < kGames; ++i) {
      EXPECT_EQ(whole[i].won, moves[i].won) << i;
      EXPECT_EQ(whole[i].score, moves[i].score) << i;
    }
  }
}

TEST(MinesweeperPlayers, TheNetworksProbabilitiesAreCloseToTheExactOnes) {
  const auto player = make_minesweeper_player("net");
  ASSERT_TRUE(player) << player.error().text();
  for (const char* text : {"4 5 3\n01###\n01###\n12###\n#####\n", "3 3 2\n1##\n###\n###\n"}) {
    const auto board = Minesweeper().parse_observation(text);
    ASSERT_TRUE(board) << board.error().text();
    const auto exact = exact::minesweeper::probabilities(*board).value();
    const auto said = (*player)->probabilities(*board);
    ASSERT_EQ(said.size(), exact.bomb.size());
    for (std::size_t i = 0; i < said.size(); ++i) {
      if (exact.bomb[i] < 0) continue;
      EXPECT_NEAR(static_cast<double>(said[i]), exact.bomb[i], 0.1) << text << i;
    }
  }
}

// Where few arrangements of bombs are left, the best cell is known; the network alone often takes
// another one, and so would a solver that asked it there.
TEST(MinesweeperPlayers, AnAdvisedSolverStillPlaysTheEndOfTheGameExactly) {
  const Minesweeper game(5, 5, 5);
  const auto advised = make_minesweeper_player("solver:net=minesweeper,gain=0").value();
  const auto network = make_minesweeper_player("net").value();
  RandomStream random(Seed{2}, "test");
  int guesses = 0, errors = 0;
  for (std::uint64_t deal = 0; deal < 100; ++deal) {
    auto state = game.deal(Seed{deal});
    while (game.outcome(state) == games::Outcome::ongoing) {
      const auto board = game.observe(state);
      const auto move = advised->choose_move(board, random);
      const auto end =
          exact::minesweeper::end_game(board, exact::minesweeper::SolverOptions().end_game);
      if (end && end->moves.front().safe < 1) {
        const auto win_of = [&](int cell) {
          return std::find_if(end->moves.begin(), end->moves.end(),
                              [&](const auto& known) { return known.cell == cell; })
              ->win;
        };
        EXPECT_DOUBLE_EQ(win_of(move.cell), end->win) << game.observation_text(board);
        ++guesses;
        errors += win_of(network->choose_move(board, random).cell) < end->win - 1e-9;
      }
      game.play(state, move);
    }
  }
  EXPECT_GT(guesses, 30);
  EXPECT_GT(errors, 5) << "nothing here tells the two apart";
}

// The report's player sets as many flags as it likes; a game move by move has its rules.
TEST(MinesweeperPlayers, FlagsWithoutALimitKeepToTheRulesMoveByMove) {
  const auto kit = minesweeper("6x6x4");
  const auto player = make_player(*kit, "net:minesweeper-report-flags,flags,pl=0.3,ft=0").value();
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto session = kit->game().start(Seed{seed});
    RandomStream random(Seed{seed}, "test");
    while (session->outcome() == games::Outcome::ongoing) {
      const auto action = player.player->choose(*session, random);
      const auto legal = session->legal_actions();
      ASSERT_NE(std::find(legal.begin(), legal.end(), action), legal.end());
      session->play(action);
    }
  }
  // Whole games do not count flags unless they are told to.
  ThreadPool pool(1);
  const auto wins = [&](const char* text) {
    return kit->evaluate(text, 200, Seed{1}, pool, {}).value().scores;
  };
  EXPECT_NE(wins("net:minesweeper-report-flags,flags,pl=0.3,ft=0"),
            wins("net:minesweeper-report-flags,flags,pl=0.3,ft=0,limited"));
}

TEST(MinesweeperPlayers, ErrorsAreNamedInOneLine) {
  const auto kit = minesweeper("6x6x4");
  const auto error = [&](const char* text) { return make_player(*kit, text).error().text(); };
  EXPECT_EQ(error("net,safe=2"), "player 'net,safe=2': safe=2 is not a number from 0 to 1");
  EXPECT_EQ(error("net,flags"), "player 'net,flags': flags goes with networks of patches");
  EXPECT_EQ(error("solver,net=mine").find("player 'solver,net=mine': unknown model 'mine'"), 0u);
  EXPECT_NE(error("net:fanorona").find("is a network for fanorona; expected one for minesweeper"),
            std::string::npos);
  EXPECT_EQ(make_minesweeper_player("uct:5").error().text(),
            "player 'uct:5' has no view of a board; expected net or solver");
}

}  // namespace
}  // namespace damier::play
