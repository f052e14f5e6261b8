#include "damier/games/any_game.h"

#include <mutex>

#include <gtest/gtest.h>

#include "damier/games/registry.h"

namespace damier::games {
namespace {

TEST(AnyGame, RandomGamesByNameEndAndCanBeTakenBack) {
  const Registry registry = builtin_games();
  for (const std::string& name : registry.names()) {
    const auto game = registry.make(name).value();
    auto session = game->start(Seed{1});
    const std::string start = session->position_text();
    RandomStream random(Seed{1}, "any");
    while (session->outcome() == Outcome::ongoing) {
      const auto actions = session->playing_actions();
      ASSERT_FALSE(actions.empty());
      const Action action = actions[random.below(actions.size())];
      ASSERT_EQ(session->parse_move(session->move_text(action)).value(), action);
      session->play(action);
    }
    EXPECT_TRUE(session->legal_actions().empty());
    EXPECT_FALSE(session->ending().empty());
    EXPECT_EQ(std::ssize(session->move_texts()), session->plies());
    const auto copy = session->clone();
    while (session->undo()) {
    }
    EXPECT_EQ(session->position_text(), start);
    EXPECT_EQ(session->plies(), 0);
    EXPECT_NE(copy->outcome(), Outcome::ongoing) << "a clone has a life of its own";
  }
}

TEST(AnyGame, PerftDoesNotDependOnTheNumberOfThreads) {
  const auto game = builtin_games().make("bremen").value();
  const auto session = game->start_from("a1b1c1d1/a5b5c5d5 b").value();
  for (const int threads : {1, 2, 4}) {
    ThreadPool pool(threads);
    std::mutex mutex;
    std::uint64_t counted = 0;
    const auto report =
        session->perft(4, pool, [&](std::size_t done, std::size_t of, std::uint64_t nodes) {
          EXPECT_LE(done, of);
          counted += nodes;
        });
    ASSERT_TRUE(report);
    EXPECT_EQ(report->nodes, 142774u);
    EXPECT_EQ(counted, 142774u);
    EXPECT_EQ(report->moves.size(), 20u);
    std::uint64_t sum = 0;
    for (const auto& [move, nodes] : report->moves) sum += nodes;
    EXPECT_EQ(sum, report->nodes);
  }
}

TEST(AnyGame, PerftOfDepthsNearZero) {
  const auto session = builtin_games().make("fanorona").value()->start(Seed{0});
  ThreadPool pool(1);
  EXPECT_EQ(session->perft(0, pool, {})->nodes, 1u);
  EXPECT_EQ(session->perft(1, pool, {})->nodes, 5u);
  EXPECT_EQ(session->perft(2, pool, {})->nodes, 14u);
}

TEST(AnyGame, HiddenGamesRefuseWhatTheyCannotDo) {
  const auto game = builtin_games().make("minesweeper").value();
  ThreadPool pool(1);
  EXPECT_FALSE(game->start(Seed{0})->perft(2, pool, {}));
  EXPECT_FALSE(game->start_from("1 1 0\n#\n"));
}

TEST(AnyGame, SeedsDecideWhatIsHidden) {
  const auto game = builtin_games().make("minesweeper").value();
  const auto first_view = [&](std::uint64_t seed) {
    auto session = game->start(Seed{seed});
    session->play(session->parse_move("e5").value());
    return session->position_text();
  };
  EXPECT_EQ(first_view(1), first_view(1));
  EXPECT_NE(first_view(1), first_view(2));
}

}  // namespace
}  // namespace damier::games
