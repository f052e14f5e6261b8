// A measured figure with its 95 % interval and what it was measured on.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "damier/base/json.h"

namespace damier::learn {

struct Metric {
  std::string name;  // "value_kept"
  double value = 0;
  double low = 0;
  double high = 0;
  std::int64_t n = 0;
  bool is_share = false;  // of 1: people read it in percent
};

// The share of successes, with Wilson's interval; of nothing: 0 in [0, 1].
Metric share_metric(std::string name, std::int64_t successes, std::int64_t n);
// A mean from the sums of the values and of their squares, with the normal interval.
Metric mean_metric(std::string name, double sum, double sum_of_squares, std::int64_t n);

// {"NAME": {"value", "interval", "n"}, …}
Json metrics_json(const std::vector<Metric>& metrics);
// "99.97 % [99.94, 99.99]", or "0.0031 [0.0020, 0.0042]".
std::string value_text(const Metric& metric);
// The metric of that name, or nullptr.
const Metric* find_metric(const std::vector<Metric>& metrics, std::string_view name);

}  // namespace damier::learn
