#include "damier/lab/minesweeper/figures.h"

#include <algorithm>

#include <fmt/format.h>

namespace damier::lab {

namespace {

using published::kScores;

report::Axis percent(std::string label) { return {.label = std::move(label), .unit = "%"}; }

std::string name_of(published::Player player) { return std::string(kScores[player].name); }

std::vector<std::string> bin_names() {
  std::vector<std::string> names;
  for (std::size_t bin = 0; bin < kErrorBins; ++bin) {
    names.push_back(fmt::format("{:.1f}–{:.1f}", static_cast<double>(bin) / 10,
                                static_cast<double>(bin + 1) / 10));
  }
  return names;
}

report::BarSeries bin_series(const PatchErrors& errors, const std::string& name) {
  report::BarSeries series{name};
  std::int64_t all = 0;
  for (const std::int64_t count : errors.bins) all += count;
  for (const std::int64_t count : errors.bins) {
    series.bars.push_back({all == 0 ? report::kMissing
                                    : 100 * static_cast<double>(count) / static_cast<double>(all)});
  }
  return series;
}

report::Figure board_figure(const std::vector<BoardFindings>& boards, const std::string& title,
                            report::Axis x, BoardFigure figure, bool by_bombs) {
  const bool scores = figure == BoardFigure::scores;
  report::LineChart chart;
  chart.x = std::move(x);
  chart.y = percent(scores ? "Mean score, of the highest" : "Games won");
  chart.y.low = 0;
  chart.y.high = 100;
  chart.curves = {{"the report"}, {"our copy of its player"}, {"our network"}};
  for (const BoardFindings& found : boards) {
    const double at = by_bombs ? found.board.bombs : found.board.side;
    chart.curves[0].points.push_back({at, scores ? found.board.score : found.board.wins});
    const auto metric = [&](const GameTally& tally) {
      return scores ? tally.score_share() : tally.win_rate();
    };
    chart.curves[1].points.push_back(report::point_of(at, metric(found.copy)));
    chart.curves[2].points.push_back(report::point_of(at, metric(found.ours)));
  }
  return {title, "With 95 % intervals for ours; the report's come from 1,000 games each.", chart};
}

}  // namespace

report::Figure chain_figure(const MinesweeperFindings& findings) {
  report::BarChart chart;
  chart.y = percent("Games won on 10x10 with 10 bombs");
  chart.y.low = 0;
  chart.series = {{"the report"}, {"ours"}};
  const auto add = [&](const published::Scores& theirs, const GameTally& tally) {
    chart.categories.emplace_back(theirs.name);
    chart.series[0].bars.push_back({theirs.wins});
    chart.series[1].bars.push_back(report::bar_of(tally.win_rate()));
  };
  add(published::kRandom, findings.random);
  for (std::size_t i = 0; i < kMinesweeperNetworks; ++i)
    add(kScores[i], findings.networks[i].games);
  add(kScores[published::kTuned], findings.tuned);
  chart.references = {{"our network", 100 * findings.ours.win_rate().value}};
  return {"From the first player to the best",
          "Each change of the report, with what it won and what its copy here wins (95 % "
          "intervals). The line is our own network.",
          chart};
}

report::Figure first_errors_figure(const MinesweeperFindings& findings) {
  report::BarChart chart;
  chart.categories_label = "Absolute error";
  chart.categories = bin_names();
  chart.y = percent("Masked patches");
  chart.y.low = 0;
  chart.series = {bin_series(findings.networks[published::kFirst].errors, "first")};
  return {
      "Errors of the first network",
      "Distance of the predicted risk from the truth on 100,000 fresh masked patches. The report "
      "has 62 % below 0.1, 10 % from there to 0.2, 12 % above 0.6 and 5 % above 0.9.",
      chart};
}

report::Figure all_errors_figure(const MinesweeperFindings& findings) {
  report::BarChart chart;
  chart.categories_label = "Absolute error";
  chart.categories = bin_names();
  chart.y = percent("Masked patches");
  chart.y.low = 0;
  for (const auto player :
       {published::kFirst, published::kMany, published::kTrained, published::kDistinct}) {
    chart.series.push_back(bin_series(findings.networks[player].errors, name_of(player)));
  }
  return {
      "Errors along the chain",
      "The last one is tested on patches without duplicates, which are harder: patches that come "
      "often are easy ones.",
      chart};
}

report::Figure scatter_figure(const PatchNetwork& network, const std::string& whose) {
  report::ScatterPlot plot;
  plot.x = {.label = "Open safe cells of the patch", .low = 0, .high = 24};
  plot.y = {.label = "Absolute error", .low = 0, .high = 1};
  plot.series = {{"masked patches"}};
  for (std::size_t i = 0; i < network.errors.sample.size(); ++i) {
    const auto& point = network.errors.sample[i];
    const double aside = 0.1 * (static_cast<double>(i % 7) - 3);
    plot.series[0].points.push_back({point.uncovered + aside, point.error});
  }
  return {whose + ": errors against open cells",
          fmt::format("{} masked patches of its test set, drawn a little aside so that they do not "
                      "hide each other.",
                      network.errors.sample.size()),
          plot};
}

report::Figure uncovered_figure(const MinesweeperFindings& findings) {
  constexpr std::int64_t kFewest = 50;
  report::LineChart chart;
  chart.x = {.label = "Open safe cells of the patch"};
  chart.y = {.label = "Mean absolute error", .low = 0};
  for (const auto player :
       {published::kFirst, published::kMany, published::kTrained, published::kDistinct}) {
    const PatchErrors& errors = findings.networks[player].errors;
    report::Curve curve{name_of(player)};
    for (std::size_t open = 0; open < kMostUncovered; ++open) {
      if (errors.count[open] < kFewest) continue;
      curve.points.push_back({static_cast<double>(open), errors.mean[open]});
    }
    chart.curves.push_back(std::move(curve));
  }
  return {"The more is seen, the smaller the error",
          "Means over all patches of the test set; points with fewer than 50 are left out.", chart};
}

report::Figure first_scores_figure(const MinesweeperFindings& findings) {
  report::BoxPlot plot;
  plot.y = {.label = "Safe cells opened, of 90", .low = 0, .high = 90};
  plot.samples = {{"random", findings.random.values()},
                  {"first", findings.networks[published::kFirst].games.values()}};
  return {
      "Scores of the first player and of chance",
      fmt::format("{} games each. The report has means of 61 and 68, quartiles of 55, 71, 78 and "
                  "61, 82, 88.",
                  findings.plan.games),
      plot};
}

report::Figure best_scores_figure(const MinesweeperFindings& findings) {
  report::BoxPlot plot;
  plot.y = {.label = "Safe cells opened, of 90", .low = 0, .high = 90};
  plot.samples = {{"random", findings.random.values()},
                  {"without flags", findings.networks[published::kDistinct].games.values()},
                  {"flags, tuned", findings.tuned.values()},
                  {"our network", findings.ours.values()}};
  return {"Scores of the three players, and of ours",
          "The report has means of 61, 76 and 82. A box that is a line at 90 is a player that wins "
          "more than three games in four.",
          plot};
}

report::Figure wide_figure(const MinesweeperFindings& findings) {
  report::BarChart chart;
  chart.y = percent("Games won");
  chart.y.low = 0;
  chart.series = {{"the report"}, {"ours"}};
  for (const auto player : {published::kTrained, published::kWide}) {
    chart.categories.push_back(grouped_digits(findings.networks[player].network.parameters) +
                               " parameters");
    chart.series[0].bars.push_back({kScores[player].wins});
    chart.series[1].bars.push_back(report::bar_of(findings.networks[player].games.win_rate()));
  }
  return {"A wider network", "Win rates on 10x10 with 10 bombs, with 95 % intervals for ours.",
          chart};
}

report::Figure duplicates_figure(const MinesweeperFindings& findings) {
  report::BarChart chart;
  chart.y = percent("Patches that an earlier one equals");
  chart.y.low = 0;
  chart.categories = {"safe centre", "bomb in the centre"};
  chart.series = {{"the report", {{published::kSafeDuplicates}, {published::kBombDuplicates}}},
                  {"ours", {{100 * findings.safe_duplicates}, {100 * findings.bomb_duplicates}}}};
  return {"Duplicates",
          fmt::format("Among {} patches of each kind; the report counts 500,000.",
                      grouped_digits(findings.plan.duplicates_of)),
          chart};
}

report::Figure grid_figure(const GridFindings& tried, std::int64_t games) {
  report::HeatMap map;
  map.columns_label = "Flag threshold";
  map.rows_label = "Playful level";
  for (const double threshold : tried.grid.threshold) {
    map.columns.push_back(fmt::format("{:g}", threshold));
  }
  for (std::size_t p = 0; p < tried.grid.playful.size(); ++p) {
    map.rows.push_back(fmt::format("{:g}", tried.grid.playful[p]));
    auto& row = map.values.emplace_back();
    for (const std::int64_t wins : tried.wins[p]) {
      row.push_back(games == 0 ? report::kMissing
                               : 100 * static_cast<double>(wins) / static_cast<double>(games));
    }
  }
  map.color = percent("Games won");
  return {
      fmt::format("Wins by playful level and flag threshold, {:g} to {:g}",
                  tried.grid.playful.front(), tried.grid.playful.back()),
      fmt::format("{} games a setting, the same for all of them. The report's best is 1.15 with "
                  "0.96.",
                  games),
      map};
}

report::Figure sizes_figure(const MinesweeperFindings& findings, BoardFigure figure) {
  return board_figure(
      findings.sizes,
      figure == BoardFigure::wins ? "Wins by size of the board" : "Scores by size of the board",
      {.label = "Rows and columns, with one bomb in ten cells"}, figure, false);
}

report::Figure densities_figure(const MinesweeperFindings& findings, BoardFigure figure) {
  return board_figure(
      findings.densities,
      figure == BoardFigure::wins ? "Wins by number of bombs" : "Scores by number of bombs",
      {.label = "Bombs on 10x10"}, figure, true);
}

}  // namespace damier::lab
