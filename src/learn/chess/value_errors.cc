#include "damier/learn/chess/value_errors.h"

#include <cmath>

#include "damier/learn/chess/positions.h"

namespace damier::learn::chess {

void ValueErrors::add(double said, double score) {
  const double truth = expected_of(score);
  const double distance = std::abs(centipawns_of(said) - score);
  const double squared = (said - truth) * (said - truth);
  ++rows_;
  distance_ += distance;
  distance_squares_ += distance * distance;
  squared_ += squared;
  squared_squares_ += squared * squared;
  truth_ += truth;
  truth_squares_ += truth * truth;
  if (score == 0) return;
  ++decided_;
  if (said == 0.5) {
    agreed_ += 0.5;
  } else {
    agreed_ += (said > 0.5) == (score > 0) ? 1 : 0;
  }
}

std::vector<Metric> ValueErrors::metrics() const {
  const auto n = static_cast<double>(rows_);
  const double variance = rows_ == 0 ? 0 : truth_squares_ - truth_ * truth_ / n;
  Estimate sign{0, {0, 1}, decided_, EstimateKind::share};
  if (decided_ > 0) {
    sign.value = agreed_ / static_cast<double>(decided_);
    sign.interval = wilson_interval(sign.value, static_cast<double>(decided_));
  }
  return {{std::string(kCentipawnsMetric),
           mean_estimate(EstimateKind::loss, distance_, distance_squares_, rows_)},
          {std::string(kRSquaredMetric),
           bare_estimate(EstimateKind::number, variance > 0 ? 1 - squared_ / variance : 0, rows_)},
          {std::string(kSignMetric), sign},
          {std::string(kSquaredMetric),
           mean_estimate(EstimateKind::loss, squared_, squared_squares_, rows_)}};
}

}  // namespace damier::learn::chess
