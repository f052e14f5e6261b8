// How far values of chess positions are from the truth, in the measures that people use.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "damier/base/numbers/estimate.h"

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
  void add(double said, double score);

  // centipawns      the mean distance, in hundredths of a pawn
  // r_squared       of expected results: the share of their variance that is explained; below 0
  //                 where their mean would have been the better guess
  // sign_agreement  how often the side that is ahead is named, where one is; who says that both
  //                 are even is right half of the time
  // squared_error   of expected results, the mean
  std::vector<Metric> metrics() const;

 private:
  std::int64_t rows_ = 0, decided_ = 0;
  double distance_ = 0, distance_squares_ = 0;
  double squared_ = 0, squared_squares_ = 0;
  double truth_ = 0, truth_squares_ = 0;
  double agreed_ = 0;
};

}  // namespace damier::learn::chess
