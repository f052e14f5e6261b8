// The findings on minesweeper as a page.

#include <algorithm>

#include <fmt/format.h>

#include "damier/base/version.h"
#include "damier/lab/minesweeper/experiment.h"
#include "damier/lab/minesweeper/figures.h"
#include "damier/lab/minesweeper/tables.h"

namespace damier::lab {

namespace {

using published::kScores;

std::string percent_of(const GameTally& tally) {
  return fmt::format("{:.1f} %", 100 * tally.win_rate().value);
}

std::string rows_text(const PatchTraining& training) {
  return grouped_digits(training.rows) + " masked patches";
}

// `before` and `after` stand around the name of a point: "batches of 2000".
std::string extremes_text(const std::vector<PatchPoint>& points, std::string_view before,
                          std::string_view after = "") {
  if (points.empty()) return "";
  const auto error = [](const PatchPoint& point) { return point.trained.errors.absolute.value; };
  const auto [low, high] = std::minmax_element(
      points.begin(), points.end(),
      [&](const PatchPoint& a, const PatchPoint& b) { return error(a) < error(b); });
  return fmt::format("The lowest mean error is {:.4f} ({}{}{}), the highest {:.4f} ({}{}{}).",
                     error(*low), before, low->name, after, error(*high), before, high->name,
                     after);
}

std::string lead_of(const MinesweeperFindings& findings, std::span<const Comparison> rows) {
  std::size_t given = 0, met = 0;
  for (const Comparison& row : rows) {
    given += row.verdict != report::Verdict::none;
    met += row.verdict == report::Verdict::reached || row.verdict == report::Verdict::within;
  }
  const PatchNetwork& distinct = findings.networks[published::kDistinct];
  return fmt::format(
      "The report's chain of improvements, done again: its first player wins **{}** here (18.2 % "
      "there), its best one without flags {} (62.5 %), and its player with flags, tuned on other "
      "games than it is measured on, **{}** (86.6 %, the best of all settings on the same games). "
      "Our own network wins **{}** of the same games. {} of {} published figures are reached or "
      "within the interval.",
      percent_of(findings.networks[published::kFirst].games), percent_of(distinct.games),
      percent_of(findings.tuned), percent_of(findings.ours), met, given);
}

report::Section result_section(const MinesweeperFindings& findings,
                               std::span<const Comparison> rows) {
  const auto number = [](const GameTally& tally, std::string label) -> report::KeyNumber {
    return {percent_of(tally), std::move(label), "95 %: " + interval_text(tally.win_rate())};
  };
  report::KeyNumbers numbers;
  numbers.numbers = {
      number(findings.networks[published::kFirst].games, "the report's first player (18.2 %)"),
      number(findings.tuned, "its player with flags, tuned (86.6 %)"),
      number(findings.ours, "our network")};
  return {"Result",
          {numbers, report::PageFigure{chain_figure(findings)},
           report::PageTable{comparison_table(rows),
                             {findings.command,
                              std::to_string(value_of(findings.seed)),
                              {fmt::format("Damier {}", version())}}}}};
}

report::Section first_section(const MinesweeperFindings& findings) {
  const PatchNetwork& first = findings.networks[published::kFirst];
  return {
      "The first player",
      {report::Paragraph{fmt::format(
           "A network looks at the 5 x 5 cells around a masked one and says how likely a bomb "
           "is under it; the player opens the cell of least risk. The report trains "
           "25-300-256-128-1 with RMSProp on the squared error, once through 1,000,000 masked "
           "patches in batches of 10; here it is {}.",
           rows_text(findings.plan.networks[published::kFirst]))},
       report::PageFigure{first_errors_figure(findings)},
       report::PageFigure{scatter_figure(first, "The first network")},
       report::PageFigure{first_scores_figure(findings)}, report::PageTable{scores_table(findings)},
       report::PageTable{trainings_table(findings)}}};
}

report::Section share_section(const MinesweeperFindings& findings) {
  const report::Axis x = {.label = "Share of patches with a bomb in the centre"};
  return {
      "Share of bombs, and order",
      {report::Paragraph{fmt::format(
           "The report finds no share better than another and keeps 0.5. {} {} a point.",
           extremes_text(findings.shares, "a share of "), rows_text(findings.plan.share_training))},
       report::PageFigure{sweep_errors_figure(findings.shares, "Errors by share of bombs", x, {})},
       report::PageFigure{sweep_wins_figure(findings.shares, "Wins by share of bombs", x)},
       report::Paragraph{fmt::format(
           "Then it tries seven orders of the rows and finds the lowest errors with all safe "
           "ones first. Really presented in that order, a network forgets the first half "
           "while it learns the second; Keras shuffles rows unless it is told not to, which "
           "would explain both the report's errors and why its order made little difference. "
           "{} {} an order.",
           extremes_text(findings.orders, ""), rows_text(findings.plan.order_training))},
       report::PageFigure{order_boxes_figure(findings)},
       report::PageFigure{order_bars_figure(findings)}}};
}

report::Section patches_section(const MinesweeperFindings& findings) {
  const report::Axis x = {.label = "Patches, with ten masks each",
                          .scale = report::Scale::logarithmic};
  return {
      "Number of patches",
      {report::Paragraph{"From 100,000 patches on the report sees little gain, and takes 1,000,000 "
                         "since time allows. " +
                         extremes_text(findings.patches, "", " patches")},
       report::PageFigure{sweep_errors_figure(findings.patches, "Errors by number of patches", x,
                                              {{"the report, 100,000 patches", 0.182}})},
       report::PageFigure{sweep_wins_figure(findings.patches, "Wins by number of patches", x)},
       report::PageFigure{
           scatter_figure(findings.networks[published::kMany], "With more patches")}}};
}

report::Section training_section(const MinesweeperFindings& findings) {
  const report::Axis x = {.label = "Batch", .scale = report::Scale::logarithmic};
  int best = 0;
  double lowest = 0;
  for (const TrainedEpoch& epoch : findings.epochs.curve) {
    const double loss = epoch.validation_loss.value_or(epoch.training_loss);
    if (best == 0 || loss < lowest) {
      best = epoch.epoch;
      lowest = loss;
    }
  }
  return {
      "Batch and epochs",
      {report::Paragraph{fmt::format(
           "Batches of 2,000 and 6 epochs are the report's great step, from 19.3 % to 58.6 %. {} "
           "Once through {} for each batch; {} for the epochs, of which the lowest error is that "
           "of epoch {}.",
           extremes_text(findings.batches, "batches of "), rows_text(findings.plan.batch_training),
           rows_text(findings.plan.epoch_training), best)},
       report::PageFigure{sweep_errors_figure(findings.batches, "Errors by batch", x,
                                              {{"the report, batch 10", 0.179}})},
       report::PageFigure{sweep_wins_figure(findings.batches, "Wins by batch", x)},
       report::PageFigure{epochs_figure(findings)},
       report::PageFigure{scatter_figure(findings.networks[published::kTrained],
                                         "With larger batches and more epochs")},
       report::Paragraph{
           "A network with twice the neurons and one more layer wins no more in the report "
           "and is not kept."},
       report::PageFigure{wide_figure(findings)}}};
}

report::Section duplicates_section(const MinesweeperFindings& findings) {
  return {"No duplicates",
          {report::Paragraph{fmt::format(
               "Half of the report's patches come twice. Without them its errors grow, since the "
               "patches that come often are easy and its test has none of them either, but it wins "
               "more: 62.5 % instead of 58.6 %; here {} instead of {}.",
               percent_of(findings.networks[published::kDistinct].games),
               percent_of(findings.networks[published::kTrained].games))},
           report::PageFigure{duplicates_figure(findings)},
           report::PageFigure{all_errors_figure(findings)},
           report::PageFigure{
               scatter_figure(findings.networks[published::kDistinct], "Without duplicates")},
           report::PageFigure{uncovered_figure(findings)}}};
}

report::Section flags_section(const MinesweeperFindings& findings) {
  report::Section section{
      "Flags",
      {report::Paragraph{fmt::format(
           "The player with flags opens the safest cell when its risk is below the *playful level* "
           "less the highest risk, or when that one is no more than the *flag threshold*; "
           "otherwise it flags the riskiest cell, and the network sees the flag. At 1 and 0 the "
           "report wins 67 %; here {}. The report's game did not count flags, so ours may set as "
           "many as it likes too.",
           percent_of(findings.networks[published::kFlags].games))},
       report::Paragraph{fmt::format(
           "The report tries many settings and prints the best, 86.6 % at 1.15 and 0.96, on the "
           "games on which it was chosen. Here the settings are chosen on one set of games: {:g} "
           "and {:g} with {} of {} won there. On other games that setting wins {}, and the "
           "report's own {}.",
           findings.playful, findings.threshold, findings.chosen_wins, findings.plan.grid_games,
           percent_of(findings.tuned), percent_of(findings.report_setting))}}};
  for (const GridFindings& tried : findings.grids) {
    section.blocks.emplace_back(report::PageFigure{grid_figure(tried, findings.plan.grid_games)});
  }
  section.blocks.emplace_back(report::PageFigure{best_scores_figure(findings)});
  return section;
}

report::Section boards_section(const MinesweeperFindings& findings) {
  return {"Other boards",
          {report::Paragraph{
               "The report's best player was made for 10x10 with 10 bombs; on larger boards "
               "it loses slowly, with more bombs fast. Ours is one network for all of them."},
           report::PageTable{sizes_table(findings, BoardFigure::wins)},
           report::PageFigure{sizes_figure(findings, BoardFigure::wins)},
           report::PageTable{sizes_table(findings, BoardFigure::scores)},
           report::PageFigure{sizes_figure(findings, BoardFigure::scores)},
           report::PageTable{densities_table(findings, BoardFigure::wins)},
           report::PageFigure{densities_figure(findings, BoardFigure::wins)},
           report::PageTable{densities_table(findings, BoardFigure::scores)},
           report::PageFigure{densities_figure(findings, BoardFigure::scores)}}};
}

std::vector<std::string> limits() {
  return {
      "*Reached*: a win rate or a score at least as high as the published one, an error at most as "
      "high. *Within*: the 95 % interval of ours holds the published one. The published win rates "
      "come from 1,000 games and have intervals of their own, of three percent each way.",
      "Intervals of win rates are Wilson's; those of errors know that ten masks of one patch are "
      "alike. Neither knows of another seed of the training, which may differ by more.",
      "The first cell is never a bomb. All players meet the same games; settings are chosen on "
      "other games than those they are measured on.",
      "Test patches come from the report's generator. Where the report's test has no duplicates, "
      "neither has ours.",
      "The report does not say whether Keras shuffled its rows; apart from the orders, ours are "
      "shuffled.",
      "The seed decides data, trainings and games. Our network was trained before; it is the model "
      "that ships."};
}

constexpr std::string_view kQuickLimits =
    "This is the *quick* version: the networks learn from a tenth of the report's "
    "patches or less, the sweeps have fewer points, fewer boards are played. Its "
    "figures are lower than those of the full one, and the wide network learns less "
    "than the one it is compared with.";

}  // namespace

ExperimentResult present_minesweeper(const MinesweeperFindings& findings) {
  ExperimentResult result;
  result.comparisons = minesweeper_comparisons(findings);
  result.tables = {scores_table(findings), sizes_table(findings, BoardFigure::wins),
                   sizes_table(findings, BoardFigure::scores),
                   densities_table(findings, BoardFigure::wins),
                   densities_table(findings, BoardFigure::scores)};
  report::Page& report = result.report;
  report.title = "Minesweeper: how far does a look at 5 x 5 cells go?";
  report.subtitle = "A report's networks of patches, step by step, and ours";
  report.lead = lead_of(findings, result.comparisons);
  report.sections = {result_section(findings, result.comparisons),
                     first_section(findings),
                     share_section(findings),
                     patches_section(findings),
                     training_section(findings),
                     duplicates_section(findings),
                     flags_section(findings),
                     boards_section(findings)};
  finish_report(report, minesweeper_experiment(), {findings.quick, findings.seed, findings.command},
                limits(), kQuickLimits);
  return result;
}

}  // namespace damier::lab
