// How far values of chess positions are from the truth, in the measures that people use.
#pragma once

#include <cmath>
#include <string_view>
#include <vector>

#include "damier/learn/chess/positions.h"
#include "damier/learn/task.h"

namespace damier::learn::chess {

inline constexpr std::string_view kCentipawnsMetric = "centipawns";
inline constexpr std::string_view kRSquaredMetric = "r_squared";
inline constexpr std::string_view kSignMetric = "sign_agreement";
inline constexpr std::string_view kSquaredMetric = "squared_error";

// Sums over rows; both views are White's.
class ValueErrors {
 public:
  // What was said, as an expected result from 0 to 1, of a position of that score in hundredths of
  // a pawn.
  void add(double said, double score) {
    const double truth = expected_of(score);
    distance_.add(std::abs(centipawns_of(said) - score));
    squared_.add((said - truth) * (said - truth));
    truth_.add(truth);
    if (score == 0) return;
    ++decided_;
    agreed_ += said == 0.5 ? 0.5 : (said > 0.5) == (score > 0) ? 1 : 0;
  }

  // centipawns      the mean distance, in hundredths of a pawn
  // r_squared       of expected results: the share of their variance that is explained; below 0
  //                 where their mean would have been the better guess
  // sign_agreement  how often the side that is ahead is named, where one is; who says that both
  //                 are even is right half of the time
  // squared_error   of expected results, the mean
  std::vector<Metric> metrics() const {
    const std::int64_t n = truth_.n;
    const double variance =
        n == 0 ? 0 : truth_.squares - truth_.sum * truth_.sum / static_cast<double>(n);
    Estimate sign{0, {0, 1}, decided_, EstimateKind::share};
    if (decided_ > 0) {
      sign.value = agreed_ / static_cast<double>(decided_);
      sign.interval = wilson_interval(sign.value, static_cast<double>(decided_));
    }
    return {
        distance_.metric(kCentipawnsMetric),
        {std::string(kRSquaredMetric),
         bare_estimate(EstimateKind::number, variance > 0 ? 1 - squared_.sum / variance : 0, n)},
        {std::string(kSignMetric), sign},
        squared_.metric(kSquaredMetric)};
  }

 private:
  MeanLoss distance_, squared_, truth_;
  std::int64_t decided_ = 0;
  double agreed_ = 0;
};

}  // namespace damier::learn::chess
