#include "damier/play/ratings/ratings.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "damier/base/numbers/random.h"

namespace damier::play {
namespace {

using Names = std::vector<std::string>;

TEST(Ratings, TwoPlayersHaveAClosedForm) {
  const Names names = {"a", "b"};
  const std::vector<Pairing> games = {{0, 1, {60, 20, 20}}};
  const auto table = rate_players(names, games);
  ASSERT_TRUE(table);
  EXPECT_EQ(table->pools, 1);
  ASSERT_EQ(table->ratings.size(), 2u);
  // Together they have one virtual draw.
  const double score = (70 + 0.5) / 101;
  const double elo = elo_of_score(score);
  const Rating& a = table->ratings[0];
  const Rating& b = table->ratings[1];
  EXPECT_EQ(a.player, "a");
  EXPECT_NEAR(a.elo, elo / 2, 1e-6);
  EXPECT_NEAR(b.elo, -elo / 2, 1e-6);
  EXPECT_EQ(a.record, (Record{60, 20, 20}));
  EXPECT_EQ(b.record, (Record{20, 20, 60}));
  // The interval is the score's own standard error on the Elo scale.
  const double variance = (60.5 + 20 * 0.25) / 101 - score * score;
  const double reach =
      kNormal95 * std::sqrt(variance / 101) / (score * (1 - score)) * 400 / std::log(10);
  const auto anchored = rate_players(names, games, Anchor{"b", 1500});
  EXPECT_NEAR(anchored->find("a")->elo, 1500 + elo, 1e-6);
  EXPECT_NEAR(anchored->find("a")->interval.high - anchored->find("a")->elo, reach, 1e-6);
  EXPECT_EQ(anchored->find("b")->interval, (Interval{1500, 1500}));
}

TEST(Ratings, AgreeWithTheEloDifferenceOfALongMatch) {
  PairCounts pairs{{50, 100, 500, 200, 150}};
  const Names names = {"a", "b"};
  const std::vector<Pairing> games = {{0, 1, {800, 700, 500}, pairs}};
  ASSERT_EQ(games[0].record.games(), pairs.games());
  const EloDifference match = elo_difference(score_estimate(pairs));
  const Rating a = *rate_players(names, games, Anchor{"b", 0})->find("a");
  EXPECT_NEAR(a.elo, match.difference, 0.2);
  EXPECT_NEAR(a.interval.low, match.interval.low, 0.3);
  EXPECT_NEAR(a.interval.high, match.interval.high, 0.3);
}

TEST(Ratings, ChainedScoresAddUp) {
  // Without a direct match the differences add.
  const auto table = rate_players(
      Names{"a", "b", "c"}, std::vector<Pairing>{{0, 1, {7500, 0, 2500}}, {1, 2, {7500, 0, 2500}}},
      Anchor{"c", 0});
  EXPECT_NEAR(table->find("b")->elo, elo_of_score(0.75), 0.1);
  EXPECT_NEAR(table->find("a")->elo, 2 * elo_of_score(0.75), 0.1);
  // And so do their variances.
  const auto reach = [&](const char* name) {
    return table->find(name)->interval.high - table->find(name)->elo;
  };
  EXPECT_NEAR(reach("a"), reach("b") * std::sqrt(2), 0.05);
}

TEST(Ratings, SomebodyWhoWonEverythingStaysFinite) {
  const auto table = rate_players(
      Names{"loser", "middle", "winner"},
      std::vector<Pairing>{{2, 0, {10, 0, 0}}, {2, 1, {10, 0, 0}}, {1, 0, {10, 0, 0}}});
  ASSERT_TRUE(table);
  EXPECT_EQ(table->ratings[0].player, "winner");
  EXPECT_EQ(table->ratings[2].player, "loser");
  for (const Rating& rating : table->ratings) {
    EXPECT_TRUE(std::isfinite(rating.elo));
    EXPECT_TRUE(std::isfinite(rating.interval.low) && std::isfinite(rating.interval.high));
  }
  EXPECT_GT(table->ratings[0].elo, 200);
  EXPECT_NEAR(table->ratings[1].elo, 0, 1e-6);
  EXPECT_GT(table->ratings[0].interval.high - table->ratings[0].interval.low, 100);
  // Ten million wins against nothing need not converge in one leap.
  const auto extreme =
      rate_players(Names{"a", "b"}, std::vector<Pairing>{{0, 1, {10'000'000, 0, 0}}});
  EXPECT_NEAR(extreme->ratings[0].elo - extreme->ratings[1].elo,
              elo_of_score((1e7 + 0.5) / (1e7 + 1)), 0.01);
}

TEST(Ratings, PlayersWhoNeverMetAreInDifferentPools) {
  const auto table = rate_players(Names{"a", "alone", "x", "y", "b", "z"},
                                  std::vector<Pairing>{{0, 4, {6, 0, 4}},
                                                       {2, 3, {6, 0, 4}},
                                                       {3, 5, {6, 0, 4}},
                                                       {0, 2, {0, 0, 0}}},  // never played
                                  Anchor{"b", 1000});
  ASSERT_TRUE(table);
  EXPECT_EQ(table->pools, 3);
  // The anchor's pool first, then the largest.
  EXPECT_EQ(table->find("b")->pool, 0);
  EXPECT_EQ(table->find("a")->pool, 0);
  EXPECT_EQ(table->find("x")->pool, 1);
  EXPECT_EQ(table->find("alone")->pool, 2);
  EXPECT_EQ(table->find("b")->elo, 1000);
  EXPECT_NEAR(table->find("x")->elo + table->find("y")->elo + table->find("z")->elo, 0, 1e-6);
  const Rating& alone = *table->find("alone");
  EXPECT_EQ(alone.elo, 0);
  EXPECT_TRUE(std::isinf(alone.interval.low) && std::isinf(alone.interval.high));
  EXPECT_EQ(dump_line(interval_json(alone.interval)), "[null,null]");
  EXPECT_EQ(rate_players(Names{}, {})->pools, 0);
}

TEST(Ratings, WrongNamesAreErrors) {
  const auto twice = rate_players(Names{"a", "b", "a"}, {});
  ASSERT_FALSE(twice);
  EXPECT_EQ(twice.error().text(), "the player 'a' is listed twice");
  const auto anchor = rate_players(Names{"random", "first"}, {}, Anchor{"randon", 0});
  ASSERT_FALSE(anchor);
  EXPECT_NE(anchor.error().text().find("did you mean 'random'"), std::string::npos);
}

// A round robin among players of known strength.
struct Truth {
  Names names;
  std::vector<double> elo;
  std::vector<Pairing> pairings;

  Truth(std::size_t players, int pairs, double draw, double lean, RandomStream& random) {
    for (std::size_t i = 0; i < players; ++i) {
      names.push_back("p" + std::to_string(i));
      elo.push_back(60.0 * static_cast<double>(i) - 30.0 * static_cast<double>(players - 1));
    }
    for (std::size_t i = 0; i < players; ++i) {
      for (std::size_t j = i + 1; j < players; ++j) {
        Pairing pairing{i, j, {}};
        const double score = score_of_elo(elo[i] - elo[j]);
        const double drawn = draw * 2 * std::min(score, 1 - score);
        const double room = std::min({lean, score - drawn / 2, 1 - score - drawn / 2});
        const auto play = [&](double win) {
          const double x = random.uniform();
          return x < win ? GamePoints::win : x < win + drawn ? GamePoints::draw : GamePoints::loss;
        };
        for (int k = 0; k < pairs; ++k) {
          const GamePoints one = play(score - drawn / 2 + room);
          const GamePoints other = play(score - drawn / 2 - room);
          pairing.record.add(one);
          pairing.record.add(other);
          pairing.pairs.add(one, other);
        }
        pairings.push_back(pairing);
      }
    }
  }
};

TEST(Ratings, SimulatedTruthsLieInTheIntervalsNineteenTimesInTwenty) {
  RandomStream random(Seed{3}, "ratings");
  struct Case {
    std::size_t players;
    int pairs;
    double draw;
    double lean;
  };
  for (const Case& c : {Case{4, 20, 0, 0}, {4, 20, 0.5, 0}, {5, 20, 0.2, 0.3}, {8, 3, 0.3, 0}}) {
    int held_mean = 0, held_anchor = 0, count = 0, count_anchor = 0;
    for (int round = 0; round < 500; ++round) {
      const Truth truth(c.players, c.pairs, c.draw, c.lean, random);
      const auto free = rate_players(truth.names, truth.pairings);
      const auto fixed = rate_players(truth.names, truth.pairings, Anchor{"p1", truth.elo[1]});
      for (std::size_t i = 0; i < c.players; ++i) {
        held_mean += free->find(truth.names[i])->interval.holds(truth.elo[i]) ? 1 : 0;
        ++count;
        if (i == 1) continue;
        held_anchor += fixed->find(truth.names[i])->interval.holds(truth.elo[i]) ? 1 : 0;
        ++count_anchor;
      }
    }
    EXPECT_NEAR(held_mean / static_cast<double>(count), 0.95, 0.025) << c.players << " " << c.draw;
    EXPECT_NEAR(held_anchor / static_cast<double>(count_anchor), 0.95, 0.025)
        << c.players << " " << c.draw;
  }
}

TEST(Ratings, ManyGamesBringThemNearTheTruth) {
  RandomStream random(Seed{4}, "ratings");
  const Truth truth(6, 20000, 0.3, 0.1, random);
  const auto table = rate_players(truth.names, truth.pairings);
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_NEAR(table->find(truth.names[i])->elo, truth.elo[i], 3);
  }
}

RC_GTEST_PROP(Ratings, TheOrderOfPlayersAndGamesDoesNotMatter, ()) {
  const auto players = static_cast<std::size_t>(*rc::gen::inRange(2, 8));
  Names names;
  for (std::size_t i = 0; i < players; ++i) names.push_back("p" + std::to_string(i));
  const int games = *rc::gen::inRange(1, 20);
  std::vector<Pairing> pairings;
  for (int i = 0; i < games; ++i) {
    const auto a = static_cast<std::size_t>(*rc::gen::inRange(0, static_cast<int>(players)));
    const auto b = static_cast<std::size_t>(*rc::gen::inRange(1, static_cast<int>(players)));
    pairings.push_back(
        {a,
         (a + b) % players,
         {*rc::gen::inRange(0, 9), *rc::gen::inRange(0, 9), *rc::gen::inRange(0, 9)}});
  }
  // Players renamed by a rotation, pairings backwards and seen from the other side.
  const auto turn = static_cast<std::size_t>(*rc::gen::inRange(0, static_cast<int>(players)));
  Names turned(players);
  for (std::size_t i = 0; i < players; ++i) turned[(i + turn) % players] = names[i];
  std::vector<Pairing> turned_pairings;
  for (const Pairing& pairing : pairings) {
    turned_pairings.push_back({(pairing.opponent + turn) % players,
                               (pairing.player + turn) % players, pairing.record.reversed()});
  }
  std::reverse(turned_pairings.begin(), turned_pairings.end());
  const double elo = *rc::gen::inRange(-3000, 3000);
  const auto one = rate_players(names, pairings, Anchor{"p0", elo});
  const auto other = rate_players(turned, turned_pairings, Anchor{"p0", elo});
  const auto shifted = rate_players(names, pairings, Anchor{"p0", elo + 100});
  RC_ASSERT(one->pools == other->pools);
  for (std::size_t i = 0; i < players; ++i) {
    const Rating& a = one->ratings[i];
    const Rating& b = other->ratings[i];
    RC_ASSERT(a.player == b.player);
    RC_ASSERT(a.record == b.record);
    RC_ASSERT(std::abs(a.elo - b.elo) < 1e-4);
    if (std::isfinite(a.interval.low)) {
      RC_ASSERT(std::abs(a.interval.low - b.interval.low) < 1e-3);
    }
    // Another Elo for the anchor moves all of its pool and changes nothing else.
    const Rating& c = shifted->ratings[i];
    RC_ASSERT(a.player == c.player);
    RC_ASSERT(std::abs(c.elo - a.elo - (a.pool == 0 ? 100 : 0)) < 1e-6);
    RC_ASSERT(a.interval.high - a.interval.low >= 0);
  }
}

RC_GTEST_PROP(Ratings, DifferencesDoNotDependOnTheAnchor, ()) {
  RandomStream random(Seed{*rc::gen::arbitrary<std::uint64_t>()}, "ratings");
  const Truth truth(5, 4, 0.2, 0, random);
  const auto free = rate_players(truth.names, truth.pairings);
  const auto fixed = rate_players(truth.names, truth.pairings, Anchor{"p3", 0});
  double sum = 0;
  for (const std::string& name : truth.names) {
    sum += free->find(name)->elo;
    RC_ASSERT(std::abs(free->find(name)->elo - free->find("p3")->elo - fixed->find(name)->elo) <
              1e-6);
  }
  RC_ASSERT(std::abs(sum) < 1e-6);
}

}  // namespace
}  // namespace damier::play
