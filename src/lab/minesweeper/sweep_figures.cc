// The drawings of what the report varied: shares, orders, numbers of patches, batches and epochs.

#include <fmt/format.h>

#include "damier/lab/minesweeper/figures.h"

namespace damier::lab {

report::Figure sweep_errors_figure(const std::vector<PatchPoint>& points, const std::string& title,
                                   const report::Axis& x,
                                   const std::vector<report::Reference>& references) {
  report::LineChart chart;
  chart.x = x;
  chart.y = {.label = "Absolute error", .low = 0};
  chart.curves = {{"mean"}, {"first quartile"}, {"median"}, {"third quartile"}};
  for (const PatchPoint& point : points) {
    const PatchErrors& errors = point.trained.errors;
    chart.curves[0].points.push_back(report::point_of(point.x, errors.absolute));
    for (std::size_t i = 0; i < errors.quartiles.size(); ++i) {
      chart.curves[i + 1].points.push_back({point.x, errors.quartiles[i]});
    }
  }
  chart.references = references;
  return {title, "On the same 100,000 fresh masked patches, half of them with a bomb.", chart};
}

report::Figure sweep_wins_figure(const std::vector<PatchPoint>& points, const std::string& title,
                                 const report::Axis& x) {
  report::LineChart chart;
  chart.x = x;
  chart.y = {.label = "Games won", .unit = "%", .low = 0};
  report::Curve curve{"ours"};
  for (const PatchPoint& point : points) {
    const auto wins = point.trained.games.win_rate();
    curve.points.push_back(report::point_of(point.x, wins));
  }
  chart.curves = {std::move(curve)};
  const auto games = points.empty() ? 0 : points.front().trained.games.games;
  return {
      title,
      fmt::format("{} games on 10x10 with 10 bombs each, with 95 % intervals. The report looked "
                  "at errors alone.",
                  games),
      chart};
}

report::Figure order_boxes_figure(const MinesweeperFindings& findings) {
  report::BoxPlot plot;
  plot.samples_label = "Order of the rows";
  plot.y = {.label = "Absolute error", .low = 0, .high = 1};
  std::size_t shown = 0;
  for (const PatchPoint& point : findings.orders) {
    report::Sample sample{point.name};
    for (const auto& one : point.trained.errors.sample) sample.values.push_back(one.error);
    shown = sample.values.size();
    plot.samples.push_back(std::move(sample));
  }
  return {"Errors by order of the rows",
          fmt::format("{} of the 100,000 masked patches of the test set, the same for all.", shown),
          plot};
}

report::Figure order_bars_figure(const MinesweeperFindings& findings) {
  report::BarChart chart;
  chart.categories_label = "Order of the rows";
  chart.y = {.label = "Error", .low = 0};
  chart.series = {{"mean absolute"}, {"mean squared"}};
  for (const PatchPoint& point : findings.orders) {
    chart.categories.push_back(point.name);
    chart.series[0].bars.push_back(report::bar_of(point.trained.errors.absolute));
    chart.series[1].bars.push_back(report::bar_of(point.trained.errors.squared));
  }
  std::string caption = "Rows are really presented in that order.";
  // The same training but for the order.
  if (findings.plan.networks[published::kFirst].rows == findings.plan.order_training.rows) {
    chart.references = {
        {"first network", findings.networks[published::kFirst].errors.absolute.value}};
    caption += " The line is the absolute error of the first network, whose rows were shuffled.";
  }
  return {"Mean errors by order of the rows", caption, chart};
}

report::Figure epochs_figure(const MinesweeperFindings& findings) {
  report::LineChart chart;
  chart.x = {.label = "Epoch"};
  chart.y = {.label = "Mean squared error"};
  chart.curves = {loss_curve(findings.epochs, "on training rows", false),
                  loss_curve(findings.epochs, "on validation rows", true)};
  chart.references = {{"the report, 6 epochs", 0.062}};
  return {
      "Error by epoch",
      fmt::format("One training of {} epochs in batches of {}; the validation rows are of other "
                  "patches than those learnt from.",
                  findings.epochs.curve.size(),
                  grouped_digits(static_cast<std::uint64_t>(findings.plan.epoch_training.batch))),
      chart};
}

}  // namespace damier::lab
