// What moves are worth and which of them are drawn: by hand, and against plain loops.

#include "damier/learn/sources/rewards/returns.h"

#include <cmath>
#include <map>

#include <gtest/gtest.h>

#include "damier/learn/sources/rewards/acting.h"
#include "damier/learn/sources/rewards/replay.h"

namespace damier::learn {

namespace {

// One game of so many moves, of which the test says what came of them.
Experience one_game(const std::vector<MoveMade>& moves, std::size_t times = 16) {
  Experience experience({1, 1, 3, times});
  for (const MoveMade& made : moves) {
    experience.set_move(experience.place(experience.now(), 0), 0, made);
    experience.advance();
  }
  return experience;
}

constexpr MoveMade kQuiet = {0, false, true};
constexpr MoveMade kCosts = {-1, false, true};
constexpr MoveMade kWins = {10, true, false};

TEST(LookAhead, TheNextPositionBelongsToTheOpponent) {
  const Experience experience = one_game({kCosts, kQuiet});
  const Ahead ahead = look_ahead(experience, 0, 0, 1, 0.9);
  EXPECT_EQ(ahead.reward, -1);
  EXPECT_NEAR(ahead.factor, -0.9, 1e-12);
  EXPECT_EQ(ahead.time, 1u);
}

TEST(LookAhead, TheSameSideKeepsItsSign) {
  const Experience experience = one_game({{2, false, false}, kQuiet});
  EXPECT_NEAR(look_ahead(experience, 0, 0, 1, 0.9).factor, 0.9, 1e-12);
}

TEST(LookAhead, NothingFollowsTheEnd) {
  const Experience experience = one_game({kWins, kCosts});
  for (const int moves : {1, 2}) {
    const Ahead ahead = look_ahead(experience, 0, 0, moves, 0.9);
    EXPECT_EQ(ahead.reward, 10);
    EXPECT_EQ(ahead.factor, 0);
  }
}

TEST(LookAhead, WhatTheOpponentGainsIsLost) {
  const Experience experience = one_game({kQuiet, kCosts, kWins});
  // 0 for this move, -(-1) for the opponent's, and then the own win.
  EXPECT_NEAR(look_ahead(experience, 0, 0, 3, 0.5).reward, 0 + 0.5 + 0.25 * 10, 1e-12);
  const Ahead two = look_ahead(experience, 0, 0, 2, 0.5);
  EXPECT_NEAR(two.factor, 0.25, 1e-12);
  EXPECT_EQ(two.time, 2u);
}

TEST(BestLegal, LooksAtLegalActionsAlone) {
  const std::vector<float> values = {5, -2, -1, 9};
  const std::vector<std::uint8_t> legal = {0, 1, 1, 0}, one = {0, 1, 0, 0};
  EXPECT_EQ(best_legal<float>(values, legal), 2);
  EXPECT_EQ(best_legal<float>(values, one), 1) << "also where all that is legal is bad";
}

TEST(QTarget, IsTheBestLegalMoveOfTheOpponentWithItsSignTurned) {
  const Experience experience = one_game({kCosts, kQuiet});
  const Ahead ahead = look_ahead(experience, 0, 0, 1, 0.9);
  const std::vector<double> values = {100, 4, 6};
  const std::vector<std::uint8_t> legal = {0, 1, 1};
  EXPECT_NEAR(q_target<double>(ahead, values, values, legal), -1 - 0.9 * 6, 1e-12);
}

TEST(QTarget, OfTwoNetworksOneChoosesAndTheOtherSaysTheValue) {
  const Experience experience = one_game({kQuiet, kQuiet});
  const Ahead ahead = look_ahead(experience, 0, 0, 1, 0.5);
  const std::vector<double> choosing = {9, 3, 2}, valuing = {7, 1, 8};
  const std::vector<std::uint8_t> legal = {0, 1, 1};
  EXPECT_NEAR(q_target<double>(ahead, choosing, valuing, legal), -0.5 * 1, 1e-12);
  EXPECT_NEAR(q_target<double>(ahead, valuing, valuing, legal), -0.5 * 8, 1e-12);
}

TEST(QTarget, OfAWinIsTheWinAlone) {
  const Experience experience = one_game({kWins, kQuiet});
  const std::vector<double> values = {5, 5, 5};
  const std::vector<std::uint8_t> legal = {1, 1, 1};
  EXPECT_EQ(q_target<double>(look_ahead(experience, 0, 0, 1, 0.9), values, values, legal), 10);
}

// Mistakes that a recipe can ask for.
TEST(Faults, WithoutAnEndAWinIsFollowedByMore) {
  const Experience experience = one_game({kQuiet, kWins, kQuiet});
  const Ahead ahead = look_ahead(experience, 1, 0, 1, 0.9, {.no_end = true});
  EXPECT_EQ(ahead.reward, 10);
  EXPECT_NEAR(ahead.factor, -0.9, 1e-12);
  EXPECT_EQ(ahead.time, 1u) << "the last position that was seen";
  EXPECT_NEAR(look_ahead(experience, 0, 0, 1, 0.9, {.no_end = true}).factor, -0.9, 1e-12);
}

TEST(Faults, WithTheSameSignTheOpponentsGainIsOnesOwn) {
  const Experience experience = one_game({kQuiet, kWins, kQuiet});
  EXPECT_NEAR(look_ahead(experience, 0, 0, 1, 0.9, {.same_sign = true}).factor, 0.9, 1e-12);
  EXPECT_EQ(look_ahead(experience, 1, 0, 1, 0.9, {.same_sign = true}).factor, 0);
}

TEST(Faults, MaximaMayGoOverIllegalMovesOfTheSameKind) {
  const std::vector<float> values = {5, -2, -1, 9};
  const std::vector<std::uint8_t> marks = {kIllegal, kLegal, kLegal, 0};
  EXPECT_EQ(best_legal<float>(values, marks), 2);
  EXPECT_EQ(best_legal<float>(values, marks, true), 0);
}

TEST(Replay, WhatIsOpenIsNotLearntFrom) {
  for (const double exponent : {0.0, 0.6}) {
    Experience experience({1, 1, 3, 16});
    Replay replay(experience.size(), 1, exponent);
    for (int i = 0; i < 12; ++i) {
      experience.set_move(experience.place(experience.now(), 0), 0, kQuiet, i < 8);
      experience.advance();
      replay.advance(experience);
    }
    RandomStream random(Seed{1}, "test");
    std::vector<DrawnMove> drawn(64);
    const auto draw = [&] { replay.draw(experience, 1, random, drawn); };
    draw();
    for (const DrawnMove& move : drawn) EXPECT_GE(move.time, 8u);
    experience.close(experience.place(3, 0), 7);
    draw();
    int closed = 0;
    for (const DrawnMove& move : drawn) closed += move.time == 3;
    EXPECT_GT(closed, 0);
    EXPECT_EQ(look_ahead(experience, 3, 0, 1, 0.9).reward, 7);
    EXPECT_EQ(look_ahead(experience, 3, 0, 1, 0.9).factor, 0);
  }
}

// Moves at random, for a comparison with the plain definition.
Experience random_experience(std::size_t games, Time moves, std::size_t times) {
  RandomStream random(Seed{5}, "test");
  Experience experience({games, 2, 3, times});
  for (Time time = 0; time <= moves; ++time) {
    for (std::size_t game = 0; game < games; ++game) {
      const std::size_t place = experience.place(time, game);
      experience.set_thought(place, 0, static_cast<float>(2 * random.uniform() - 1));
      if (time == moves) continue;
      experience.set_move(
          place, 1,
          {static_cast<float>(random.uniform()), random.uniform() < 0.2, random.uniform() < 0.7});
    }
    if (time < moves) experience.advance();
  }
  return experience;
}

// The sum over all later moves of what each was better than expected, as it is defined.
double plain_advantage(const Experience& experience, Time time, std::size_t game, double discount,
                       double lambda, std::span<const float> weights = {}) {
  double sum = 0, factor = 1;
  for (Time at = time; at < experience.now() && factor != 0; ++at) {
    const std::size_t place = experience.place(at, game);
    const double sign = static_cast<double>(experience.sign(place));
    const double value = static_cast<double>(experience.value(place));
    const double next = static_cast<double>(experience.value(experience.place(at + 1, game)));
    sum +=
        factor * (static_cast<double>(experience.reward(place)) + discount * sign * next - value);
    factor *= discount * lambda * sign;
    const std::size_t later = static_cast<std::size_t>(at + 1) * experience.size().games + game;
    if (later < weights.size()) factor *= static_cast<double>(weights[later]);
  }
  return sum;
}

TEST(Advantages, AreThoseOfTheDefinition) {
  const Experience experience = random_experience(3, 20, 9);
  for (const double lambda : {0.0, 0.5, 0.95, 1.0}) {
    std::vector<float> advantages;
    const Time first = experience.oldest();
    find_advantages(experience, first, 0.9, lambda, advantages);
    ASSERT_EQ(advantages.size(), (20 - first) * 3);
    for (std::size_t i = 0; i < advantages.size(); ++i) {
      EXPECT_NEAR(static_cast<double>(advantages[i]),
                  plain_advantage(experience, first + i / 3, i % 3, 0.9, lambda), 1e-5);
    }
  }
}

// What follows a move counts for as much as the policy would have made that move.
TEST(Advantages, AreWeightedWhereThePolicyWouldHaveGoneElsewhere) {
  const Experience experience = random_experience(3, 10, 11);
  RandomStream random(Seed{2}, "weights");
  std::vector<float> weights(30), advantages;
  for (float& weight : weights) weight = static_cast<float>(random.uniform());
  find_advantages(experience, 0, 0.9, 0.8, advantages, weights);
  for (std::size_t i = 0; i < advantages.size(); ++i) {
    EXPECT_NEAR(static_cast<double>(advantages[i]),
                plain_advantage(experience, i / 3, i % 3, 0.9, 0.8, weights), 1e-5);
  }
}

// With lambda 1 the value cancels out but for the last one: what is left are the rewards as they
// came, which is what look_ahead() adds up.
TEST(Advantages, OfLambdaOneAreTheRewardsOfManyMoves) {
  const Experience experience = random_experience(2, 6, 7);
  std::vector<float> advantages;
  find_advantages(experience, 0, 0.9, 1, advantages);
  for (std::size_t game = 0; game < 2; ++game) {
    const Ahead ahead = look_ahead(experience, 0, game, 6, 0.9);
    double expected = ahead.reward - static_cast<double>(experience.value(game));
    if (ahead.factor != 0) {
      expected += ahead.factor * static_cast<double>(experience.value(experience.place(6, game)));
    }
    EXPECT_NEAR(static_cast<double>(advantages[game]), expected, 1e-5);
  }
}

TEST(SumTree, FindsNumbersInProportion) {
  SumTree tree(5);
  const double weights[] = {1, 0, 3, 2, 4};
  for (std::size_t i = 0; i < 5; ++i) tree.set(i, weights[i]);
  EXPECT_EQ(tree.sum(), 10);
  std::map<std::size_t, int> found;
  for (double mass = 0.25; mass < 10; mass += 0.5) ++found[tree.find(mass)];
  EXPECT_EQ(found, (std::map<std::size_t, int>{{0, 2}, {2, 6}, {3, 4}, {4, 8}}));
  EXPECT_EQ(tree.find(10), 4u) << "rounding does not lead out of the tree";
  tree.set(4, 0);
  EXPECT_EQ(tree.find(6), 3u);
}

class ReplayOf : public testing::TestWithParam<int> {};

// Every move from the oldest on is drawn that has enough moves behind it, and no other.
TEST_P(ReplayOf, DrawsWhatIsKnownAndNothingElse) {
  const int look_ahead = GetParam();
  for (const double exponent : {0.0, 0.6}) {
    const ExperienceSize size = {2, 1, 1, 8};
    Experience experience(size);
    Replay replay(size, look_ahead, exponent);
    RandomStream random(Seed{1}, "test");
    for (Time time = 0; time < 30; ++time) {
      experience.advance();
      replay.advance(experience);
      std::map<std::pair<Time, std::size_t>, int> seen, expected;
      for (Time at = experience.oldest(); at + static_cast<Time>(look_ahead) <= experience.now();
           ++at) {
        for (std::size_t game = 0; game < 2; ++game) expected[{at, game}] = 1;
      }
      ASSERT_EQ(replay.drawable(experience), expected.size());
      if (expected.empty()) continue;
      std::vector<DrawnMove> drawn(400);
      replay.draw(experience, 0.5, random, drawn);
      for (const DrawnMove& move : drawn) {
        seen[{move.time, move.game}] = 1;
        EXPECT_FLOAT_EQ(move.weight, 1) << "none was learnt from: all are drawn as often";
      }
      ASSERT_EQ(seen, expected) << "exponent " << exponent << ", time " << time;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Moves, ReplayOf, testing::Values(1, 3));

TEST(Replay, ErrorsAreDrawnByTheirPowerAndTheWeightsMakeUpForIt) {
  const ExperienceSize size = {4, 1, 1, 3};
  Experience experience(size);
  Replay replay(size, 1, 0.5);
  experience.advance();
  replay.advance(experience);
  const double errors[] = {0.0, 0.25, 1.0, 4.0};
  for (std::size_t game = 0; game < 4; ++game)
    replay.set_error(experience, {0, game}, errors[game]);
  double sum = 0;
  for (const double error : errors) sum += std::sqrt(error + 1e-3);
  RandomStream random(Seed{1}, "test");
  constexpr std::size_t kDraws = 40'000;
  std::vector<DrawnMove> drawn(kDraws);
  replay.draw(experience, 1, random, drawn);
  std::vector<double> counts(4), weights(4);
  for (const DrawnMove& move : drawn) {
    counts[move.game] += 1.0 / kDraws;
    weights[move.game] = static_cast<double>(move.weight);
  }
  for (std::size_t game = 0; game < 4; ++game) {
    const double share = std::sqrt(errors[game] + 1e-3) / sum;
    EXPECT_NEAR(counts[game], share, 4 * std::sqrt(share / kDraws));
    EXPECT_NEAR(weights[game], std::sqrt(errors[0] + 1e-3) / std::sqrt(errors[game] + 1e-3), 1e-5);
  }
}

TEST(Choosing, FollowsTheScoresOfLegalActions) {
  const std::vector<float> scores = {9, 1, 0, 2};
  const std::vector<std::uint8_t> legal = {0, 1, 1, 1};
  RandomStream random(Seed{1}, "test");
  EXPECT_EQ(choose(scores, legal, {0, 0}, random).action, 3);
  constexpr int kDraws = 20'000;
  std::vector<int> by_scores(4), evenly(4);
  for (int i = 0; i < kDraws; ++i) {
    const Choice choice = choose(scores, legal, {0, 1}, random);
    ++by_scores[static_cast<std::size_t>(choice.action)];
    const double sum = std::exp(1) + 1 + std::exp(2);
    const double score = static_cast<double>(scores[static_cast<std::size_t>(choice.action)]);
    ASSERT_NEAR(static_cast<double>(choice.log_probability), score - std::log(sum), 1e-5);
    ++evenly[static_cast<std::size_t>(choose(scores, legal, {1, 0}, random).action)];
  }
  // A move at random tells how probable the scores make it.
  const Choice at_random = choose(scores, legal, {1, 1}, random);
  const double own = static_cast<double>(scores[static_cast<std::size_t>(at_random.action)]);
  EXPECT_NEAR(static_cast<double>(at_random.log_probability),
              own - std::log(std::exp(1) + 1 + std::exp(2)), 1e-5);
  EXPECT_EQ(by_scores[0], 0);
  EXPECT_NEAR(by_scores[3], kDraws * 0.6652, 300);
  EXPECT_NEAR(by_scores[2], kDraws * 0.0900, 200);
  EXPECT_EQ(evenly[0], 0);
  for (const std::size_t i : {1, 2, 3}) EXPECT_NEAR(evenly[i], kDraws / 3.0, 300);
}

}  // namespace

}  // namespace damier::learn
