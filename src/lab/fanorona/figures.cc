#include "damier/lab/fanorona/figures.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <map>

#include <fmt/format.h>

namespace damier::lab {

namespace {

constexpr int kPhases = 7;

report::Axis percent(std::string label) { return {.label = std::move(label), .unit = "%"}; }
report::Axis epochs() { return {.label = "Epoch"}; }

// Won positions by distance; those with few positions say nothing.
report::Curve distance_curve(const FanoronaExamination& examination, const std::string& name) {
  constexpr std::int64_t kFewest = 20;
  std::map<int, std::array<std::int64_t, 2>> counts;
  for (const FanoronaCell& cell : examination.cells) {
    if (cell.value != 1) continue;
    counts[cell.distance][0] += cell.n;
    counts[cell.distance][1] += cell.kept;
  }
  report::Curve curve{name};
  for (const auto& [distance, count] : counts) {
    if (count[0] < kFewest) continue;
    curve.points.push_back(report::point_of(distance, share_estimate(count[1], count[0])));
  }
  return curve;
}

// [value + 1][phase] -> n, shortest
using PhaseCounts = std::array<std::array<std::array<std::int64_t, 2>, kPhases>, 3>;
PhaseCounts phase_counts(const FanoronaExamination& examination) {
  PhaseCounts counts = {};
  for (const FanoronaCell& cell : examination.cells) {
    auto& at =
        counts[static_cast<std::size_t>(cell.value + 1)][static_cast<std::size_t>(cell.phase)];
    at[0] += cell.n;
    at[1] += cell.shortest;
  }
  return counts;
}

double share_in(const std::array<std::int64_t, 2>& count) {
  return count[0] == 0 ? report::kMissing
                       : 100 * static_cast<double>(count[1]) / static_cast<double>(count[0]);
}

}  // namespace

std::string short_name(const std::string& recipe) {
  if (recipe == "fanorona-report") return "the report's";
  const std::string prefix = "fanorona-";
  std::string name = recipe.starts_with(prefix) ? recipe.substr(prefix.size()) : recipe;
  std::replace(name.begin(), name.end(), '-', ' ');
  return name;
}

report::Figure training_figure(const TrainedNetwork& network) {
  report::LineChart chart;
  chart.x = epochs();
  chart.y = {.label = "Loss"};
  chart.curves = {loss_curve(network, "on training rows", false),
                  loss_curve(network, "on validation rows", true)};
  return {fmt::format("Loss of {} by epoch", network.name),
          fmt::format("The sum of the heads' losses, a row. The validation rows are of symmetry "
                      "classes that were not learnt from. {:.1f} s for {} epochs.",
                      network.seconds, network.curve.size()),
          chart};
}

report::Figure extensions_figure(const FanoronaFindings& findings) {
  report::BarChart chart;
  chart.y = percent("Unseen positions");
  chart.y.low = 0;
  chart.series = {{"as labelled"}, {"value kept"}};
  for (const TrainedNetwork& network : findings.networks) {
    chart.categories.push_back(short_name(network.name));
    chart.series[0].bars.push_back(report::bar_of(network.metric("test", "label_accuracy")));
    chart.series[1].bars.push_back(report::bar_of(network.metric("test", "value_kept")));
  }
  chart.references = {{"ours", 100 * findings.ours.metric("test", "value_kept").value}};
  return {"Accuracy of the report's network and its extensions",
          "On test positions, with 95 % intervals. The line is what our network keeps of the value "
          "on *its* unseen classes.",
          chart};
}

report::Figure learning_figure(const FanoronaFindings& findings) {
  report::LineChart chart;
  chart.x = epochs();
  chart.y = percent("Value kept");
  for (const TrainedNetwork& network : findings.networks) {
    chart.curves.push_back(accuracy_curve(network, short_name(network.name)));
  }
  return {"How fast each learns", "Value kept on the validation rows after each epoch.", chart};
}

report::Figure distance_figure(const FanoronaFindings& findings) {
  report::LineChart chart;
  chart.x = {.label = "Distance of the win", .unit = "plies"};
  chart.y = percent("Won positions that stay won");
  chart.curves.push_back(distance_curve(findings.examinations.front(), "the report's"));
  std::size_t best = 0;
  for (std::size_t i = 1; i < findings.networks.size(); ++i) {
    const auto kept = [&](std::size_t at) {
      return findings.networks[at].metric("test", "value_kept").value;
    };
    if (best == 0 || kept(i) > kept(best)) best = i;
  }
  if (best > 0) {
    chart.curves.push_back(
        distance_curve(findings.examinations[best], short_name(findings.networks[best].name)));
  }
  chart.curves.push_back(distance_curve(findings.ours_examination, "ours"));
  return {"How far ahead a network sees",
          "Test positions that are won for the side to move, by the plies that the win takes with "
          "best play; points with fewer than 20 positions are left out. The labels of the first "
          "two come from a search of six plies: what is farther away, their teacher does not know "
          "either.",
          chart};
}

double lowest_share(const FanoronaFindings& findings) {
  double lowest = 100;
  for (const auto* examination : {&findings.examinations.front(), &findings.ours_examination}) {
    for (const auto& row : phase_counts(*examination)) {
      for (const auto& count : row) {
        if (count[0] > 0) lowest = std::min(lowest, share_in(count));
      }
    }
  }
  return 5 * std::floor(lowest / 5);
}

report::Figure phase_figure(const FanoronaExamination& examination, const std::string& whose,
                            double low) {
  report::HeatMap map;
  map.columns_label = "Pieces that have moved";
  map.rows_label = "The position is";
  map.rows = {"won", "drawn", "lost"};
  for (int phase = 0; phase < kPhases; ++phase) map.columns.push_back(std::to_string(phase));
  const PhaseCounts counts = phase_counts(examination);
  for (const std::size_t value : {2u, 1u, 0u}) {
    auto& row = map.values.emplace_back();
    for (const auto& count : counts[value]) row.push_back(share_in(count));
  }
  map.color = percent("Best moves");
  map.color.low = low;
  map.color.high = 100;
  return {whose + ": best moves by value and phase",
          "Share of test positions in which the chosen move keeps the value and wins as fast, or "
          "resists as long, as possible. Both maps have the same colours.",
          map};
}

bool has_value_errors(const FanoronaExamination& examination) {
  return std::any_of(examination.value_errors.begin(), examination.value_errors.end(),
                     [](const auto& errors) { return !errors.empty(); });
}

report::Figure value_figure(const FanoronaExamination& examination) {
  report::Histogram histogram;
  histogram.x = {.label = "Error of the value", .scale = report::Scale::logarithmic};
  histogram.counts_label = "Positions";
  constexpr double kLeast = 1e-4;  // a logarithmic axis has no place for nothing at all
  constexpr std::array<const char*, 3> kNames = {"lost", "drawn", "won"};
  for (const std::size_t value : {2u, 1u, 0u}) {
    report::Sample sample{kNames[value]};
    for (const int error : examination.value_errors[value]) {
      sample.values.push_back(std::max(kLeast, std::abs(error) / 1e6));
    }
    if (!sample.values.empty()) histogram.samples.push_back(std::move(sample));
  }
  histogram.bins = 30;
  return {"How far the value head is off",
          "Distance of what the network says (-1 to 1) from the exact value on classes it never "
          "saw, on a logarithmic scale; the leftmost bin holds all that is smaller. Beyond 0.5 the "
          "network takes the position for another result.",
          histogram};
}

report::Figure games_figure(const FanoronaFindings& findings) {
  report::BarChart chart;
  chart.y = {.label = "Games"};
  chart.categories = findings.plan.opponents;
  chart.categories_label = "Against";
  chart.series = {{"won"}, {"drawn"}, {"lost"}};
  for (const FanoronaMatch& match : findings.matches) {
    const std::array<std::int64_t, 3> counts = {match.record.wins, match.record.draws,
                                                match.record.losses};
    for (std::size_t i = 0; i < counts.size(); ++i) {
      chart.series[i].bars.push_back({static_cast<double>(counts[i])});
    }
  }
  return {fmt::format("How the games of {} ended", findings.plan.player), "", chart};
}

}  // namespace damier::lab
