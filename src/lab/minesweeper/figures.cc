#include "damier/lab/minesweeper/figures.h"

#include <fmt/format.h>

#include "damier/games/minesweeper/minesweeper.h"
#include "damier/lab/minesweeper/tables.h"

namespace damier::lab {

namespace {

std::string name_of(PatchLink link) { return std::string(link_name(link)); }

report::BarSeries bin_series(const PatchErrors& errors, const std::string& name) {
  report::BarSeries series{name};
  std::int64_t all = 0;
  for (const std::int64_t count : errors.bins) all += count;
  for (const std::int64_t count : errors.bins) {
    series.bars.push_back({all == 0 ? report::kMissing : 100 * share_estimate(count, all).value});
  }
  return series;
}

}  // namespace

report::Figure chain_figure(const Published& published, const MinesweeperFindings& findings) {
  std::vector<BesidePublished> bars;
  const auto add = [&](const std::string& name, const GameTally& tally) {
    bars.push_back({name, published.value(fmt::format("players.{}.wins", name)), tally.win_rate()});
  };
  add("random", findings.random);
  for (std::size_t i = 0; i < kPlay; ++i) {
    add(name_of(static_cast<PatchLink>(i)), findings.links[i].look.games);
  }
  add("flags, tuned", findings.usual().copy);
  bars.push_back({"the same, fresh boards", published.value("tuned.fresh"),
                  findings.links[kFlags].tuned.front().win_rate()});
  bars.push_back({name_of(kPlay), report::kMissing, findings.links[kPlay].look.games.win_rate()});
  report::BarChart chart =
      beside_published(bars, percent_axis("Games won on 10x10 with 10 bombs", true));
  chart.references = {{"our network", 100 * findings.usual().ours.win_rate().value}};
  return {"From the first player to the best",
          "Each change of the report, with what it won and what its copy here wins (95 % "
          "intervals). The line is our own network.",
          chart};
}

report::Figure errors_figure(const MinesweeperFindings& findings, std::span<const PatchLink> links,
                             std::string title, std::string caption) {
  report::BarChart chart;
  chart.categories_label = "Absolute error";
  for (std::size_t bin = 0; bin < kErrorBins; ++bin) {
    chart.categories.push_back(fmt::format("{:.1f}–{:.1f}", static_cast<double>(bin) / 10,
                                           static_cast<double>(bin + 1) / 10));
  }
  chart.y = percent_axis("Masked patches", true);
  for (const PatchLink link : links) {
    chart.series.push_back(bin_series(findings.links[link].look.errors, name_of(link)));
  }
  return {std::move(title), std::move(caption), chart};
}

report::Figure scatter_figure(const MinesweeperFindings& findings, PatchLink link,
                              const std::string& whose) {
  const auto& sample = findings.links[link].look.errors.sample;
  report::ScatterPlot plot;
  plot.x = {.label = "Open safe cells of the patch", .low = 0, .high = 24};
  plot.y = {.label = "Absolute error", .low = 0, .high = 1};
  plot.series = {{"masked patches"}};
  for (std::size_t i = 0; i < sample.size(); ++i) {
    const double aside = 0.1 * (static_cast<double>(i % 7) - 3);
    plot.series[0].points.push_back({sample[i].uncovered + aside, sample[i].error});
  }
  return {whose + ": errors against open cells",
          fmt::format("{} masked patches of its test set, drawn a little aside so that they do not "
                      "hide each other.",
                      sample.size()),
          plot};
}

report::Figure uncovered_figure(const MinesweeperFindings& findings,
                                std::span<const PatchLink> links) {
  constexpr std::int64_t kMinCount = 50;
  report::LineChart chart;
  chart.x = {.label = "Open safe cells of the patch"};
  chart.y = {.label = "Mean absolute error", .low = 0};
  for (const PatchLink link : links) {
    const PatchErrors& errors = findings.links[link].look.errors;
    report::Curve curve{name_of(link)};
    for (std::size_t open = 0; open < kMaxUncovered; ++open) {
      if (errors.count[open] < kMinCount) continue;
      curve.points.push_back({static_cast<double>(open), errors.mean[open]});
    }
    chart.curves.push_back(std::move(curve));
  }
  return {"The more is seen, the smaller the error",
          "Means over all patches of the test set; points with fewer than 50 are left out.", chart};
}

report::Figure wide_figure(const Published& published, const MinesweeperFindings& findings) {
  std::vector<BesidePublished> bars;
  for (const PatchLink link : {kTrained, kWide}) {
    const PatchNetwork& network = findings.links[link];
    bars.push_back({grouped(network.trained.parameters) + " parameters",
                    published.value(fmt::format("players.{}.wins", link_name(link))),
                    network.look.games.win_rate()});
  }
  return {"A wider network", "Win rates on 10x10 with 10 bombs, with 95 % intervals for ours.",
          beside_published(bars, percent_axis("Games won", true))};
}

report::Figure duplicates_figure(const Published& published, const MinesweeperFindings& findings) {
  const auto share = [](double value) { return bare_estimate(EstimateKind::share, value, 0); };
  const std::vector<BesidePublished> bars = {
      {"safe centre", published.value("duplicates.safe"), share(findings.duplicates.safe)},
      {"bomb in the centre", published.value("duplicates.bomb"), share(findings.duplicates.bomb)}};
  return {"Duplicates",
          fmt::format("Among {} patches of each kind, as in the report.",
                      grouped(findings.plan.duplicates_of)),
          beside_published(bars, percent_axis("Patches that an earlier one equals", true))};
}

report::Figure boards_figure(const Published& published, const MinesweeperFindings& findings,
                             const std::string& name, const std::string& column) {
  const bool scores = column == "score", by_size = name == "sizes";
  report::LineChart chart;
  chart.x = {.label = by_size ? "Rows and columns, with one bomb in ten cells" : "Bombs on 10x10"};
  chart.y = percent_axis(scores ? "Mean score, of the highest" : "Games won", true);
  chart.y.high = 100;
  chart.curves = {{"the report"}, {"our copy of its player"}, {"our network"}};
  for (const std::string& board : boards_of(findings.plan, name)) {
    const auto game = games::minesweeper::Minesweeper::make({{"board", board}});
    if (!game) continue;  // the study has read them all
    const double at = by_size ? game->rows() : game->bombs();
    const BoardFindings& found = findings.boards.at(board);
    const auto figure = [&](const GameTally& tally) {
      return point_of(at, scores ? tally.score_share() : tally.win_rate());
    };
    chart.curves[0].points.push_back(
        {at, published.value(fmt::format("{}.{}.{}", name, board, column))});
    chart.curves[1].points.push_back(figure(found.copy));
    chart.curves[2].points.push_back(figure(found.ours));
  }
  return {fmt::format("{} by {}", scores ? "Scores" : "Wins",
                      by_size ? "size of the board" : "number of bombs"),
          fmt::format("With 95 % intervals for ours; the report's come from {:g} games each.",
                      published.value("games")),
          chart};
}

report::Figure sweep_errors_figure(const MinesweeperFindings& findings,
                                   const std::vector<PatchPoint>& points, const std::string& title,
                                   const report::Axis& x,
                                   const std::vector<report::Reference>& references) {
  report::LineChart chart;
  chart.x = x;
  chart.y = {.label = "Absolute error", .low = 0};
  chart.curves = {curve_over("mean", points,
                             [](const PatchPoint& point) { return point.look.errors.absolute; })};
  const std::array<const char*, 3> names = {"first quartile", "median", "third quartile"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    chart.curves.push_back(curve_over(names[i], points, [i](const PatchPoint& point) {
      return bare_estimate(EstimateKind::loss, point.look.errors.quartiles[i], 0);
    }));
  }
  chart.references = references;
  return {title,
          fmt::format("On the same {} fresh masked patches, half of them with a bomb.",
                      grouped(findings.plan.fresh)),
          chart};
}

report::Figure sweep_wins_figure(const std::vector<PatchPoint>& points, const std::string& title,
                                 const report::Axis& x) {
  report::LineChart chart;
  chart.x = x;
  chart.y = percent_axis("Games won", true);
  chart.curves = {curve_over("ours", points,
                             [](const PatchPoint& point) { return point.look.games.win_rate(); })};
  const auto games = points.empty() ? 0 : points.front().look.games.games;
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
  for (const PatchPoint& point : findings.sweeps[kOrders]) {
    report::Sample sample{point.name};
    for (const auto& one : point.look.errors.sample) sample.values.push_back(one.error);
    shown = sample.values.size();
    plot.samples.push_back(std::move(sample));
  }
  return {"Errors by order of the rows",
          fmt::format("{} of the {} masked patches of the test set, the same for all.", shown,
                      grouped(findings.plan.fresh)),
          plot};
}

report::Figure order_bars_figure(const MinesweeperFindings& findings) {
  report::BarChart chart;
  chart.categories_label = "Order of the rows";
  chart.y = {.label = "Error", .low = 0};
  chart.series = {{"mean absolute"}, {"mean squared"}};
  for (const PatchPoint& point : findings.sweeps[kOrders]) {
    chart.categories.push_back(point.name);
    chart.series[0].bars.push_back(bar_of(point.look.errors.absolute));
    chart.series[1].bars.push_back(bar_of(point.look.errors.squared));
  }
  std::string caption = "Rows are really presented in that order.";
  // The same training but for the order.
  if (findings.plan.links[kFirst].rows == findings.plan.sweeps[kOrders].training.rows) {
    chart.references = {{"first network", findings.links[kFirst].look.errors.absolute.value}};
    caption += " The line is the absolute error of the first network, whose rows were shuffled.";
  }
  return {"Mean errors by order of the rows", caption, chart};
}

}  // namespace damier::lab
