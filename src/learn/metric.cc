#include "damier/learn/metric.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace damier::learn {

namespace {

constexpr double kNormal95 = 1.959963984540054;

}  // namespace

Metric share_metric(std::string name, std::int64_t successes, std::int64_t n) {
  if (n == 0) return {std::move(name), 0, 0, 1, 0, true};
  const auto count = static_cast<double>(n);
  const double share = static_cast<double>(successes) / count;
  const double z2 = kNormal95 * kNormal95;
  const double centre = (share + z2 / (2 * count)) / (1 + z2 / count);
  const double reach = kNormal95 / (1 + z2 / count) *
                       std::sqrt(share * (1 - share) / count + z2 / (4 * count * count));
  // Rounding must not push an end past the share itself.
  return {std::move(name),
          share,
          std::max(0.0, std::min(share, centre - reach)),
          std::min(1.0, std::max(share, centre + reach)),
          n,
          true};
}

Metric mean_metric(std::string name, double sum, double sum_of_squares, std::int64_t n) {
  if (n == 0) return {std::move(name), 0, 0, 0, 0, false};
  const auto count = static_cast<double>(n);
  const double mean = sum / count;
  const double variance = std::max(0.0, sum_of_squares / count - mean * mean);
  const double reach = kNormal95 * std::sqrt(variance / count);
  return {std::move(name), mean, mean - reach, mean + reach, n, false};
}

Json metrics_json(const std::vector<Metric>& metrics) {
  Json json = Json::object();
  for (const Metric& metric : metrics) {
    json[metric.name] = {
        {"value", metric.value}, {"interval", {metric.low, metric.high}}, {"n", metric.n}};
  }
  return json;
}

std::string value_text(const Metric& metric) {
  if (!metric.is_share) {
    return fmt::format("{:.4f} [{:.4f}, {:.4f}]", metric.value, metric.low, metric.high);
  }
  // All of very many is not the same as nearly all: 100 % and 0 % are said of those alone.
  const auto percent = [](double share) {
    const double value = 100 * share;
    if (share > 0 && share < 1 && (value >= 99.995 || value < 0.005)) {
      return fmt::format("{:.4f}", value);
    }
    return fmt::format("{:.2f}", value);
  };
  return fmt::format("{} % [{}, {}]", percent(metric.value), percent(metric.low),
                     percent(metric.high));
}

const Metric* find_metric(const std::vector<Metric>& metrics, std::string_view name) {
  const auto at = std::find_if(metrics.begin(), metrics.end(),
                               [&](const Metric& metric) { return metric.name == name; });
  return at == metrics.end() ? nullptr : &*at;
}

}  // namespace damier::learn
