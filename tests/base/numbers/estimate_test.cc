// One estimate for all rooms: its intervals, its text and its JSON form.
#include "damier/base/numbers/estimate.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "damier/base/json/json.h"

namespace damier {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr EstimateKind kKinds[] = {EstimateKind::share, EstimateKind::loss, EstimateKind::count,
                                   EstimateKind::number};

TEST(Estimates, AShareHasWilsonsInterval) {
  // Wilson's interval of 15 out of 50, from the formula by hand.
  const Estimate share = share_estimate(15, 50);
  EXPECT_EQ(share.value, 0.3);
  EXPECT_NEAR(share.interval.low, 0.191036, 1e-6);
  EXPECT_NEAR(share.interval.high, 0.437504, 1e-6);
  EXPECT_EQ(share.n, 50);
  EXPECT_EQ(share.kind, EstimateKind::share);
}

TEST(Estimates, AShareOfNothingOrAllStaysInside) {
  EXPECT_EQ(share_estimate(0, 0).interval, (Interval{0, 1}));
  const Estimate none = share_estimate(0, 10);
  EXPECT_EQ(none.interval.low, 0);
  EXPECT_NEAR(none.interval.high, 0.277533, 1e-6);
  const Estimate all = share_estimate(10, 10);
  EXPECT_NEAR(all.interval.low, 1 - 0.277533, 1e-6);
  EXPECT_EQ(all.interval.high, 1);
}

RC_GTEST_PROP(Estimates, AShareLiesInItsInterval, ()) {
  const auto n = *rc::gen::inRange<std::int64_t>(1, 1'000'000'000);
  const Estimate share = share_estimate(*rc::gen::inRange<std::int64_t>(0, n + 1), n);
  RC_ASSERT(share.interval.holds(share.value));
  RC_ASSERT(share.interval.low >= 0 && share.interval.high <= 1);
  RC_ASSERT(share.interval.low < share.interval.high);
}

TEST(Estimates, AMeanHasStudentsInterval) {
  const std::vector<double> values = {1, 2, 3, 4, 5};
  const Estimate mean = mean_estimate(EstimateKind::number, values);
  EXPECT_EQ(mean.value, 3);
  // 2.776445 is Student's 97.5 % point for 4 degrees of freedom.
  EXPECT_NEAR(mean.interval.high, 3 + 2.776445 * std::sqrt(2.5 / 5), 1e-3);
  EXPECT_NEAR(mean.interval.low, 3 - 2.776445 * std::sqrt(2.5 / 5), 1e-3);
}

TEST(Estimates, StudentsPointsAreThoseOfTheTables) {
  for (const auto& [n, point] : {std::pair(2, 12.7062),
                                 {3, 4.3027},
                                 {4, 3.1824},
                                 {6, 2.5706},
                                 {11, 2.2281},
                                 {31, 2.0423},
                                 {1001, 1.9623}}) {
    // n values of variance 1 around 0.
    std::vector<double> values(static_cast<std::size_t>(n), 0.0);
    values[0] = std::sqrt((n - 1) / 2.0);
    values[1] = -values[0];
    const Estimate mean = mean_estimate(EstimateKind::number, values);
    EXPECT_NEAR(mean.interval.high * std::sqrt(n), point, 2e-3 * point) << n;
  }
}

TEST(Estimates, TheMeanOfOneValueHasNoEnds) {
  const std::vector<double> one = {7};
  const Estimate mean = mean_estimate(EstimateKind::loss, one);
  EXPECT_EQ(mean.value, 7);
  EXPECT_EQ(mean.interval, (Interval{-kInfinity, kInfinity}));
  EXPECT_FALSE(mean.has_interval());
}

TEST(Estimates, TheMeanOfManyIsTheSameFromSums) {
  std::vector<double> values;
  double sum = 0, squares = 0;
  for (int i = 0; i < 10'000; ++i) {
    values.push_back(std::sin(i));
    sum += values.back();
    squares += values.back() * values.back();
  }
  const Estimate one = mean_estimate(EstimateKind::loss, values);
  const Estimate other = mean_estimate(EstimateKind::loss, sum, squares, 10'000);
  EXPECT_NEAR(one.value, other.value, 1e-12);
  EXPECT_NEAR(one.interval.low, other.interval.low, 1e-5);
  EXPECT_NEAR(one.interval.high, other.interval.high, 1e-5);
}

TEST(Estimates, AreReadAsTheirKindIs) {
  EXPECT_EQ(estimate_text({0.9997, {0.9994, 0.9999}, 10'000, EstimateKind::share}),
            "99.97 % [99.94, 99.99]");
  EXPECT_EQ(estimate_text({0.0311, {0.0202, 0.0421}, 100, EstimateKind::loss}),
            "0.0311 [0.0202, 0.0421]");
  EXPECT_EQ(estimate_text({3, {0.61, 8.77}, 100, EstimateKind::count}), "3 [0.6, 8.8]");
  EXPECT_EQ(estimate_text({12345.6, {-1, 1e6}, 1, EstimateKind::number}), "12,346 [-1, 1,000,000]");
  EXPECT_EQ(figure_text(EstimateKind::count, 1'234'567), "1,234,567");
  EXPECT_EQ(figure_text(EstimateKind::number, -5000), "-5,000");
}

TEST(Estimates, OnlyAllIsAHundredPercentAndOnlyNoneIsZero) {
  const auto text = [](double share) { return figure_text(EstimateKind::share, share); };
  EXPECT_EQ(text(1), "100.00 %");
  EXPECT_EQ(text(0.99999), "99.9990 %");
  EXPECT_EQ(text(0.9999999), "99.9999 %");
  EXPECT_EQ(text(0.8553), "85.53 %");
  EXPECT_EQ(text(0.00005), "0.01 %");
  EXPECT_EQ(text(0.00001), "0.0010 %");
  EXPECT_EQ(text(1e-12), "0.0001 %");
  EXPECT_EQ(text(0), "0.00 %");
}

TEST(Estimates, SayWhereAnEndIsNotKnown) {
  EXPECT_EQ(estimate_text({0.5, {-kInfinity, 0.75}, 1, EstimateKind::loss}), "0.5 [–, 0.75]");
  EXPECT_EQ(estimate_text(bare_estimate(EstimateKind::share, 0.5, 1)), "50.00 %");
  EXPECT_EQ(estimate_text(mean_estimate(EstimateKind::number, {})), "–");
}

TEST(Estimates, AreWrittenForPrograms) {
  EXPECT_EQ(dump_line(estimate_json(share_estimate(0, 0))),
            R"({"value":0.0,"interval":[0.0,1.0],"n":0,"kind":"share"})");
  EXPECT_EQ(dump_line(estimate_json(mean_estimate(EstimateKind::loss, {}))),
            R"({"value":null,"interval":null,"n":0,"kind":"loss"})");
  EXPECT_EQ(dump_line(interval_json({-kInfinity, 2})), "[null,2.0]");
}

TEST(Estimates, ComeBackFromJsonWithTheirKind) {
  for (const EstimateKind kind : kKinds) {
    for (const Interval interval :
         {Interval{0.1, 0.3}, Interval{-kInfinity, 0.3}, Interval{-kInfinity, kInfinity}}) {
      const Estimate estimate{0.2, interval, 17, kind};
      const auto text = dump_line(estimate_json(estimate));
      const auto read = estimate_in(parse_json(text, "test").value());
      ASSERT_TRUE(read) << text;
      EXPECT_EQ(*read, estimate) << text;
    }
  }
  EXPECT_TRUE(std::isnan(estimate_in(estimate_json({std::nan(""), {}, 0}))->value));
}

TEST(Estimates, WhatIsNoneIsNotTakenForOne) {
  for (const char* text : {"1", "null", "[]", "{}", R"({"value":"1"})", R"({"value":[1]})"}) {
    EXPECT_FALSE(estimate_in(parse_json(text, "test").value())) << text;
  }
  // Files from before estimates had a kind, and files that somebody changed.
  for (const char* text : {R"({"value":1})", R"({"value":1,"interval":{"a":1,"b":2}})",
                           R"({"value":1,"interval":[1],"n":"many","kind":"kind"})"}) {
    const auto read = estimate_in(parse_json(text, "test").value());
    ASSERT_TRUE(read) << text;
    EXPECT_EQ(*read, bare_estimate(EstimateKind::number, 1, 0)) << text;
  }
}

TEST(Metrics, AreEstimatesByName) {
  const std::vector<Metric> metrics = {{"kept", share_estimate(3, 4)},
                                       {"regret", bare_estimate(EstimateKind::loss, 0.25, 4)}};
  Json json = metrics_json(metrics);
  json["more"] = "a text";
  const std::vector<Metric> read = metrics_in(json);
  ASSERT_EQ(read.size(), 2u);
  EXPECT_EQ(read[0].name, "kept");
  EXPECT_EQ(static_cast<const Estimate&>(*find_metric(read, "regret")), metrics[1]);
  EXPECT_EQ(find_metric(read, "more"), nullptr);
}

}  // namespace
}  // namespace damier
