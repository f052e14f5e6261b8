#include "damier/lab/fanorona/figures.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <map>

#include "damier/lab/charts.h"

namespace damier::lab {

namespace {

constexpr std::size_t kPhases = 7;

// Won positions by distance; those with few positions say nothing.
report::Curve distance_curve(const FanoronaNetwork& network, const std::string& name) {
  constexpr std::int64_t kMinCount = 20;
  std::map<int, std::array<std::int64_t, 2>> counts;
  for (const FanoronaCell& cell : network.evaluation.cells) {
    if (cell.value != 1) continue;
    counts[cell.distance][0] += cell.n;
    counts[cell.distance][1] += cell.kept;
  }
  report::Curve curve{name};
  for (const auto& [distance, count] : counts) {
    if (count[0] < kMinCount) continue;
    curve.points.push_back(point_of(distance, share_estimate(count[1], count[0])));
  }
  return curve;
}

// In percent, by value (lost, drawn, won) and phase.
using PhaseShares = std::array<std::array<double, kPhases>, 3>;
PhaseShares phase_shares(const FanoronaEvaluation& evaluation) {
  std::array<std::array<std::array<std::int64_t, 2>, kPhases>, 3> counts = {};
  for (const FanoronaCell& cell : evaluation.cells) {
    auto& at =
        counts[static_cast<std::size_t>(cell.value + 1)][static_cast<std::size_t>(cell.phase)];
    at[0] += cell.n;
    at[1] += cell.shortest;
  }
  PhaseShares shares;
  for (std::size_t value = 0; value < shares.size(); ++value) {
    for (std::size_t phase = 0; phase < kPhases; ++phase) {
      const auto& count = counts[value][phase];
      shares[value][phase] =
          count[0] == 0 ? report::kMissing : 100 * share_estimate(count[1], count[0]).value;
    }
  }
  return shares;
}

report::Figure phase_figure(const PhaseShares& shares, const std::string& whose, double low) {
  report::HeatMap map;
  map.columns_label = "Pieces that have moved";
  map.rows_label = "The position is";
  map.rows = {"won", "drawn", "lost"};
  for (std::size_t phase = 0; phase < kPhases; ++phase)
    map.columns.push_back(std::to_string(phase));
  for (const std::size_t value : {2u, 1u, 0u}) {
    map.values.emplace_back(shares[value].begin(), shares[value].end());
  }
  map.color = percent_axis("Best moves");
  map.color.low = low;
  map.color.high = 100;
  return {whose + ": best moves by value and phase",
          "Share of test positions in which the chosen move keeps the value and wins as fast, or "
          "resists as long, as possible. Both maps have the same colours.",
          map};
}

}  // namespace

report::Figure distance_figure(const FanoronaFindings& findings) {
  report::LineChart chart;
  chart.x = {.label = "Distance of the win", .unit = "plies"};
  chart.y = percent_axis("Won positions that stay won");
  chart.curves.push_back(distance_curve(findings.networks.front(), "the report's"));
  if (const std::size_t best = best_extension(findings); best > 0) {
    const FanoronaNetwork& network = findings.networks[best];
    chart.curves.push_back(distance_curve(network, network.name));
  }
  chart.curves.push_back(distance_curve(findings.ours, "ours"));
  return {"How far ahead a network sees",
          "Test positions that are won for the side to move, by the plies that the win takes with "
          "best play; points with fewer than 20 positions are left out. The labels of the first "
          "two come from a search of a few plies: what is farther away, their teacher does not "
          "know either.",
          chart};
}

std::vector<report::Figure> phase_figures(const FanoronaFindings& findings) {
  const PhaseShares report = phase_shares(findings.networks.front().evaluation);
  const PhaseShares ours = phase_shares(findings.ours.evaluation);
  double lowest = 100;
  for (const PhaseShares* shares : {&report, &ours}) {
    for (const auto& row : *shares) {
      for (const double share : row) {
        if (!std::isnan(share)) lowest = std::min(lowest, share);
      }
    }
  }
  lowest = 5 * std::floor(lowest / 5);
  return {phase_figure(report, "The report's network", lowest),
          phase_figure(ours, "Our network", lowest)};
}

std::optional<report::Figure> value_figure(const FanoronaEvaluation& evaluation) {
  report::Histogram histogram;
  histogram.x = {.label = "Error of the value", .scale = report::Scale::logarithmic};
  histogram.counts_label = "Positions";
  constexpr double kMinError = 1e-4;  // a logarithmic axis has no place for nothing at all
  constexpr std::array<const char*, 3> kNames = {"lost", "drawn", "won"};
  for (const std::size_t value : {2u, 1u, 0u}) {
    report::Sample sample{kNames[value]};
    for (const int error : evaluation.value_errors[value]) {
      sample.values.push_back(std::max(kMinError, std::abs(error) / 1e6));
    }
    if (!sample.values.empty()) histogram.samples.push_back(std::move(sample));
  }
  if (histogram.samples.empty()) return std::nullopt;
  histogram.bins = 30;
  return report::Figure{
      "How far the value head is off",
      "Distance of what the network says (-1 to 1) from the exact value on classes it never saw, "
      "on a logarithmic scale; the leftmost bin holds all that is smaller. Beyond 0.5 the network "
      "takes the position for another result.",
      histogram};
}

}  // namespace damier::lab
