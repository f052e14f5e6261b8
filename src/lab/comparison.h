// Our figures beside the published ones: which stands beside which is data (published.h).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "damier/base/numbers/estimate.h"
#include "damier/lab/published.h"
#include "damier/report/plot/table.h"

namespace damier::lab {

struct Comparison {
  std::string what;
  std::string published;  // "18.2 %", "goal ≥ 99.5 %"; empty: nothing was published
  bool is_goal = false;
  Estimate ours;
  report::Verdict verdict = report::Verdict::none;
};

// Reached: the figure is as good. Within: it is not, but its interval holds one that is.
report::Verdict verdict_at_least(const Estimate& ours, double expected);
report::Verdict verdict_at_most(const Estimate& ours, double expected);

// A row for each comparison of the file. An error when the study did not find one of them, or does
// not know a word.
Result<std::vector<Comparison>> compare(const Published& published, const Json& findings);

// How many rows have a verdict, and how many of those are reached or within the interval.
struct VerdictCount {
  std::size_t given = 0, reached = 0, met = 0;
};
VerdictCount count_verdicts(std::span<const Comparison> rows);

// what | published | ours | interval | verdict
report::Table comparison_table(std::span<const Comparison> rows);
Json comparison_json(const Comparison& row);

}  // namespace damier::lab
