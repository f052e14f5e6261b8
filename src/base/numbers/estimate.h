// A measured figure: its value, the interval that holds the truth 95 times in 100, how many
// observations it rests on, and its kind, which says how people read it. One way to compute,
// print, write and read it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "damier/base/json/json_value.h"

namespace damier {

// A probability that somebody else worked out, such as a network, may be nonsense: the number
// itself where it is one, the nearest one where it is not, one half where it is no number at all.
inline float sound_probability(float number) {
  return std::isnan(number) ? 0.5f : std::clamp(number, 0.0f, 1.0f);
}

// The normal distribution's 97.5 % point: an interval reaches this many standard errors each way.
inline constexpr double kNormal95 = 1.959963984540054;

enum class EstimateKind : std::uint8_t {
  share,   // of 1: read in percent
  loss,    // an error of any size: less is better
  count,   // whole things
  number,  // anything else
};
std::string_view kind_text(EstimateKind kind);  // "share", "loss", "count", "number"

struct Interval {
  double low = 0;
  double high = 0;

  bool holds(double value) const { return low <= value && value <= high; }
  bool operator==(const Interval&) const = default;
};

struct Estimate {
  double value = 0;
  Interval interval;   // an end that is not known is infinite
  std::int64_t n = 0;  // how many observations it rests on
  EstimateKind kind = EstimateKind::number;

  bool has_interval() const;  // whether one of its ends is known
  bool operator==(const Estimate&) const = default;
};

// An estimate with the name that it has in tables and in JSON ("value_kept").
struct Metric : Estimate {
  std::string name;

  Metric() = default;
  Metric(std::string called, const Estimate& estimate)
      : Estimate(estimate), name(std::move(called)) {}
};
// The metric of that name, or nullptr.
const Metric* find_metric(std::span<const Metric> metrics, std::string_view name);

// --- From observations ------------------------------------------------------------------------

// Wilson's interval around a share of `n` trials, inside [0, 1]; n need not be whole.
Interval wilson_interval(double share, double n);
// The share of successes; of nothing: 0, which may be anything from 0 to 1.
Estimate share_estimate(std::int64_t successes, std::int64_t n);
// The mean of very many values, from their sum and that of their squares, with the normal
// interval; of nothing: 0.
Estimate mean_estimate(EstimateKind kind, double sum, double sum_of_squares, std::int64_t n);
// The mean of any number of values, with Student's interval. Of one value the interval has no ends,
// of none the value is not a number either.
Estimate mean_estimate(EstimateKind kind, std::span<const double> values);
// A figure without an interval: certain, or of unknown uncertainty.
Estimate bare_estimate(EstimateKind kind, double value, std::int64_t n);

// --- For people -------------------------------------------------------------------------------

// 16082 -> "16,082"
std::string grouped_digits(std::uint64_t number);

// "99.97 %", "1,204", "0.0834". Only a share of exactly 0 or 1 is called 0.00 or 100.00 %.
std::string figure_text(EstimateKind kind, double value);
std::string figure_text(const Estimate& estimate);
// "[99.94, 99.99]", without the unit; an end that is not known is "–". Empty without an interval.
std::string interval_text(const Estimate& estimate);
// "99.97 % [99.94, 99.99]"
std::string estimate_text(const Estimate& estimate);

// --- For programs -----------------------------------------------------------------------------

// JSON has no infinity: an end that is not known is null.
Json number_json(double value);
Json interval_json(const Interval& interval);  // [low, high]
// {"value", "interval", "n", "kind"}; the interval is null where neither end is known.
Json estimate_json(const Estimate& estimate);
// {"NAME": {"value", …}, …}
Json metrics_json(std::span<const Metric> metrics);

// What estimate_json wrote; nothing where it is something else. Files from before estimates had a
// kind give plain numbers.
std::optional<Estimate> estimate_in(const Json& json);
// Members that are no estimates are left out.
std::vector<Metric> metrics_in(const Json& json);

}  // namespace damier
