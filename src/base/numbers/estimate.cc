#include "damier/base/numbers/estimate.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "damier/base/json/json.h"

namespace damier {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();
constexpr std::array<std::string_view, 4> kKinds = {"share", "loss", "count", "number"};

// The 97.5 % point of Student's distribution, by Cornish and Fisher's expansion around the normal
// one; the first two have closed forms. Right to three digits from three degrees of freedom on.
double student95(std::int64_t degrees) {
  if (degrees == 1) return 12.706204736;
  if (degrees == 2) return 4.302652730;
  const double z = kNormal95;
  const double z2 = z * z;
  const double v = static_cast<double>(degrees);
  const double one = z * (z2 + 1) / 4;
  const double two = z * (3 + z2 * (16 + z2 * 5)) / 96;
  const double three = z * (-15 + z2 * (17 + z2 * (19 + z2 * 3))) / 384;
  const double four = z * (-945 + z2 * (-1920 + z2 * (1482 + z2 * (776 + z2 * 79)))) / 92160;
  return z + (one + (two + (three + four / v) / v) / v) / v;
}

// All of very many is not the same as nearly all: next to the ends there are two digits more,
// which are rounded away from the end.
std::string percent_text(double share) {
  constexpr double kMoreDigits = 1e4;
  const double percent = 100 * share;
  if (share > 0 && percent < 0.005) {
    return fmt::format("{:.4f}", std::max(1.0, std::round(percent * kMoreDigits)) / kMoreDigits);
  }
  if (share < 1 && percent >= 99.995) {
    return fmt::format("{:.4f}", std::floor(percent * kMoreDigits) / kMoreDigits);
  }
  return fmt::format("{:.2f}", percent);
}

std::string number_text(double value) {
  constexpr double kMany = 1000, kMax = 1e18;
  const double size = std::abs(value);
  if (size < kMany || size > kMax) return fmt::format("{:.4g}", value);
  return (value < 0 ? "-" : "") + grouped_digits(static_cast<std::uint64_t>(std::llround(size)));
}

std::string count_text(double value, int digits) {
  return std::abs(value) < 1000 ? fmt::format("{:.{}f}", value, digits) : number_text(value);
}

// Without the unit.
std::string end_text(EstimateKind kind, double value) {
  if (!std::isfinite(value)) return "–";
  if (kind == EstimateKind::share) return percent_text(value);
  return kind == EstimateKind::count ? count_text(value, 1) : number_text(value);
}

}  // namespace

std::string grouped_digits(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, ",");
  return text;
}

std::string_view kind_text(EstimateKind kind) { return kKinds[static_cast<std::size_t>(kind)]; }

bool Estimate::has_interval() const {
  return std::isfinite(interval.low) || std::isfinite(interval.high);
}

const Metric* find_metric(std::span<const Metric> metrics, std::string_view name) {
  const auto at = std::ranges::find(metrics, name, &Metric::name);
  return at == metrics.end() ? nullptr : &*at;
}

Interval wilson_interval(double share, double n) {
  if (n <= 0) return {0, 1};
  const double z2 = kNormal95 * kNormal95 / n;
  const double centre = (share + z2 / 2) / (1 + z2);
  const double reach = kNormal95 / (1 + z2) * std::sqrt(share * (1 - share) / n + z2 / (4 * n));
  // The ends that are 0 or 1 in theory must be so in spite of rounding.
  const double low = share <= 0 ? 0 : std::clamp(centre - reach, 0.0, share);
  const double high = share >= 1 ? 1 : std::clamp(centre + reach, share, 1.0);
  return {low, high};
}

Estimate share_estimate(std::int64_t successes, std::int64_t n) {
  assert(0 <= successes && successes <= n);
  const auto trials = static_cast<double>(n);
  const double share = n == 0 ? 0 : static_cast<double>(successes) / trials;
  return {share, wilson_interval(share, trials), n, EstimateKind::share};
}

Estimate mean_estimate(EstimateKind kind, double sum, double sum_of_squares, std::int64_t n) {
  if (n == 0) return {0, {0, 0}, 0, kind};
  const auto count = static_cast<double>(n);
  const double mean = sum / count;
  const double variance = std::max(0.0, sum_of_squares / count - mean * mean);
  const double reach = kNormal95 * std::sqrt(variance / count);
  return {mean, {mean - reach, mean + reach}, n, kind};
}

Estimate mean_estimate(EstimateKind kind, std::span<const double> values) {
  const auto n = static_cast<std::int64_t>(values.size());
  const auto size = static_cast<double>(n);
  if (n == 0) return {kNotANumber, {-kInfinity, kInfinity}, 0, kind};
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / size;
  if (n == 1) return {mean, {-kInfinity, kInfinity}, 1, kind};
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  const double reach = student95(n - 1) * std::sqrt(squares / (size - 1) / size);
  return {mean, {mean - reach, mean + reach}, n, kind};
}

Estimate bare_estimate(EstimateKind kind, double value, std::int64_t n) {
  return {value, {-kInfinity, kInfinity}, n, kind};
}

std::string figure_text(EstimateKind kind, double value) {
  if (!std::isfinite(value)) return "–";
  if (kind == EstimateKind::count) return count_text(value, 0);
  return end_text(kind, value) + (kind == EstimateKind::share ? " %" : "");
}

std::string figure_text(const Estimate& estimate) {
  return figure_text(estimate.kind, estimate.value);
}

std::string interval_text(const Estimate& estimate) {
  if (!estimate.has_interval()) return "";
  return fmt::format("[{}, {}]", end_text(estimate.kind, estimate.interval.low),
                     end_text(estimate.kind, estimate.interval.high));
}

std::string estimate_text(const Estimate& estimate) {
  const std::string figure = figure_text(estimate);
  return estimate.has_interval() ? figure + " " + interval_text(estimate) : figure;
}

Json number_json(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json interval_json(const Interval& interval) {
  return Json::array({number_json(interval.low), number_json(interval.high)});
}

Json estimate_json(const Estimate& estimate) {
  return Json{{"value", number_json(estimate.value)},
              {"interval", estimate.has_interval() ? interval_json(estimate.interval) : nullptr},
              {"n", estimate.n},
              {"kind", kind_text(estimate.kind)}};
}

Json metrics_json(std::span<const Metric> metrics) {
  Json json = Json::object();
  for (const Metric& metric : metrics) json[metric.name] = estimate_json(metric);
  return json;
}

std::optional<Estimate> estimate_in(const Json& json) {
  const Json* value = json.find("value");
  if (value == nullptr || !(value->is_number() || value->is_null())) return std::nullopt;
  Estimate estimate;
  estimate.value = number_in(json, "value").value_or(kNotANumber);
  estimate.interval = {-kInfinity, kInfinity};
  if (const Json* ends = json.find("interval");
      ends != nullptr && ends->is_array() && ends->size() == 2) {
    if ((*ends)[0].is_number()) estimate.interval.low = (*ends)[0].get<double>();
    if ((*ends)[1].is_number()) estimate.interval.high = (*ends)[1].get<double>();
  }
  if (const Json* n = json.find("n"); n != nullptr && n->is_number_integer()) {
    estimate.n = n->get<std::int64_t>();
  }
  const auto kind = std::ranges::find(kKinds, text_in(json, "kind"));
  if (kind != kKinds.end()) estimate.kind = static_cast<EstimateKind>(kind - kKinds.begin());
  return estimate;
}

std::vector<Metric> metrics_in(const Json& json) {
  std::vector<Metric> metrics;
  for (const auto& [name, member] : json.items()) {
    if (const auto estimate = estimate_in(member)) metrics.emplace_back(name, *estimate);
  }
  return metrics;
}

}  // namespace damier
