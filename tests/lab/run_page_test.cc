// The page of a run shows every figure as its kind is read.
#include "damier/lab/run_page.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "damier/base/estimate.h"

namespace damier::lab {
namespace {

// All tables of a page, as they are printed.
std::string tables_of(const report::Page& page) {
  std::string text;
  for (const report::Section& section : page.sections) {
    for (const auto& block : section.blocks) {
      if (const auto* table = std::get_if<report::PageTable>(&block)) {
        text += plain_text(table->table);
      }
    }
  }
  return text;
}

const report::LineChart* chart_with(const report::Page& page, std::string_view curve) {
  for (const report::Section& section : page.sections) {
    for (const auto& block : section.blocks) {
      const auto* figure = std::get_if<report::PageFigure>(&block);
      const auto* chart =
          figure == nullptr ? nullptr : std::get_if<report::LineChart>(&figure->figure.chart);
      if (chart == nullptr) continue;
      if (std::any_of(chart->curves.begin(), chart->curves.end(),
                      [&](const report::Curve& one) { return one.name == curve; })) {
        return chart;
      }
    }
  }
  return nullptr;
}

Run training_run() {
  const std::vector<Metric> metrics = {
      {"safe_choice", share_estimate(9, 10)},
      {"bomb_loss", mean_estimate(EstimateKind::loss, 31.0, 10.0, 100)},
      {"mean_squared_error", bare_estimate(EstimateKind::loss, 0.0625, 100)}};
  damier::Run run;
  run.request.kind = "train";
  run.status = RunStatus::done;
  run.summary = {{"epochs", 2}, {"metrics", {{"test", metrics_json(metrics)}}}};
  return run;
}

TEST(RunPages, ShowLossesAsNumbersAndSharesInPercent) {
  const std::string tables = tables_of(run_page(training_run(), {}, 0));
  EXPECT_NE(tables.find("90.00 %"), std::string::npos) << tables;
  EXPECT_NE(tables.find("0.31 "), std::string::npos) << tables;
  EXPECT_NE(tables.find("0.0625 "), std::string::npos) << tables;
  EXPECT_EQ(tables.find("31.00"), std::string::npos) << tables;
  EXPECT_EQ(tables.find("6.25"), std::string::npos) << tables;
}

TEST(RunPages, DrawACurveAsTheFigureItEndsIn) {
  const std::vector<MetricRow> rows = {
      {1, "safe_choice", 0.9}, {1, "mean_squared_error", 0.5}, {1, "training_loss", 0.25}};
  const report::Page page = run_page(training_run(), rows, 0);
  const auto end_of = [&](std::string_view name) {
    for (const report::Curve& curve : chart_with(page, name)->curves) {
      if (curve.name == name) return curve.points.back().y;
    }
    return report::kMissing;
  };
  EXPECT_DOUBLE_EQ(end_of("safe_choice"), 90);
  EXPECT_EQ(chart_with(page, "safe_choice")->y.unit, "%");
  EXPECT_EQ(end_of("mean_squared_error"), 0.5);
  EXPECT_EQ(chart_with(page, "mean_squared_error"), chart_with(page, "training_loss"));
  EXPECT_EQ(chart_with(page, "training_loss")->y.unit, "");
}

TEST(RunPages, ShowAMatchWithItsInterval) {
  damier::Run run;
  run.request.kind = "match";
  run.summary = {
      {"a", {{"player", "one"}, {"wins", 3}, {"draws", 0}, {"losses", 1}, {"score", 0.75}}},
      {"b", {{"player", "two"}, {"wins", 1}, {"draws", 0}, {"losses", 3}, {"score", 0.25}}},
      {"interval", {0.3, 0.95}},
      {"elo", {{"difference", 190.8}, {"interval", {nullptr, 511.5}}}}};
  const std::string tables = tables_of(run_page(run, {}, 4));
  EXPECT_NE(tables.find("75.00 %"), std::string::npos) << tables;
  EXPECT_NE(tables.find("[30.00, 95.00]"), std::string::npos) << tables;
  EXPECT_NE(tables.find("Elo difference of the first: +191 [–, +512]."), std::string::npos)
      << tables;
}

}  // namespace
}  // namespace damier::lab
