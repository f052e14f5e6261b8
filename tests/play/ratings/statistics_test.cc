#include "damier/play/ratings/statistics.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "damier/base/numbers/random.h"

namespace damier::play {
namespace {

using games::Outcome;
using games::Side;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// --- Scores ---

TEST(Statistics, WithoutDrawsTheScoreIsAProportion) {
  for (const auto& [wins, losses] : {std::pair(15, 35), {0, 10}, {10, 0}, {1, 0}, {500, 500}}) {
    const Estimate score = score_estimate(Record{wins, 0, losses});
    const Estimate share = share_estimate(wins, wins + losses);
    EXPECT_NEAR(score.interval.low, share.interval.low, 1e-12);
    EXPECT_NEAR(score.interval.high, share.interval.high, 1e-12);
  }
}

TEST(Statistics, DrawsNarrowTheInterval) {
  const auto width = [](const Estimate& score) { return score.interval.high - score.interval.low; };
  const Estimate decided = score_estimate(Record{50, 0, 50});
  const Estimate drawn = score_estimate(Record{10, 80, 10});
  EXPECT_EQ(drawn.value, 0.5);
  // A fifth of the variance.
  EXPECT_NEAR(width(drawn) / width(decided), std::sqrt(0.2), 0.02);
  // Nothing but draws still leaves a doubt.
  EXPECT_GT(width(score_estimate(Record{0, 100, 0})), 0.01);
}

TEST(Statistics, PairsThatAlwaysSplitSayThatThePlayersAreEqual) {
  // Fifty openings, each won by the same side twice: single games would say 50 wins, 50 losses.
  PairCounts pairs;
  for (int i = 0; i < 50; ++i) pairs.add(GamePoints::win, GamePoints::loss);
  const Estimate paired = score_estimate(pairs);
  const Estimate single = score_estimate(Record{50, 0, 50});
  EXPECT_EQ(paired.value, 0.5);
  EXPECT_EQ(paired.n, 100);
  EXPECT_LT(paired.interval.high, 0.53);
  EXPECT_GT(paired.interval.high, 0.505);
  EXPECT_GT(single.interval.high, 0.59);
}

RC_GTEST_PROP(Statistics, AScoreIsAlwaysInsideItsIntervalAndTheIntervalInsideZeroToOne, ()) {
  const auto count = rc::gen::weightedOneOf<int>(
      {{1, rc::gen::just(0)}, {2, rc::gen::inRange(0, 5)}, {1, rc::gen::inRange(0, 1000000)}});
  PairCounts pairs;
  for (auto& entry : pairs.count) entry = *count;
  const Record record{*count, *count, *count};
  for (const Estimate& score : {score_estimate(pairs), score_estimate(record)}) {
    RC_ASSERT(0 <= score.interval.low && score.interval.high <= 1);
    RC_ASSERT(score.interval.low < score.interval.high);
    RC_ASSERT(score.interval.holds(score.value));
  }
  // Seen from the other side everything is turned round.
  const Estimate here = score_estimate(pairs);
  const Estimate there = score_estimate(pairs.reversed());
  RC_ASSERT(std::abs(here.interval.low + there.interval.high - 1) < 1e-9);
}

GamePoints play(RandomStream& random, double win, double draw) {
  const double x = random.uniform();
  return x < win ? GamePoints::win : x < win + draw ? GamePoints::draw : GamePoints::loss;
}

TEST(Statistics, TheIntervalOfAScoreHoldsTheTruthNineteenTimesInTwenty) {
  RandomStream random(Seed{1}, "score intervals");
  struct Case {
    double win;
    double draw;
    int games;
  };
  for (const Case& c :
       {Case{0.5, 0, 100}, {0.3, 0.4, 20}, {0.3, 0.4, 400}, {0.05, 0.9, 200}, {0.9, 0.05, 100}}) {
    int held = 0;
    constexpr int kMatches = 4000;
    for (int match = 0; match < kMatches; ++match) {
      Record record;
      for (int i = 0; i < c.games; ++i) record.add(play(random, c.win, c.draw));
      held += score_estimate(record).interval.holds(c.win + c.draw / 2) ? 1 : 0;
    }
    EXPECT_NEAR(held / double{kMatches}, 0.95, 0.02) << c.win << " " << c.draw << " " << c.games;
  }
}

TEST(Statistics, TheIntervalOfPairsHoldsTheTruthAlsoWhereOpeningsDecide) {
  RandomStream random(Seed{1}, "pair intervals");
  for (const double bias : {0.0, 0.2, 0.4}) {
    int held = 0;
    constexpr int kMatches = 4000;
    for (int match = 0; match < kMatches; ++match) {
      PairCounts pairs;
      for (int i = 0; i < 50; ++i) {
        const double lean = random.below(2) == 0 ? bias : -bias;
        pairs.add(play(random, 0.45 + lean, 0.1), play(random, 0.45 - lean, 0.1));
      }
      held += score_estimate(pairs).interval.holds(0.5) ? 1 : 0;
    }
    EXPECT_NEAR(held / double{kMatches}, 0.955, 0.02) << bias;
  }
}

TEST(Statistics, ATallyPutsPairsTogetherInAnyOrder) {
  Tally tally;
  tally.add(GamePoints::win, 7);
  tally.add(GamePoints::loss, 3);
  EXPECT_EQ(tally.pairs().pairs(), 0);
  tally.add(GamePoints::draw, 3);  // LD
  tally.add(GamePoints::win, 7);   // WW
  tally.add(GamePoints::draw, 5);
  tally.add(GamePoints::draw, 5);  // DD
  tally.add(GamePoints::loss, 4);
  tally.add(GamePoints::win, 4);  // WL
  tally.add(GamePoints::win, 9);  // not whole
  tally.add(GamePoints::draw);    // of no pair
  EXPECT_EQ(tally.pairs(), (PairCounts{{0, 1, 2, 0, 1}}));
  EXPECT_EQ(tally.record(), (Record{4, 4, 2}));
  EXPECT_EQ(tally.pairs().games(), 8);
  const Estimate score = score_estimate(tally);
  EXPECT_EQ(score.value, 0.6);
  EXPECT_EQ(score.n, 10);
}

TEST(Statistics, ATallyWithoutPairsUsesTheSingleGames) {
  Tally tally;
  for (int i = 0; i < 30; ++i) tally.add(i % 3 == 0 ? GamePoints::draw : GamePoints::win);
  EXPECT_EQ(score_estimate(tally).interval, score_estimate(Record{20, 10, 0}).interval);
  EXPECT_EQ(score_estimate(Tally()).interval, (Interval{0, 1}));
  EXPECT_EQ(score_estimate(Tally()).value, 0.5);
}

// --- Elo ---

TEST(Statistics, EloIsTheLogisticScale) {
  EXPECT_NEAR(elo_of_score(0.5), 0, 1e-12);
  EXPECT_NEAR(elo_of_score(10.0 / 11), 400, 1e-9);
  EXPECT_NEAR(elo_of_score(1.0 / 11), -400, 1e-9);
  EXPECT_EQ(elo_of_score(0), -kInfinity);
  EXPECT_EQ(elo_of_score(1), kInfinity);
  EXPECT_NEAR(score_of_elo(200), 0.759747, 1e-6);
}

TEST(Statistics, AnEloDifferenceIsPrintedWithItsEnds) {
  EXPECT_EQ(elo_text(elo_difference(score_estimate(Record{60, 0, 40}))), "+70 [+1, +139]");
  EXPECT_EQ(elo_text(elo_difference(score_estimate(Record{100, 0, 0}))), "> +566");
  EXPECT_EQ(elo_text(elo_difference(score_estimate(Record{0, 0, 100}))), "< -566");
  EXPECT_EQ(elo_text(elo_difference(score_estimate(Record{}))), "0 [-inf, +inf]");
  EXPECT_EQ(elo_text(-0.3), "0");
}

TEST(Statistics, JsonHasNullForWhatIsInfinite) {
  const auto all_won = elo_difference(score_estimate(Record{100, 0, 0}));
  const Json json = elo_json(all_won);
  EXPECT_TRUE(json["difference"].is_null());
  EXPECT_NEAR(json["interval"][0].get<double>(), 566, 1);
  EXPECT_TRUE(json["interval"][1].is_null());
}

// --- The sequential test ---

TEST(Sprt, TheRatioIsThatOfTheExactTest) {
  // From the same formulas in decimals of fifty digits, roots found by bisection; the first five
  // are also what fishtest's LLR_logistic gives.
  struct Case {
    double elo0;
    double elo1;
    std::array<std::int64_t, 5> pairs;
    double ratio;
  };
  for (const Case& c : {Case{0, 20, {3, 20, 50, 22, 5}, 0.04032037241670869},
                        {0, 5, {3, 20, 50, 22, 5}, 0.1783802243818848},
                        {-10, 10, {3, 20, 50, 22, 5}, 0.9344729113889868},
                        {0, 20, {0, 10, 30, 12, 0}, -0.2704145362888533},
                        {0, 20, {12, 40, 60, 30, 8}, -2.99730113515827},
                        {0, 10, {0, 0, 40, 0, 0}, -1.1603034337000597},
                        {0, 50, {0, 0, 0, 0, 30}, 4.008001883929141},
                        {-5, 0, {7, 0, 0, 0, 0}, -0.10004160399868603},
                        {0, 10, {1000, 3000, 5000, 3200, 1100}, 0.9035739227869908}}) {
    const SprtState state = test_sprt({c.elo0, c.elo1, 0.05, 0.05}, PairCounts{c.pairs});
    EXPECT_NEAR(state.log_likelihood_ratio, c.ratio, 1e-9 * (1 + std::abs(c.ratio)));
  }
}

TEST(Sprt, NothingIsDecidedWithoutGames) {
  const SprtState state = test_sprt(Sprt{}, PairCounts{});
  EXPECT_EQ(state.log_likelihood_ratio, 0);
  EXPECT_EQ(state.decision, SprtDecision::undecided);
}

TEST(Sprt, BoundsAreWalds) {
  EXPECT_NEAR(Sprt{}.upper_bound(), std::log(19.0), 1e-12);
  EXPECT_NEAR(Sprt{}.lower_bound(), -std::log(19.0), 1e-12);
  EXPECT_NEAR((Sprt{0, 5, 0.01, 0.1}.upper_bound()), std::log(0.9 / 0.01), 1e-12);
  EXPECT_NEAR((Sprt{0, 5, 0.01, 0.1}.lower_bound()), std::log(0.1 / 0.99), 1e-12);
}

TEST(Sprt, OneSidedAndDrawnMatchesEnd) {
  const Sprt sprt{0, 50, 0.05, 0.05};
  EXPECT_EQ(test_sprt(sprt, PairCounts{{0, 0, 0, 0, 30}}).decision, SprtDecision::accept_elo1);
  EXPECT_EQ(test_sprt(sprt, PairCounts{{30, 0, 0, 0, 0}}).decision, SprtDecision::accept_elo0);
  // Nothing but draws: the difference is not 50. One pair proves nothing, many do.
  EXPECT_EQ(test_sprt(sprt, PairCounts{{0, 0, 1, 0, 0}}).decision, SprtDecision::undecided);
  EXPECT_EQ(test_sprt(sprt, PairCounts{{0, 0, 100, 0, 0}}).decision, SprtDecision::accept_elo0);
}

RC_GTEST_PROP(Sprt, TheRatioIsFiniteAndTurnsRoundWithTheHypotheses, ()) {
  PairCounts pairs;
  for (auto& entry : pairs.count) entry = *rc::gen::inRange(0, 2000);
  const double elo0 = *rc::gen::inRange(-400, 400);
  const double elo1 = elo0 + *rc::gen::inRange(1, 100);
  const double here = test_sprt({elo0, elo1, 0.05, 0.05}, pairs).log_likelihood_ratio;
  const double there = test_sprt({-elo1, -elo0, 0.05, 0.05}, pairs.reversed()).log_likelihood_ratio;
  RC_ASSERT(std::isfinite(here));
  RC_ASSERT(std::abs(here + there) < 1e-6 * (1 + std::abs(here)));
}

// Plays pairs with a drawn opening's lean until the test decides; the share that accepts elo1.
double share_of_elo1(const Sprt& sprt, double elo, double draw, double lean, int matches) {
  RandomStream random(Seed{2}, "sprt", static_cast<std::uint64_t>(elo + 1000));
  const double win = score_of_elo(elo) - draw / 2;
  int accepted = 0;
  for (int match = 0; match < matches; ++match) {
    PairCounts pairs;
    SprtDecision decision = SprtDecision::undecided;
    while (decision == SprtDecision::undecided) {
      const double side = random.below(2) == 0 ? lean : -lean;
      pairs.add(play(random, win + side, draw), play(random, win - side, draw));
      decision = test_sprt(sprt, pairs).decision;
    }
    accepted += decision == SprtDecision::accept_elo1 ? 1 : 0;
  }
  return accepted / static_cast<double>(matches);
}

TEST(Sprt, ErrsAsOftenAsItWasToldInSimulatedMatches) {
  constexpr int kMatches = 2000;
  const Sprt sprt{0, 60, 0.05, 0.1};
  for (const auto& [draw, lean] : {std::pair(0.3, 0.0), {0.2, 0.25}}) {
    // Two thousand matches leave an uncertainty of about 0.01.
    EXPECT_NEAR(share_of_elo1(sprt, 0, draw, lean, kMatches), 0.05, 0.02);
    EXPECT_NEAR(share_of_elo1(sprt, 60, draw, lean, kMatches), 0.9, 0.025);
    // Far off, it does not err at all.
    EXPECT_GT(share_of_elo1(sprt, 150, draw, lean, 200), 0.99);
    EXPECT_LT(share_of_elo1(sprt, -60, draw, lean, 200), 0.01);
  }
}

TEST(Sprt, IsReadFromText) {
  const auto sprt = parse_sprt("-1.5, +5,0.01,0.1");
  ASSERT_TRUE(sprt);
  EXPECT_EQ(sprt->elo0, -1.5);
  EXPECT_EQ(sprt->elo1, 5);
  EXPECT_EQ(sprt->alpha, 0.01);
  EXPECT_EQ(sprt->beta, 0.1);
  EXPECT_EQ(sprt_text(*sprt), "-1.5,5,0.01,0.1");
  EXPECT_EQ(parse_sprt("0,10")->alpha, 0.05);
}

TEST(Sprt, WrongTextsGetOneLine) {
  for (const auto& [text, expected] :
       {std::pair("", "expected elo0,elo1 or elo0,elo1,alpha,beta"),
        {"0,1,0.05", "expected elo0,elo1 or elo0,elo1,alpha,beta"},
        {"0,x", "elo1 of the test is 'x'; expected a number from -1000 to 1000"},
        {"0,+-5", "elo1 of the test is '+-5'"},
        {"0,inf", "elo1 of the test is 'inf'"},
        {"nan,5", "elo0 of the test is 'nan'"},
        {"0,5,0,0.05", "alpha of the test is '0'; expected a number from 1e-06 to 0.499"},
        {"0,5,0.05,0.5", "beta of the test is '0.5'"},
        {"5,5", "expected elo0 to be less than elo1"}}) {
    const auto sprt = parse_sprt(text);
    ASSERT_FALSE(sprt) << text;
    EXPECT_NE(sprt.error().text().find(expected), std::string::npos) << sprt.error().text();
    EXPECT_EQ(sprt.error().text().find('\n'), std::string::npos);
    EXPECT_EQ(sprt.error().kind, ErrorKind::input);
  }
}

// --- Quantiles ---

TEST(Statistics, QuantilesLieBetweenValuesOnAStraightLine) {
  const std::vector<double> sorted = {1, 2, 4, 8};
  EXPECT_EQ(quantile(sorted, 0), 1);
  EXPECT_EQ(quantile(sorted, 0.5), 3);
  EXPECT_EQ(quantile(sorted, 0.25), 1.75);
  EXPECT_EQ(quantile(sorted, 1), 8);
  const auto quarters = quartiles({8, 1, 4, 2});
  ASSERT_TRUE(quarters);
  EXPECT_EQ(quarters->least, 1);
  EXPECT_EQ(quarters->first, 1.75);
  EXPECT_EQ(quarters->median, 3);
  EXPECT_EQ(quarters->third, 5);
  EXPECT_EQ(quarters->greatest, 8);
  EXPECT_EQ(quartiles({5})->third, 5);
  EXPECT_FALSE(quartiles({}));
}

}  // namespace
}  // namespace damier::play
