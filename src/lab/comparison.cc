#include "damier/lab/comparison.h"

#include <fmt/format.h>

#include "damier/base/text/text.h"
#include "damier/lab/found.h"

namespace damier::lab {

namespace {

using report::Verdict;

constexpr std::string_view kNotGiven = "not given";

std::string_view verdict_word(Verdict verdict) {
  return verdict == Verdict::reached ? "reached" : verdict == Verdict::within ? "within" : "missed";
}

// "≥ 99.5 %"; what cannot be surpassed needs no sign.
std::string goal_text(double goal, EstimateKind kind, bool higher) {
  const bool is_share = kind == EstimateKind::share;
  const std::string figure = fmt::format("{:g}{}", goal, is_share ? " %" : "");
  const bool extreme = higher ? is_share && goal == 100 : goal == 0;
  return extreme ? figure : (higher ? "≥ " : "≤ ") + figure;
}

Comparison compare_row(const Published& published, const PublishedComparison& asked,
                       Finder& found) {
  const auto ours = found.find(asked.ours);
  if (!ours || !ours->estimate) {
    found.fail(fmt::format("nothing was measured that is called {}", in_quotes(asked.ours)));
    return {};
  }
  Comparison row{found.filled(asked.what), "", asked.goal.has_value(), *ours->estimate,
                 Verdict::none};
  const bool higher = asked.better == "higher";
  double expected = 0;
  if (asked.published) {
    row.published = published.text(*asked.published);
    expected = published.value(*asked.published);
  } else if (asked.goal) {
    row.published = "goal " + goal_text(*asked.goal, row.ours.kind, higher);
    expected = *asked.goal;
  }
  if (row.ours.kind == EstimateKind::share) expected /= 100;
  if (asked.better && !row.published.empty()) {
    row.verdict =
        higher ? verdict_at_least(row.ours, expected) : verdict_at_most(row.ours, expected);
  }
  return row;
}

}  // namespace

Verdict verdict_at_least(const Estimate& ours, double expected) {
  if (ours.value >= expected) return Verdict::reached;
  return ours.has_interval() && ours.interval.high >= expected ? Verdict::within : Verdict::missed;
}

Verdict verdict_at_most(const Estimate& ours, double expected) {
  if (ours.value <= expected) return Verdict::reached;
  return ours.has_interval() && ours.interval.low <= expected ? Verdict::within : Verdict::missed;
}

Result<std::vector<Comparison>> compare(const Published& published, const Json& findings) {
  Finder found(findings, published);
  std::vector<Comparison> rows;
  for (std::size_t i = 0; i < published.comparisons.size(); ++i) {
    found.at(fmt::format("experiments/{}.json: comparisons[{}]", published.name, i));
    rows.push_back(compare_row(published, published.comparisons[i], found));
  }
  if (found.error()) return *found.error();
  return rows;
}

VerdictCount count_verdicts(std::span<const Comparison> rows) {
  VerdictCount count;
  for (const Comparison& row : rows) {
    count.given += row.verdict != Verdict::none;
    count.reached += row.verdict == Verdict::reached;
    count.met += row.verdict == Verdict::reached || row.verdict == Verdict::within;
  }
  return count;
}

report::Table comparison_table(std::span<const Comparison> rows) {
  report::Table table = report::headed_table("Our figures beside the published ones", {"What"},
                                             {"Published", "Ours", "Interval"});
  table.columns.push_back({"Verdict"});
  bool goals = false;
  for (const Comparison& row : rows) {
    const bool given = !row.published.empty();
    goals = goals || row.is_goal;
    table.rows.push_back(
        {{row.what, given ? row.published : std::string(kNotGiven),
          figure_text(row.ours.kind, row.ours.value), interval_text(row.ours),
          row.verdict == Verdict::none ? report::Cell(given ? "" : std::string(kNotGiven))
                                       : report::Cell("", row.verdict)}});
  }
  table.note = "Intervals hold the truth 95 times in 100.";
  if (goals)
    table.note += " A goal is ours: no figure was published that could be held against it.";
  return table;
}

Json comparison_json(const Comparison& row) {
  Json json = estimate_json(row.ours);
  const bool given = !row.published.empty();
  constexpr std::string_view kGoal = "goal ";
  return {
      {"what", row.what},
      {"published", given ? Json(row.is_goal ? row.published.substr(kGoal.size()) : row.published)
                          : Json(nullptr)},
      {"is_goal", row.is_goal},
      {"ours", row.ours.value},
      {"interval", json["interval"]},
      {"n", row.ours.n},
      {"kind", kind_text(row.ours.kind)},
      {"verdict", row.verdict == Verdict::none ? Json(nullptr) : Json(verdict_word(row.verdict))}};
}

}  // namespace damier::lab
