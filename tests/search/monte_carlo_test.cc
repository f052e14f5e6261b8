#include "damier/search/monte_carlo.h"

#include <cmath>

#include "tests/search/positions.h"
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "damier/base/parallel/isa.h"
#include "damier/games/bremen/bremen.h"
#include "damier/games/domineering/domineering.h"
#include "damier/games/fanorona/fanorona.h"

namespace damier::search {
namespace {

using games::History;
using games::Side;
using games::bremen::Bremen;
using games::domineering::Domineering;
using games::fanorona::Fanorona;

template <class G>
Answer<typename G::Move> flat(const History<G>& history, std::uint64_t playouts,
                              RandomStream& random, bool last_untried = false) {
  return FlatSearch<G>(playouts, last_untried).answer(history, {.random = &random});
}

template <class G>
Answer<typename G::Move> bandit(const History<G>& history, std::uint64_t playouts,
                                const BanditOptions& options, RandomStream& random) {
  return BanditSearch<G>(playouts, options).answer(history, {.random = &random});
}

// What a uniformly random game is worth to `side`, by going through all of them.
double exact_mean(const Domineering& game, const Domineering::State& state, Side side) {
  const auto moves = game.legal_moves(state);
  if (moves.empty()) return result_for(side, game.outcome(state));
  double sum = 0;
  for (const auto move : moves) {
    auto next = state;
    game.play(next, move);
    sum += exact_mean(game, next, side);
  }
  return sum / static_cast<double>(moves.size());
}

TEST(Playouts, BothKernelsPlayTheSameGames) {
  if (!can_run(Isa::bmi2)) GTEST_SKIP() << "needs BMI2 with a fast PDEP";
  for (const auto& game : {Domineering(8, 8), Domineering(3, 7), Domineering(1, 64)}) {
    RandomStream plain(Seed{1}, "test"), wide(Seed{1}, "test");
    for (int i = 0; i < 1000; ++i) {
      ASSERT_EQ(random_outcome(game, game.initial(), plain, Isa::plain),
                random_outcome(game, game.initial(), wide, Isa::bmi2));
    }
    EXPECT_EQ(plain.state(), wide.state());
  }
}

TEST(Playouts, VerticalWinsALittleMoreThanHalfOfTheRandomGames) {
  const Domineering game;
  RandomStream random(Seed{2}, "test");
  int wins = 0;
  constexpr int kGames = 100'000;
  for (int i = 0; i < kGames; ++i) {
    wins += playout(game, game.initial(), random) == games::Outcome::first_wins;
  }
  EXPECT_NEAR(wins, 0.5096 * kGames, 5 * std::sqrt(0.25 * kGames));
}

TEST(Playouts, ALongGameIsADraw) {
  const Bremen game;
  RandomStream random(Seed{3}, "test");
  EXPECT_EQ(playout(game, game.initial(), random, 10), games::Outcome::draw);
}

TEST(FlatMonteCarlo, EstimatesTheMeanOfAllRandomGames) {
  const Domineering game(3, 4);
  const History<Domineering> history(game, game.initial());
  constexpr std::uint64_t kGames = 20'000;
  RandomStream random(Seed{4}, "test");
  const auto answer = flat(history, kGames, random);
  ASSERT_EQ(answer.moves.size(), 8u);
  for (const auto& move : answer.moves) {
    auto next = game.initial();
    game.play(next, move.move);
    const double mean = exact_mean(game, next, Side::first);
    const double deviation = std::sqrt((1 - mean * mean) / double(kGames));
    EXPECT_NEAR(*move.value, mean, 5 * deviation) << game.move_text(game.initial(), move.move);
    EXPECT_EQ(move.visits, kGames);
    EXPECT_LE(move.value, answer.best().value);
  }
  EXPECT_EQ(answer.nodes, 8 * kGames);
}

TEST(FlatMonteCarlo, TakesTheWinInOne) {
  const Bremen game;
  const auto history = at(game, "b4d1c2e2/c2c2c1a3 b");
  RandomStream random(Seed{5}, "test");
  const auto answer = flat(history, 5, random);
  EXPECT_EQ(answer.best().known.verdict, Verdict::win);
  EXPECT_EQ(answer.best().value, 1.0);
  EXPECT_EQ(answer.best().known.plies, 1);
}

// On a board of one row Horizontal's moves are all alike when only two cells are left.
TEST(FlatMonteCarlo, TiesAreDecidedByTheStream) {
  const Domineering game(3, 3);
  const auto history = at(game, "..#/###/..# h");
  std::vector<int> chosen(2);
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    RandomStream random(Seed{seed}, "test");
    ++chosen[place_of(history, flat(history, 1, random).best().move)];
  }
  EXPECT_GT(chosen[0], 5);
  EXPECT_GT(chosen[1], 5);
}

TEST(FlatMonteCarlo, TheSameSeedGivesTheSameReport) {
  const Fanorona game;
  const History<Fanorona> history(game, game.initial());
  const auto values = [&] {
    RandomStream random(Seed{6}, "test");
    std::vector<double> all;
    for (const auto& move : flat(history, 50, random).moves) all.push_back(*move.value);
    return all;
  };
  EXPECT_EQ(values(), values());
}

RC_GTEST_PROP(RootBandit, UsesExactlyItsShareForEveryMove, ()) {
  Draw draw;
  const auto history = random_game(Domineering(4, 5), draw.seed(), draw.between(0, 6));
  const auto each = static_cast<std::uint64_t>(draw.between(1, 50));
  RandomStream random(Seed{draw.seed()}, "test");
  const auto answer = bandit(history, each, {}, random);
  std::uint64_t visits = 0;
  for (const auto& move : answer.moves) {
    RC_ASSERT(move.visits >= 1u);
    RC_ASSERT(move.visits <= answer.best().visits);
    visits += move.visits;
  }
  RC_ASSERT(visits == each * answer.moves.size());
  RC_ASSERT(answer.nodes == visits);
}

// The mover's point of view: Horizontal must not play what is good for Vertical.
TEST(RootBandit, PlaysForTheMover) {
  const Domineering game(4, 4);
  BruteForce<Domineering> exact(game, game.initial());
  const auto history = at(game, "#.../#.../..../.... h");
  RandomStream random(Seed{7}, "test");
  const auto answer = bandit(history, 500, {}, random);
  ASSERT_EQ(exact.value(history.state()).verdict, Verdict::win);
  EXPECT_EQ(exact.value_after(history.state(), answer.best().move).verdict, Verdict::win);
}

TEST(RootBandit, SpendsMoreOnBetterMoves) {
  const Domineering game;
  const History<Domineering> history(game, game.initial());
  RandomStream random(Seed{8}, "test");
  const auto answer = bandit(history, 200, {}, random);
  EXPECT_GT(answer.best().visits, 400u);
  EXPECT_GT(answer.best().value, 0.0);
}

// Vertical has two places, and whichever is taken Horizontal has a domino more: every game is lost,
// and a move that was not tried looks better than one that was.
TEST(FlatMonteCarlo, AnUntriedLastMoveCountsAsZero) {
  const Domineering game(3, 6);
  const auto history = at(game, ".#..##/.#####/.###.. v");
  RandomStream random(Seed{3}, "test");
  const auto answer = flat(history, 20, random, true);
  ASSERT_EQ(answer.moves.size(), 2u);
  EXPECT_EQ(place_of(history, answer.best().move), 1u);
  EXPECT_EQ(answer.moves[0].visits, 0u);
  EXPECT_EQ(answer.moves[0].value, 0.0);
  EXPECT_EQ(answer.moves[1].visits, 20u);
  EXPECT_EQ(answer.moves[1].value, -1.0);
}

// With much exploration every move is tried about as often, and the bounds are about equal: what
// the greatest of them names is little better than chance.
TEST(RootBandit, TheGreatestBoundIsAPoorChoiceWhereMuchIsExplored) {
  const Domineering game;
  const auto history = at(game,
                          "......../######../######../######../######../######../######../"
                          "######.. v");
  const auto mean_of = [&](const BanditOptions& options) {
    double sum = 0;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      RandomStream random(Seed{seed}, "test");
      const auto answer = bandit(history, 50, options, random);
      sum += static_cast<double>(answer.best().visits);
    }
    return sum / 40;
  };
  EXPECT_GT(mean_of({.c = 0.4}), mean_of({.c = 0.4, .choose_bound = true}));
  RandomStream random(Seed{1}, "test");
  const auto answer = bandit(history, 50, {.c = 1.8, .choose_bound = true}, random);
  std::size_t greatest = 0;
  const auto bound = [&](std::size_t i) {
    const auto& move = answer.moves[i];
    return *move.value + 1.8 * std::sqrt(std::log(static_cast<double>(answer.nodes)) /
                                         static_cast<double>(move.visits));
  };
  for (std::size_t i = 1; i < answer.moves.size(); ++i) {
    if (bound(i) > bound(greatest)) greatest = i;
  }
  EXPECT_EQ(greatest, 0u) << "the best comes first";
}

// Without exploration a move that wins its first game is never left while its mean is above 0.
TEST(RootBandit, FromZeroMovesMayStayUntried) {
  const Domineering game;
  const History<Domineering> history(game, game.initial());
  RandomStream random(Seed{5}, "test");
  const auto answer = bandit(history, 20, {.c = 0, .from_zero = true}, random);
  const auto untried = std::count_if(answer.moves.begin(), answer.moves.end(),
                                     [](const auto& move) { return move.visits == 0; });
  EXPECT_GT(untried, 20);
  EXPECT_EQ(answer.nodes, 20u * answer.moves.size());
}

TEST(RootBandit, Signature) {
  const Domineering game;
  const History<Domineering> history(game, game.initial());
  RandomStream random(Seed{9}, "test");
  const auto answer = bandit(history, 100, {}, random);
  EXPECT_EQ(game.move_text(history.state(), answer.best().move), "g1");
  EXPECT_EQ(answer.best().visits, 1068u);
}

TEST(RootBandit, AFinishedGameHasNoMoves) {
  const Domineering game(1, 2);
  const History<Domineering> lost(game, game.initial());
  RandomStream random(Seed{10}, "test");
  EXPECT_TRUE(bandit(lost, 10, {}, random).moves.empty());
  EXPECT_TRUE(flat(lost, 10, random).moves.empty());
}

}  // namespace
}  // namespace damier::search
