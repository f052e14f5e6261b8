#include "damier/lab/charts.h"

#include <algorithm>

#include <fmt/format.h>

namespace damier::lab {

report::Axis percent_axis(std::string label, bool from_zero) {
  report::Axis axis = {.label = std::move(label), .unit = "%"};
  if (from_zero) axis.low = 0;
  return axis;
}

std::string with_reach(const Estimate& estimate, int digits) {
  const report::Bar bar = bar_of(estimate);
  return fmt::format("{:.{}f} ± {:.{}f}", bar.value, digits, (bar.high - bar.low) / 2, digits);
}

std::string percent_text(const Estimate& share) {
  return fmt::format("{:.1f} %", 100 * share.value);
}

report::BarChart beside_published(std::span<const BesidePublished> bars, report::Axis y) {
  report::BarChart chart;
  chart.y = std::move(y);
  chart.series = {{"the report"}, {"ours"}};
  for (const BesidePublished& bar : bars) {
    chart.categories.push_back(bar.name);
    chart.series[0].bars.push_back({bar.published});
    chart.series[1].bars.push_back(bar_of(bar.ours));
  }
  return chart;
}

report::LineChart loss_chart(const TrainedNetwork& network, std::string label) {
  report::LineChart chart;
  chart.x = {.label = "Epoch"};
  chart.y = {.label = std::move(label)};
  chart.curves = {loss_curve(network, "on training rows", false),
                  loss_curve(network, "on validation rows", true)};
  return chart;
}

report::LineChart learning_chart(std::span<const NamedNetwork> networks, std::string label) {
  report::LineChart chart;
  chart.x = {.label = "Epoch"};
  chart.y = percent_axis(std::move(label));
  for (const NamedNetwork& one : networks) {
    chart.curves.push_back(accuracy_curve(*one.network, one.name));
  }
  return chart;
}

GridChoice best_of(std::span<const Grid> grids) {
  GridChoice best;
  for (const Grid& grid : grids) {
    for (std::size_t i = 0; i < grid.rows.size(); ++i) {
      for (std::size_t j = 0; j < grid.columns.size(); ++j) {
        if (grid.successes[i][j] <= best.successes) continue;
        best = {grid.rows[i], grid.columns[j], grid.successes[i][j]};
      }
    }
  }
  return best;
}

report::HeatMap grid_map(const Grid& grid, std::string rows_label, std::string columns_label,
                         report::Axis color) {
  report::HeatMap map;
  map.rows_label = std::move(rows_label);
  map.columns_label = std::move(columns_label);
  map.color = std::move(color);
  for (const double column : grid.columns) map.columns.push_back(fmt::format("{:g}", column));
  for (std::size_t i = 0; i < grid.rows.size(); ++i) {
    map.rows.push_back(fmt::format("{:g}", grid.rows[i]));
    auto& row = map.values.emplace_back();
    for (const std::int64_t successes : grid.successes[i]) {
      row.push_back(grid.trials == 0
                        ? report::kMissing
                        : 100 * static_cast<double>(successes) / static_cast<double>(grid.trials));
    }
  }
  return map;
}

SeedSpread spread_of(std::span<const Estimate> by_seed) {
  std::vector<double> values;
  for (const Estimate& one : by_seed) values.push_back(one.value);
  if (values.empty()) return {};
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return {mean_estimate(by_seed.front().kind, values), *low, *high, values.size()};
}

}  // namespace damier::lab
