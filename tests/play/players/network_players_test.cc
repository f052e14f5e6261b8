// Networks as players, with the models that ship.

#include "tests/base/temporary_folder.h"
#include <gtest/gtest.h>

#include "damier/exact/fanorona/exact.h"
#include "damier/games/any_game_impl.h"
#include "damier/play/contest/contest.h"
#include "damier/play/registry.h"

namespace damier::play {
namespace {

std::shared_ptr<const Toolkit> fanorona() {
  const Registry registry = builtin_games();
  return registry.toolkit(registry.make("fanorona", {}).value());
}

TEST(NetworkPlayer, KeepsTheValueOfEveryPositionThatItMeets) {
  const auto kit = fanorona();
  const auto& table = exact::fanorona_table();
  const auto net = make_player(*kit, "net");
  ASSERT_TRUE(net) << net.error().text();
  RandomStream random(Seed{1}, "test");
  int positions = 0;
  for (int game = 0; game < 40; ++game) {
    const auto session = kit->game().start(Seed{1});
    while (session->outcome() == games::Outcome::ongoing) {
      const auto& history = games::history_of<games::fanorona::Fanorona>(*session);
      const auto action = net->player->choose(*session, random);
      const auto move = history.game().move(history.state(), action);
      ASSERT_TRUE(move);
      EXPECT_EQ(table.value_after(history.state(), *move).verdict,
                table.value(history.state()).verdict)
          << session->position_text();
      ++positions;
      const auto actions = session->legal_actions();
      session->play(actions[random.below(actions.size())]);
    }
  }
  EXPECT_GT(positions, 200);
}

TEST(NetworkPlayer, SaysWhatItThinksOfEveryMove) {
  const auto kit = fanorona();
  // White closes a diagonal at once.
  const auto session = kit->game().start_from("BB..WWWB. w").value();
  const auto net = make_player(*kit, "net");
  RandomStream random(Seed{1}, "test");
  Answer answer = net->player->answer(*session, {.every_move = true, .random = &random});
  ASSERT_EQ(answer.moves.size(), session->legal_actions().size());
  double sum = 0;
  for (std::size_t i = 0; i < answer.moves.size(); ++i) {
    ASSERT_TRUE(answer.moves[i].prior && answer.moves[i].value);
    if (i > 0) {
      EXPECT_LE(*answer.moves[i].prior, *answer.moves[i - 1].prior);
    }
    sum += *answer.moves[i].prior;
  }
  EXPECT_NEAR(sum, 1, 1e-5);
  EXPECT_EQ(answer.moves.front().value, 1.0) << "the game is won after it";
  EXPECT_FALSE(answer.moves.front().known.is_certain()) << "a network proves nothing";
  const auto certain = known_answer(*kit, *session);
  ASSERT_TRUE(certain);
  add_known(answer, *certain);
  EXPECT_EQ(answer.best().known, (Known{Verdict::win, 1}));
}

TEST(NetworkPlayer, LosesNoGameToThePerfectPlayer) {
  const Contest contest = open_contest({fanorona(), {"net", "perfect"}, 20, 2, Seed{7}}).value();
  GameRows rows(20);
  ThreadPool pool(2);
  play_contest(contest, rows, pool, [](const GameRow&) { return true; });
  EXPECT_EQ(score_between(contest, rows, 0, 1).tally.record().losses, 0);
}

TEST(NetworkPlayer, OpeningsOfASolvedGameDecideNothing) {
  const Contest contest =
      open_contest({fanorona(), {"perfect", "perfect"}, 200, 2, Seed{1}}).value();
  GameRows rows(200);
  ThreadPool pool(2);
  play_contest(contest, rows, pool, [](const GameRow&) { return true; });
  EXPECT_EQ(score_between(contest, rows, 0, 1).tally.record().draws, 200);
}

TEST(NetworkPlayer, LeadsATreeSearch) {
  const auto kit = fanorona();
  const auto session = kit->game().start(Seed{1});
  const auto player = make_player(*kit, "net:fanorona,mcts=30,c=2,threads=2");
  ASSERT_TRUE(player) << player.error().text();
  RandomStream random(Seed{1}, "test");
  const Answer answer = player->player->answer(*session, {.every_move = true, .random = &random});
  EXPECT_EQ(answer.nodes, 30u);
  std::uint64_t visits = 0;
  for (const MoveAnswer& move : answer.moves) {
    EXPECT_TRUE(move.prior);
    visits += move.visits;
  }
  EXPECT_GE(visits, 28u);
}

// As often as the priors say at temperature 1, and more evenly above.
TEST(NetworkPlayer, WithATemperatureMovesAreDrawnByLot) {
  std::vector<MoveAnswer> moves(3);
  moves[0].prior = 0.7;
  moves[1].prior = 0.2;
  moves[2].prior = 0.1;
  const auto counts_at = [&](double temperature) {
    RandomStream random(Seed{1}, "test");
    std::vector<int> counts(3);
    for (int i = 0; i < 4000; ++i) ++counts[drawn_by_prior(moves, temperature, random)];
    return counts;
  };
  const auto as_they_are = counts_at(1), evenly = counts_at(100), best = counts_at(0.01);
  EXPECT_NEAR(as_they_are[0], 2800, 120);
  EXPECT_NEAR(as_they_are[2], 400, 80);
  EXPECT_NEAR(evenly[0], 1333, 120);
  EXPECT_EQ(best[0], 4000);
  const auto kit = fanorona();
  EXPECT_TRUE(make_player(*kit, "net,temperature=2"));
  EXPECT_EQ(make_player(*kit, "net,mcts=5,temperature=2").error().text(),
            "player 'net,mcts=5,temperature=2': temperature: is for the network alone; expected no "
            "mcts or seconds");
}

TEST(NetworkPlayer, ErrorsAreNamedInOneLine) {
  const auto kit = fanorona();
  const auto error = [&](const char* text) { return make_player(*kit, text).error().text(); };
  EXPECT_EQ(error("net:fanorna").substr(0, 70),
            "player 'net:fanorna': unknown model 'fanorna'; did you mean 'fanorona'");
  EXPECT_EQ(error("net,mcts=0"),
            "player 'net,mcts=0': mcts=0 is not a whole number from 1 to 1000000000");
  EXPECT_EQ(error("net,mct=5"),
            "unknown option of player 'net' 'mct'; did you mean 'mcts'? (known: mcts, c, seconds, "
            "threads, temperature)");
}

// Every game of two players has the player; which model it means is asked of those that ship, then
// of those that were trained here.
TEST(NetworkPlayer, OfAGameWithoutAModelSaysHowToGetOne) {
  const TemporaryFolder folder;
  setenv("DAMIER_STATE", folder.path().c_str(), 1);
  const Registry registry = builtin_games();
  const auto bremen = registry.toolkit(registry.make("bremen", {}).value());
  EXPECT_NE(make_player(*bremen, "net:fanorona").error().text().find("expected one for bremen"),
            std::string::npos);
  setenv("DAMIER_MODELS", folder.path().c_str(), 1);
  EXPECT_EQ(make_player(*bremen, "net").error().text(),
            "player 'net': no model of bremen ships, and none was trained here; `damier train "
            "bremen` makes one");
  unsetenv("DAMIER_MODELS");
  unsetenv("DAMIER_STATE");
}

TEST(NetworkPlayer, OfALargeGameHasNoPerfectOpponent) {
  const Registry registry = builtin_games();
  const auto bremen = registry.toolkit(registry.make("bremen", {}).value());
  EXPECT_EQ(make_player(*bremen, "perfect").error().text(),
            "unknown bremen player 'perfect' (known: puct, first, flat, uct, net, ucb, random, "
            "minimax, human)");
}

}  // namespace
}  // namespace damier::play
