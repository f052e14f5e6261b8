// The findings on chess as tables and as a page.

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "damier/base/text/text.h"
#include "damier/lab/charts.h"
#include "damier/lab/chess/experiment.h"
#include "damier/learn/chess/value_errors.h"

namespace damier::lab {

namespace {

using learn::chess::kCentipawnsMetric;
using learn::chess::kRSquaredMetric;
using learn::chess::kSignMetric;
using learn::chess::kSquaredMetric;

// Who values positions, with how it did on the test games.
struct ValuedBy {
  std::string name;
  std::uint64_t parameters = 0;
  std::function<Estimate(std::string_view metric)> error;
  bool is_best = false;
};

std::vector<ValuedBy> all_of(const ChessFindings& findings) {
  const auto trained = [](const TrainedNetwork& network) {
    return [&network](std::string_view metric) { return network.metric("test", metric); };
  };
  const auto measured = [](const ChessErrors& errors) {
    return [&errors](std::string_view metric) { return errors.estimate(metric); };
  };
  std::vector<ValuedBy> all = {
      {"always even", 0, measured(findings.zero)},
      {"material", 0, measured(findings.material)},
      {"piece-square table", findings.table.parameters, trained(findings.table)}};
  for (const ChessNetwork& network : findings.networks) {
    all.push_back({network.name(), network.trained.parameters, trained(network.trained)});
  }
  all.push_back(
      {"chess-value", findings.better.parameters, measured(findings.better_errors), true});
  return all;
}

report::Table errors_table(const ChessFindings& findings) {
  report::Table table;
  table.caption = "Errors in games that were not learnt from";
  table.columns = {{"Valued by"},
                   {"Centipawns", report::Align::right},
                   {"R²", report::Align::right},
                   {"Sign (%)", report::Align::right},
                   {"Squared error", report::Align::right},
                   {"Parameters", report::Align::right}};
  for (const ValuedBy& one : all_of(findings)) {
    table.rows.push_back(
        {{one.name, with_reach(one.error(kCentipawnsMetric), 0),
          fmt::format("{:.3f}", one.error(kRSquaredMetric).value),
          with_reach(one.error(kSignMetric), 1), with_reach(one.error(kSquaredMetric), 4),
          one.parameters == 0 ? "—" : grouped(one.parameters)},
         one.is_best});
  }
  table.note = fmt::format(
      "{} positions. Centipawns: the mean distance from the label, both within 2,000. R² and "
      "squared error are those of White's expected result, σ(centipawns / 400). Sign: how often "
      "the side that is ahead is named. After ±: half of the 95 % interval over positions.",
      grouped(findings.zero.n));
  return table;
}

report::Table epochs_table(const ChessFindings& findings) {
  report::Table table;
  table.caption = "Mean error in centipawns on the validation games, epoch by epoch";
  table.columns = {{"Network"}};
  const std::size_t epochs = findings.networks.front().trained.curve.size();
  for (std::size_t i = 1; i <= epochs; ++i) {
    table.columns.push_back({fmt::format("{}", i), report::Align::right});
  }
  table.columns.push_back({"R² at the end", report::Align::right});
  for (const ChessNetwork& network : findings.networks) {
    report::Row row{{network.name()}};
    const TrainedFigure* figure = network.trained.figure(kCentipawnsMetric);
    for (std::size_t i = 0; i < epochs; ++i) {
      row.cells.push_back(figure != nullptr && i < figure->by_epoch.size()
                              ? fmt::format("{:.0f}", figure->by_epoch[i].second)
                              : "—");
    }
    row.cells.push_back(
        fmt::format("{:.3f}", network.trained.metric("validation", kRSquaredMetric).value));
    table.rows.push_back(std::move(row));
  }
  return table;
}

report::Table rates_table(const ChessFindings& findings) {
  report::Table table;
  table.caption = "The rate: mean error in centipawns on the test games, bytes / 255";
  table.columns = {{"Rate α", report::Align::right},
                   {"Local rule", report::Align::right},
                   {"Backpropagation", report::Align::right},
                   {"Local rule: rates by layer, from the top"}};
  const std::size_t rules = findings.plan.rules.size();
  for (std::size_t i = 0; i < findings.plan.rates.size(); ++i) {
    const double a = findings.plan.rates[i];
    report::Row row{{fmt::format("{:g}", a)}};
    for (std::size_t k = 0; k < rules; ++k) {
      row.cells.push_back(
          with_reach(findings.sweep[i * rules + k].trained.metric("test", kCentipawnsMetric), 0));
    }
    row.cells.push_back(fmt::format("{:.3g}, {:.3g}, {:.3g}", a, a * 2 * a, a * 4 * a * a));
    table.rows.push_back(std::move(row));
  }
  table.note =
      "The local rule is backpropagation of the squared error with the rate α(2α)^k in the layer k "
      "below the output: at α = 1/2 the two are the same, below that the lower layers hardly "
      "learn, above it they learn faster than the top.";
  return table;
}

report::Curve figure_curve(const ChessNetwork& network, std::string_view metric, double scale) {
  report::Curve curve{network.name()};
  if (const TrainedFigure* figure = network.trained.figure(metric)) {
    for (const auto& [epoch, value] : figure->by_epoch) {
      curve.points.push_back({static_cast<double>(epoch), scale * value});
    }
  }
  return curve;
}

report::Figure curve_figure(const ChessFindings& findings, std::string_view metric,
                            std::string title, std::string label, double scale = 1) {
  report::LineChart chart;
  chart.x = {.label = "Epoch"};
  chart.y = {.label = std::move(label)};
  for (const ChessNetwork& network : findings.networks) {
    chart.curves.push_back(figure_curve(network, metric, scale));
  }
  if (metric == kCentipawnsMetric) {
    chart.references = {{"always even", findings.zero.centipawns},
                        {"material", findings.material.centipawns}};
  }
  return {std::move(title),
          "On the validation games, after each epoch. No weights were chosen by these figures.",
          std::move(chart)};
}

report::Figure errors_figure(const ChessFindings& findings) {
  report::BarChart chart;
  chart.y = {.label = "Mean error in centipawns"};
  chart.series = {{"test games"}};
  for (const ValuedBy& one : all_of(findings)) {
    chart.categories.push_back(one.name);
    chart.series[0].bars.push_back(bar_of(one.error(kCentipawnsMetric)));
  }
  return {"Mean error by who values the position", "On the test games, with 95 % intervals.",
          std::move(chart)};
}

report::Figure rates_figure(const ChessFindings& findings) {
  report::LineChart chart;
  chart.x = {.label = "Rate", .scale = report::Scale::logarithmic};
  chart.y = {.label = "Mean error in centipawns"};
  for (const std::string& rule : findings.plan.rules) {
    report::Curve curve{rule == "local" ? "local rule" : rule};
    for (const ChessNetwork& one : findings.sweep) {
      if (one.rule != rule) continue;
      curve.points.push_back(
          report::point_of(one.rate, one.trained.metric("test", kCentipawnsMetric)));
    }
    chart.curves.push_back(std::move(curve));
  }
  return {"The rate of both rules", "On the test games after the last epoch; bytes / 255.",
          std::move(chart)};
}

std::string centipawns_text(const Estimate& estimate) {
  return fmt::format("{:.0f} centipawns", estimate.value);
}

const ChessNetwork& best_network(const ChessFindings& findings) {
  return *std::min_element(findings.networks.begin(), findings.networks.end(),
                           [](const ChessNetwork& a, const ChessNetwork& b) {
                             return a.trained.metric("test", kCentipawnsMetric).value <
                                    b.trained.metric("test", kCentipawnsMetric).value;
                           });
}

std::string lead_of(const ChessFindings& findings) {
  const ChessNetwork& best = best_network(findings);
  return fmt::format(
      "In games that it did not learn from, the report's network is off by **{}** on average in "
      "its best form (*{}*); counting the material is off by {}, a piece-square table fitted to "
      "the same positions by {}. A better small network is off by **{}** and names the side that "
      "is ahead in {}.",
      centipawns_text(best.trained.metric("test", kCentipawnsMetric)), best.name(),
      centipawns_text(findings.material.estimate(kCentipawnsMetric)),
      centipawns_text(findings.table.metric("test", kCentipawnsMetric)),
      centipawns_text(findings.better_errors.estimate(kCentipawnsMetric)),
      percent_text(findings.better_errors.estimate(kSignMetric)));
}

report::Section result_section(const ChessFindings& findings, report::PageTable comparisons) {
  const auto number = [](const Estimate& figure, std::string label) -> report::KeyNumber {
    return {centipawns_text(figure), std::move(label),
            fmt::format("95 %: {:.0f} to {:.0f}", figure.interval.low, figure.interval.high)};
  };
  report::KeyNumbers numbers;
  numbers.numbers = {
      number(findings.material.estimate(kCentipawnsMetric), "material alone"),
      number(best_network(findings).trained.metric("test", kCentipawnsMetric),
             "the report's network, its best form"),
      number(findings.better_errors.estimate(kCentipawnsMetric), "chess-value, our recipe")};
  return {"Result",
          {report::Paragraph{
               "The report prints the shape of its network (96 inputs in its text, 97 in its "
               "program, two hidden layers of 64, one output), \"more than 10,300 neurons\", which "
               "are its weights, five epochs and 20,000 positions. It prints **no error of any "
               "kind**, no rate, and not where its targets come from. So our errors are new."},
           numbers, report::PageTable{errors_table(findings)},
           report::PageFigure{errors_figure(findings)}, std::move(comparisons)}};
}

report::Section learning_section(const ChessFindings& findings) {
  return {
      "Epoch by epoch",
      {report::Paragraph{
           "A byte of a board goes up to 255. Fed as it is, it drives the sigmoids of the first "
           "layer to 0 or 1, where their slope is next to nothing, and the network sees little "
           "more than noise; divided by 255 the same bytes can be learnt from. Yet a byte is a "
           "poor number for a rank of squares: a pawn on the h-file weighs 128 times one on the "
           "a-file. The 769 bits let every square count for itself."},
       report::PageTable{epochs_table(findings)},
       report::PageFigure{curve_figure(findings, kCentipawnsMetric, "Mean error by epoch",
                                       "Mean error in centipawns")},
       report::PageFigure{
           curve_figure(findings, kRSquaredMetric, "R² of the expected result by epoch", "R²")},
       report::PageFigure{curve_figure(findings, kSignMetric, "The side ahead is named, by epoch",
                                       "Sign agreement (%)", 100)},
       report::PageFigure{curve_figure(findings, kSquaredMetric, "Squared error by epoch",
                                       "Squared error after the sigmoid")}}};
}

report::Section rule_section(const ChessFindings& findings) {
  return {"The layer-local rule",
          {report::Paragraph{
               "The report's rule goes from the top layer down: each layer makes its distance from "
               "a target smaller by a step of its weights and of its inputs, and the moved inputs "
               "are the target of the layer below. That is backpropagation with another rate in "
               "every layer, so its rate decides how much the lower layers learn at all."},
           report::PageTable{rates_table(findings)}, report::PageFigure{rates_figure(findings)}}};
}

std::vector<std::string> limits() {
  return {
      "The positions come from games that our engine plays against itself after some random moves; "
      "the labels are our engine's scores after a short search, within ±2,000 centipawns, mates "
      "among them. Neither is known of the report.",
      "Positions are split by game, and a position that came before is left out: no test game was "
      "learnt from. Positions of one game resemble each other, so the intervals, which take them "
      "for independent, are somewhat too narrow.",
      "A label sees captures to come, a network that does not search cannot: part of every error "
      "here is not for the network to remove.",
      "The six networks differ in encoder and rule alone; the rate is the recipe's, the same for "
      "both rules, and was chosen with figures of seed 1 in sight. `chess-value` differs in more: "
      "inputs (768, as the side to move sees the board), layers, optimiser, epochs and positions.",
      "The piece-square table is one layer over the bits, learnt from the same positions: a weight "
      "for each piece on each square, through a sigmoid."};
}

constexpr std::string_view kQuickLimits =
    "This is the *quick* version: fewer positions and shorter searches for the labels. Its errors "
    "are larger than those of the full one.";

}  // namespace

Result<ExperimentResult> present_chess(const Published& published, const ChessFindings& findings,
                                       const ExperimentOptions& options) {
  auto comparisons = compare(published, measured_chess(findings));
  if (!comparisons) return std::move(comparisons).error();
  ExperimentResult result;
  result.comparisons = *std::move(comparisons);
  result.tables = {errors_table(findings), epochs_table(findings), rates_table(findings)};
  report::Page& report = result.report;
  report.title = "Chess: what is a dense evaluator worth?";
  report.subtitle =
      "A report's network with its own learning rule and with backpropagation, beside baselines";
  report.lead = lead_of(findings);
  report.sections = {result_section(findings, comparison_block(result.comparisons, options)),
                     learning_section(findings), rule_section(findings)};
  finish_report(report, published, options, limits(), kQuickLimits);
  return result;
}

}  // namespace damier::lab
