// Drawings and tables that studies have in common: estimates as bars and points, curves of
// trainings, sweeps over one parameter as lines and over two as heat maps.
#pragma once

#include <concepts>
#include <span>
#include <string>
#include <vector>

#include "damier/base/json/described.h"
#include "damier/base/numbers/estimate.h"
#include "damier/lab/trained_network.h"
#include "damier/report/plot/plot.h"
#include "damier/report/plot/table.h"

namespace damier::lab {

using report::bar_of;
using report::point_of;

report::Axis percent_axis(std::string label, bool from_zero = false);

// "85.5 ± 0.8": a share in percent, and how far its interval reaches.
std::string with_reach(const Estimate& estimate, int digits);
std::string grouped(std::integral auto number) {
  return grouped_digits(static_cast<std::uint64_t>(number));
}
std::string percent_text(const Estimate& share);  // "84.6 %"

// A curve over points that have a place `x`: figure(point) is an estimate.
template <class Points, class FigureOf>
report::Curve curve_over(std::string name, const Points& points, const FigureOf& figure) {
  report::Curve curve{std::move(name)};
  for (const auto& point : points) curve.points.push_back(point_of(point.x, figure(point)));
  return curve;
}

// Bars of what was published beside ours: one category a name.
struct BesidePublished {
  std::string name;
  double published = report::kMissing;
  Estimate ours;
};
report::BarChart beside_published(std::span<const BesidePublished> bars, report::Axis y);

// Loss of one training by epoch, on training and validation rows.
report::LineChart loss_chart(const TrainedNetwork& network, std::string label = "Loss");
// The main metric by epoch of several trainings.
struct NamedNetwork {
  std::string name;
  const TrainedNetwork* network;
};
report::LineChart learning_chart(std::span<const NamedNetwork> networks, std::string label);

// A sweep over two parameters: successes[i][j] of `trials` each with rows[i] and columns[j].
struct Grid {
  std::vector<double> rows, columns;
  std::int64_t trials = 0;
  std::vector<std::vector<std::int64_t>> successes;
};
void describe(auto& fields, Is<Grid> auto& grid) {
  fields("rows", grid.rows);
  fields("columns", grid.columns);
  fields("trials", grid.trials);
  fields("successes", grid.successes);
}
struct GridChoice {
  double row = 0, column = 0;
  std::int64_t successes = -1;
};
// The setting of the most successes; of as many, the first.
GridChoice best_of(std::span<const Grid> grids);
report::HeatMap grid_map(const Grid& grid, std::string rows_label, std::string columns_label,
                         report::Axis color);

// Figures of several trainings that differ in their seed alone.
struct SeedSpread {
  Estimate mean;  // with Student's interval
  double lowest = 0, highest = 0;
  std::size_t seeds = 0;
};
SeedSpread spread_of(std::span<const Estimate> by_seed);

}  // namespace damier::lab
