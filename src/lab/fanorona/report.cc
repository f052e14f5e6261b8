// The findings on fanoron-telo as tables and as a page.

#include <algorithm>

#include <fmt/format.h>

#include "damier/base/text/text.h"
#include "damier/lab/charts.h"
#include "damier/lab/fanorona/experiment.h"
#include "damier/lab/fanorona/figures.h"

namespace damier::lab {

namespace {

std::string share_text(const Estimate& estimate) {
  return figure_text(EstimateKind::share, estimate.value);
}

report::Table extensions_table(const FanoronaFindings& findings) {
  report::Table table;
  table.caption = "The report's network and its extensions, on the same unseen positions";
  table.columns = {{"Network"},
                   {"As labelled (%)", report::Align::right},
                   {"Value kept (%)", report::Align::right},
                   {"Shortest (%)", report::Align::right},
                   {"Regret", report::Align::right},
                   {"Parameters", report::Align::right},
                   {"Training", report::Align::right}};
  const std::size_t best = best_extension(findings);
  for (std::size_t i = 0; i < findings.networks.size(); ++i) {
    const FanoronaNetwork& network = findings.networks[i];
    table.rows.push_back(
        {{network.name, with_reach(network.on_test("label_accuracy"), 1),
          with_reach(network.on_test("value_kept"), 1), with_reach(network.on_test("shortest"), 1),
          with_reach(network.on_test("regret"), 3), grouped(network.trained.parameters),
          fmt::format("{:.1f} s", network.trained.seconds)},
         best > 0 && i == best});
  }
  table.note =
      "Regret: what a move loses on average, where a win is 1, a draw 0 and a loss -1. After ±: "
      "half of the 95 % interval, over positions; another seed of the training may differ by as "
      "much.";
  return table;
}

report::Table sets_table(const TrainedNetwork& ours) {
  report::Table table;
  table.caption = "Our network by set of positions";
  table.columns = {{"Positions"},
                   {"Rows", report::Align::right},
                   {"Value kept (%)", report::Align::right},
                   {"Shortest (%)", report::Align::right},
                   {"Regret", report::Align::right},
                   {"Value right", report::Align::right}};
  for (const auto& set : ours.sets) {
    const auto metric = [&](const char* name) { return ours.metric(set.set, name); };
    std::string name = set.set == "test" ? "test (never seen)" : set.set;
    if (set.set == "reachable") name = "all reachable";
    const Estimate right = metric("value_accuracy");
    table.rows.push_back(
        {{name, grouped(metric("value_kept").n), with_reach(metric("value_kept"), 2),
          with_reach(metric("shortest"), 2), fmt::format("{:.2g}", metric("regret").value),
          right.n > 0 ? share_text(right) : "—"},
         set.set == "test"});
  }
  return table;
}

report::Table games_table(const FanoronaFindings& findings) {
  return matches_table(
      findings.plan.player, findings.plan.opponents, findings.matches,
      fmt::format("Each opening of {} random plies, after which the game is still a draw, is "
                  "played twice with the colours swapped. Players without chance repeat "
                  "themselves: where few games are different, the interval is too narrow.",
                  findings.plan.opening_plies));
}

report::Figure training_figure(const TrainedNetwork& network) {
  return {fmt::format("Loss of {} by epoch", network.recipe),
          fmt::format("The sum of the heads' losses, a row. The validation rows are of symmetry "
                      "classes that were not learnt from. {:.1f} s for {} epochs.",
                      network.seconds, network.curve.size()),
          loss_chart(network)};
}

report::Figure extensions_figure(const FanoronaFindings& findings) {
  report::BarChart chart;
  chart.y = percent_axis("Unseen positions", true);
  chart.series = {{"as labelled"}, {"value kept"}};
  for (const FanoronaNetwork& network : findings.networks) {
    chart.categories.push_back(network.name);
    chart.series[0].bars.push_back(bar_of(network.on_test("label_accuracy")));
    chart.series[1].bars.push_back(bar_of(network.on_test("value_kept")));
  }
  chart.references = {{"ours", 100 * findings.ours.on_test("value_kept").value}};
  return {"Accuracy of the report's network and its extensions",
          "On test positions, with 95 % intervals. The line is what our network keeps of the value "
          "on *its* unseen classes.",
          chart};
}

report::Figure learning_figure(const FanoronaFindings& findings) {
  std::vector<NamedNetwork> networks;
  for (const FanoronaNetwork& one : findings.networks) networks.push_back({one.name, &one.trained});
  return {"How fast each learns", "Value kept on the validation rows after each epoch.",
          learning_chart(networks, "Value kept")};
}

std::string lead_of(const FanoronaFindings& findings, std::span<const Comparison> rows) {
  const FanoronaNetwork& report = findings.networks.front();
  std::string text = fmt::format(
      "Trained as its report says, the network names the labelled move in **{}** of the positions "
      "it has not seen, and keeps the game's value in {}.",
      share_text(report.on_test("label_accuracy")), share_text(report.on_test("value_kept")));
  if (const std::size_t best = best_extension(findings); best > 0) {
    const Estimate kept = findings.networks[best].on_test("value_kept");
    text += fmt::format(" Of the extensions that the report names, *{}* has the highest figure, {}",
                        findings.networks[best].name, share_text(kept));
    std::vector<std::string> near;
    for (std::size_t i = 1; i < findings.networks.size(); ++i) {
      const FanoronaNetwork& other = findings.networks[i];
      const bool is_near = other.on_test("value_kept").value >= kept.interval.low;
      if (i != best && is_near) near.push_back(other.name);
    }
    text += near.empty() ? "." : fmt::format(" (within its interval: {}).", join(near, ", "));
  }
  const VerdictCount goals = count_verdicts(rows);
  return text +
         fmt::format(
             " Taught by the exact solution, our network keeps the value in **{}** of the "
             "positions whose whole symmetry class it never saw. {} of {} goals are reached.",
             share_text(findings.ours.on_test("value_kept")), goals.reached, goals.given);
}

report::Section result_section(const FanoronaFindings& findings, const Measured& measured,
                               report::PageTable comparisons) {
  const auto number = [](const Estimate& figure, std::string label) -> report::KeyNumber {
    return {share_text(figure), std::move(label), "95 %: " + interval_text(figure)};
  };
  const Estimate& reachable = measured.figures.at("reachable.value_kept");
  report::KeyNumbers numbers;
  numbers.numbers = {
      number(findings.networks.front().on_test("label_accuracy"),
             "the report's network: moves as labelled"),
      number(findings.ours.on_test("value_kept"), "ours: value kept on classes it never saw"),
      {share_text(reachable), "the model that ships: value kept",
       fmt::format("{} reachable positions that are not over", grouped(reachable.n))}};
  return {"Result",
          {report::Paragraph{
               "The report describes its network, its data and its training, and names extensions "
               "to try; it prints **no figure** for any of them. So our figures are new, and the "
               "goals beside them are our own."},
           numbers, std::move(comparisons)}};
}

report::Section training_section(const FanoronaFindings& findings) {
  const FanoronaNetwork& report = findings.networks.front();
  return {
      "The report's training",
      {report::Paragraph{
           "Each of the nine points is one of five things (empty, or a piece of either side that "
           "has moved or not), which with the player makes the inputs. Two hidden layers of "
           "sigmoids follow, then two softmaxes of nine: where the move starts and where it ends. "
           "Weights begin as Xavier's, plain gradient descent follows one example at a time in "
           "double precision, and the label is the one move that a search of a few plies "
           "prefers."},
       report::Paragraph{fmt::format(
           "The positions are split by symmetry class, so no test position is a mirror image of "
           "one that was learnt from. {} rows were kept for the test. The weights are those of "
           "epoch {}, whose loss on the validation rows was lowest. The report warns of learning "
           "by heart: on the rows it learnt from the network names the label in {}, on those it "
           "has not seen in {}.",
           grouped(report.on_test("value_kept").n), report.trained.kept_epoch,
           share_text(report.trained.metric("training", "label_accuracy")),
           share_text(report.on_test("label_accuracy")))},
       report::PageFigure{training_figure(report.trained)}}};
}

report::Section extensions_section(const FanoronaFindings& findings) {
  const auto size = [](const FanoronaNetwork& network) { return network.trained.parameters; };
  const auto largest = std::max_element(
      findings.networks.begin(), findings.networks.end(),
      [&](const FanoronaNetwork& a, const FanoronaNetwork& b) { return size(a) < size(b); });
  return {"Its extensions, side by side",
          {report::Paragraph{
               "The report closes with what could be tried: Adam, batch normalisation and dropout; "
               "convolutions, residual connections and attention. Each is one recipe here. Data, "
               "split, epochs and questions are the same for all."},
           report::PageTable{extensions_table(findings)},
           report::PageFigure{extensions_figure(findings)},
           report::PageFigure{learning_figure(findings)},
           report::Paragraph{fmt::format(
               "Read the parameters beside the accuracy: the largest network (*{}*) has {:.1f} "
               "times as many as the report's, so the table compares recipes, not ideas alone.",
               largest->name,
               static_cast<double>(size(*largest)) /
                   static_cast<double>(std::max<std::uint64_t>(1, size(findings.networks[0]))))}}};
}

report::Section errors_section(const FanoronaFindings& findings) {
  report::Section section{
      "Where a network goes wrong",
      {report::Paragraph{"The exact solution knows the value of every position and how many plies "
                         "it takes to get there. So mistakes can be sorted."},
       report::PageFigure{distance_figure(findings)}}};
  for (report::Figure& figure : phase_figures(findings)) {
    section.blocks.push_back(report::PageFigure{std::move(figure)});
  }
  return section;
}

report::Section ours_section(const FanoronaNetwork& ours) {
  report::Section section{
      "Ours, on classes it never saw",
      {report::Paragraph{fmt::format(
           "Three things change: the labels are exact and *all* of the best moves are right; moves "
           "that the rules forbid take no part; the value and the distance are learnt beside the "
           "move. The network has {} parameters. Some of the symmetry classes were never shown to "
           "it; others served for validation.",
           grouped(ours.trained.parameters))},
       report::PageTable{sets_table(ours.trained)},
       report::PageFigure{training_figure(ours.trained)}}};
  if (auto figure = value_figure(ours.evaluation)) {
    section.blocks.push_back(report::PageFigure{*std::move(figure)});
  }
  return section;
}

report::Section games_section(const FanoronaFindings& findings) {
  return {"Games",
          {report::Paragraph{fmt::format(
               "With best play of both the game is a draw. `{}`, the network alone without any "
               "search, meets the exact solution, a search and chance itself, {} games each.",
               findings.plan.player, findings.plan.games)},
           report::PageTable{games_table(findings)},
           report::PageFigure{
               matches_figure(findings.plan.player, findings.plan.opponents, findings.matches)}}};
}

std::vector<std::string> limits() {
  return {
      "*Value kept*: the chosen move keeps what the position is worth (win, draw or loss). *As "
      "labelled*: the highest departure and the highest arrival name the oracle's very move, which "
      "is the report's own measure. *Shortest*: the move also wins as fast, or resists as long, "
      "as possible.",
      "Intervals are Wilson's for shares and take positions for independent; mirror images are "
      "not, so they are somewhat too narrow. They say nothing about another seed of the training.",
      "The report leaves open the depth of its search, the sizes of its hidden layers, its rate "
      "and its epochs. What the recipe `fanorona-report` has for them is our choice.",
      "The best extension is the one of the highest test figure, so that figure is a little "
      "flattered by the choice.",
      "The seed decides the trainings and the games; the data and their split are the same for "
      "every seed.",
      "The rates of some extensions were chosen with the test figures in sight, so these are "
      "slightly favoured over the report's plain descent.",
      "The model that ships was trained on every position, so its figure on the reachable ones "
      "says that it plays perfectly, not that it generalises; the classes held out say that."};
}

constexpr std::string_view kQuickLimits =
    "This is the *quick* version: fewer epochs. Its figures are lower than those of the full one.";

}  // namespace

Result<ExperimentResult> present_fanorona(const Published& published,
                                          const FanoronaFindings& findings,
                                          const ExperimentOptions& options) {
  const Measured measured = measured_fanorona(findings);
  auto comparisons = compare(published, measured);
  if (!comparisons) return std::move(comparisons).error();
  ExperimentResult result;
  result.comparisons = *std::move(comparisons);
  result.tables = {extensions_table(findings), games_table(findings)};
  report::Page& report = result.report;
  report.title = "Fanoron-telo: can a small network play it perfectly?";
  report.subtitle =
      "A report's network, the extensions it names, and ours, evaluated by the exact game";
  report.lead = lead_of(findings, result.comparisons);
  report.sections = {
      result_section(findings, measured, comparison_block(result.comparisons, options)),
      training_section(findings),
      extensions_section(findings),
      errors_section(findings),
      ours_section(findings.ours),
      games_section(findings)};
  finish_report(report, published, options, limits(), kQuickLimits);
  return result;
}

}  // namespace damier::lab
