// The findings on minesweeper as a page.

#include <algorithm>

#include <fmt/format.h>

#include "damier/lab/minesweeper/experiment.h"
#include "damier/lab/minesweeper/figures.h"
#include "damier/lab/minesweeper/tables.h"

namespace damier::lab {

namespace {

constexpr std::array<PatchLink, 4> kCompared = {kFirst, kMany, kTrained, kDistinct};

std::string percent_of(const GameTally& tally) { return percent_text(tally.win_rate()); }

std::string rows_text(const PatchTraining& training) {
  return grouped(training.rows) + " masked patches";
}

// `before` and `after` stand around the name of a point: "batches of 2000".
std::string extremes_text(const std::vector<PatchPoint>& points, std::string_view before,
                          std::string_view after = "") {
  if (points.empty()) return "";
  const auto error = [](const PatchPoint& point) { return point.look.errors.absolute.value; };
  const auto [low, high] = std::minmax_element(
      points.begin(), points.end(),
      [&](const PatchPoint& a, const PatchPoint& b) { return error(a) < error(b); });
  return fmt::format("The lowest mean error is {:.4f} ({}{}{}), the highest {:.4f} ({}{}{}).",
                     error(*low), before, low->name, after, error(*high), before, high->name,
                     after);
}

// Words of the page, with what was published filled in.
class Sections {
 public:
  Sections(const Published& published, const MinesweeperFindings& findings, bool quick)
      : published_(published), findings_(findings), quick_(quick) {}

  std::string lead(std::span<const Comparison> rows) const;
  report::Section result(report::PageTable comparisons) const;
  report::Section first() const;
  report::Section share() const;
  report::Section patches() const;
  report::Section training() const;
  report::Section duplicates() const;
  report::Section flags() const;
  report::Section boards() const;

 private:
  std::string wins(const char* player) const {
    return published_.text(fmt::format("players.{}.wins", player));
  }
  std::string count(const char* figure) const {
    return grouped(static_cast<std::uint64_t>(published_.value(figure)));
  }
  const GameTally& games(PatchLink link) const { return findings_.links[link].look.games; }
  SeedSpread setting() const { return spread_of(win_rates(findings_.links[kFlags].tuned)); }
  report::Figure boxes(std::string title, std::string caption,
                       std::vector<report::Sample> samples) const {
    report::BoxPlot plot;
    plot.y = {.label = "Safe cells opened, of 90", .low = 0, .high = 90};
    plot.samples = std::move(samples);
    return {std::move(title), std::move(caption), plot};
  }

  const Published& published_;
  const MinesweeperFindings& findings_;
  bool quick_;
};

std::string Sections::lead(std::span<const Comparison> rows) const {
  const VerdictCount verdicts = count_verdicts(rows);
  return fmt::format(
      "The report's chain of improvements, done again: its first player wins **{}** here ({} "
      "there), its best one without flags {} ({}), and its player with flags, tuned on other games "
      "than it is measured on, **{}** ({}, the best of {} settings on the same games; {} on fresh "
      "boards). Our own network wins **{}** of the same games. {} of {} published figures are "
      "reached or within the interval.",
      percent_of(games(kFirst)), wins("first"), percent_of(games(kDistinct)), wins("no duplicates"),
      percent_of(findings_.usual().copy), wins("flags, tuned"), count("tuned.settings"),
      published_.text("tuned.fresh"), percent_of(findings_.usual().ours), verdicts.met,
      verdicts.given);
}

report::Section Sections::result(report::PageTable comparisons) const {
  const auto number = [](const GameTally& tally, std::string label) -> report::KeyNumber {
    return {percent_of(tally), std::move(label), "95 %: " + interval_text(tally.win_rate())};
  };
  report::KeyNumbers numbers;
  numbers.numbers = {
      number(games(kFirst), fmt::format("the report's first player ({})", wins("first"))),
      number(findings_.usual().copy,
             fmt::format("its player with flags, tuned ({}; fresh boards {})", wins("flags, tuned"),
                         published_.text("tuned.fresh"))),
      number(findings_.usual().ours, "our network")};
  return {"Result",
          {numbers, report::PageFigure{chain_figure(published_, findings_)}, std::move(comparisons),
           report::PageTable{seeds_table(published_, findings_)}}};
}

report::Section Sections::first() const {
  return {"The first player",
          {report::Paragraph{fmt::format(
               "A network looks at the 5 x 5 cells around a masked one and says how likely a bomb "
               "is under it; the player opens the safest cell. The report trains "
               "25-300-256-128-1 with RMSProp on the squared error, once through {} masked patches "
               "in batches of 10; here it is {}.",
               count("first.rows"), rows_text(findings_.plan.links[kFirst]))},
           report::PageFigure{errors_figure(
               findings_, std::span(kCompared).first(1), "Errors of the first network",
               fmt::format("Distance of the prediction from the truth on {} fresh masked "
                           "patches. The report has {} below 0.1, {} from there to 0.2, {} above "
                           "0.6 and {} above 0.9.",
                           grouped(findings_.plan.fresh), published_.text("first.below_01"),
                           published_.text("first.from_01_to_02"),
                           published_.text("first.above_06"), published_.text("first.above_09")))},
           report::PageFigure{scatter_figure(findings_, kFirst, "The first network")},
           report::PageFigure{boxes(
               "Scores of the first player and of chance",
               fmt::format("{} games each. The report has means of {:g} and {:g}, quartiles of {} "
                           "and {}.",
                           findings_.plan.games, published_.value("players.random.mean"),
                           published_.value("players.first.mean"),
                           published_.cell("players", "random", "quartiles"),
                           published_.cell("players", "first", "quartiles")),
               {{"random", findings_.random.values()}, {"first", games(kFirst).values()}})},
           report::PageTable{scores_table(published_, findings_)},
           report::PageTable{trainings_table(published_, findings_, quick_)}}};
}

report::Section Sections::share() const {
  const report::Axis x = {.label = "Share of patches with a bomb in the centre"};
  return {
      "Share of bombs, and order",
      {report::Paragraph{fmt::format(
           "The report finds no share better than another and keeps 0.5. {} {} a point.",
           extremes_text(findings_.sweeps[kShares], "a share of "),
           rows_text(findings_.plan.sweeps[kShares].training))},
       report::PageFigure{sweep_errors_figure(findings_, findings_.sweeps[kShares],
                                              "Errors by share of bombs", x)},
       report::PageFigure{
           sweep_wins_figure(findings_.sweeps[kShares], "Wins by share of bombs", x)},
       report::Paragraph{fmt::format(
           "Then it tries several orders of the rows and finds the lowest errors with all safe "
           "ones first. Really presented in that order, a network forgets the first half while it "
           "learns the second; Keras shuffles rows unless it is told not to, which would explain "
           "both the report's errors and why its order made little difference. {} {} an order.",
           extremes_text(findings_.sweeps[kOrders], ""),
           rows_text(findings_.plan.sweeps[kOrders].training))},
       report::PageFigure{order_boxes_figure(findings_)},
       report::PageFigure{order_bars_figure(findings_)}}};
}

report::Section Sections::patches() const {
  const report::Axis x = {.label = "Patches, with ten masks each",
                          .scale = report::Scale::logarithmic};
  return {"Number of patches",
          {report::Paragraph{
               "From some number of patches on the report sees little gain, and takes ten times as "
               "many since time allows. " +
               extremes_text(findings_.sweeps[kPatches], "", " patches")},
           report::PageFigure{sweep_errors_figure(
               findings_, findings_.sweeps[kPatches], "Errors by number of patches", x,
               {{"the report's first network", published_.value("first.absolute")}})},
           report::PageFigure{
               sweep_wins_figure(findings_.sweeps[kPatches], "Wins by number of patches", x)},
           report::PageFigure{scatter_figure(findings_, kMany, "With more patches")}}};
}

report::Section Sections::training() const {
  const report::Axis x = {.label = "Batch", .scale = report::Scale::logarithmic};
  const auto& curve = findings_.epochs.curve;
  const auto loss = [](const TrainedEpoch& epoch) {
    return epoch.validation_loss.value_or(epoch.training_loss);
  };
  const auto best = std::min_element(
      curve.begin(), curve.end(),
      [&](const TrainedEpoch& a, const TrainedEpoch& b) { return loss(a) < loss(b); });
  report::LineChart epochs = loss_chart(findings_.epochs, "Mean squared error");
  epochs.references = {{fmt::format("the report, {} epochs", count("trained.epochs")),
                        published_.value("trained.squared")}};
  return {
      "Batch and epochs",
      {report::Paragraph{fmt::format(
           "Batches of {} and {} epochs are the report's great step, from {} to {}. {} Once "
           "through {} for each batch; {} for the epochs, of which the lowest error is that of "
           "epoch {}.",
           count("trained.batch"), count("trained.epochs"), wins("more patches"),
           wins("batch and epochs"), extremes_text(findings_.sweeps[kBatches], "batches of "),
           rows_text(findings_.plan.sweeps[kBatches].training), rows_text(findings_.plan.epochs),
           best == curve.end() ? 0 : best->epoch)},
       report::PageFigure{
           sweep_errors_figure(findings_, findings_.sweeps[kBatches], "Errors by batch", x,
                               {{"the report, batch 10", published_.value("many.absolute")}})},
       report::PageFigure{sweep_wins_figure(findings_.sweeps[kBatches], "Wins by batch", x)},
       report::PageFigure{
           {"Error by epoch",
            fmt::format("One training of {} epochs in batches of {}; the validation rows are of "
                        "other patches than those learnt from.",
                        curve.size(),
                        grouped(static_cast<std::uint64_t>(findings_.plan.epochs.batch))),
            epochs}},
       report::PageFigure{
           scatter_figure(findings_, kTrained, "With larger batches and more epochs")},
       report::Paragraph{"A network with twice the neurons and one more layer wins no more in the "
                         "report and is not kept."},
       report::PageFigure{wide_figure(published_, findings_)}}};
}

report::Section Sections::duplicates() const {
  return {"No duplicates",
          {report::Paragraph{fmt::format(
               "Many of the report's patches come twice. Without them its errors grow, since the "
               "patches that come often are easy and its test has none of them either, but it wins "
               "more: {} instead of {}; here {} instead of {}. The patches are drawn at random out "
               "of {} distinct ones of each kind, as the report did it: the first ones that a "
               "search finds are those that come most often.",
               wins("no duplicates"), wins("batch and epochs"), percent_of(games(kDistinct)),
               percent_of(games(kTrained)), grouped(findings_.plan.pool))},
           report::PageFigure{duplicates_figure(published_, findings_)},
           report::PageFigure{errors_figure(
               findings_, kCompared, "Errors along the chain",
               "The last one is tested on patches without duplicates, which are harder: patches "
               "that come often are easy ones.")},
           report::PageFigure{scatter_figure(findings_, kDistinct, "Without duplicates")},
           report::PageFigure{uncovered_figure(findings_, kCompared)}}};
}

report::Section Sections::flags() const {
  const SeedSpread spread = setting();
  report::Section section{
      "Flags",
      {report::Paragraph{fmt::format(
           "The player with flags opens the safest cell when its probability is below the *playful "
           "level* "
           "less the highest, or when that one is no more than the *flag threshold*; "
           "otherwise it flags the likeliest bomb, and the network sees the flag. At 1 and 0 the "
           "report wins {}; here {}. The report's game did not count flags, so ours may set as "
           "many as it likes too.",
           wins("flags"), percent_of(games(kFlags)))},
       report::Paragraph{fmt::format(
           "The report tries {} settings and prints the best, {} at {:g} and {:g}, on the games on "
           "which it was chosen; the same weights and setting win {} of fresh boards. Here the "
           "settings are chosen on one set of games: {:g} and {:g} with {} of {} won there. On "
           "other games that setting wins {}. At the report's own setting {} trainings win {:.1f} "
           "% "
           "on average, from {:.1f} to {:.1f}.",
           count("tuned.settings"), wins("flags, tuned"), published_.value("tuned.playful"),
           published_.value("tuned.threshold"), published_.text("tuned.fresh"),
           findings_.chosen.row, findings_.chosen.column, findings_.chosen.successes,
           findings_.plan.grid_games, percent_of(findings_.usual().copy), spread.seeds,
           100 * spread.mean.value, 100 * spread.lowest, 100 * spread.highest)}}};
  for (const Grid& grid : findings_.grids) {
    section.blocks.emplace_back(report::PageFigure{
        {fmt::format("Wins by playful level and flag threshold, {:g} to {:g}", grid.columns.front(),
                     grid.columns.back()),
         fmt::format("{} games a setting, the same for all of them. The report's best is {:g} with "
                     "{:g}.",
                     grid.trials, published_.value("tuned.playful"),
                     published_.value("tuned.threshold")),
         grid_map(grid, "Playful level", "Flag threshold", percent_axis("Games won"))}});
  }
  section.blocks.emplace_back(report::PageFigure{boxes(
      "Scores of the three players, and of ours",
      fmt::format("The report has means of {:g}, {:g} and {:g}. A box that is a line at 90 is "
                  "a player that wins more than three games in four.",
                  published_.value("players.random.mean"),
                  published_.value("players.no duplicates.mean"),
                  published_.value("players.flags, tuned.mean")),
      {{"random", findings_.random.values()},
       {"without flags", games(kDistinct).values()},
       {"flags, tuned", findings_.usual().copy.values()},
       {"our network", findings_.usual().ours.values()}})});
  section.blocks.emplace_back(report::Paragraph{fmt::format(
      "The report closes with the thought that masks drawn at random are unlike what its player "
      "meets. Taught with the same network and recipe on patches from games in play, the player "
      "wins {} at the same setting.",
      percent_of(games(kPlay)))});
  return section;
}

report::Section Sections::boards() const {
  report::Section section{
      "Other boards",
      {report::Paragraph{"The report's best player was made for 10x10 with 10 bombs; on larger "
                         "boards it loses slowly, with more bombs fast. Ours is one network for "
                         "all of them."}}};
  for (const char* name : {"sizes", "densities"}) {
    for (const char* column : {"wins", "score"}) {
      section.blocks.emplace_back(
          report::PageTable{boards_table(published_, findings_, name, column)});
      section.blocks.emplace_back(
          report::PageFigure{boards_figure(published_, findings_, name, column)});
    }
  }
  return section;
}

std::vector<std::string> limits(const Published& published) {
  return {
      fmt::format(
          "*Reached*: a win rate or a score at least as high as the published one, an error at "
          "most as high. *Within*: the 95 % interval of ours holds the published one. The "
          "published win rates come from {:g} games and have intervals of their own, of three "
          "percent each way.",
          published.value("games")),
      "Intervals of win rates are Wilson's; those of errors know that ten masks of one patch are "
      "alike. Neither knows of another seed of the training: the table of trainings with other "
      "seeds shows what that makes.",
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
    "This is the *quick* version: the networks learn from a tenth of the report's patches or less, "
    "few of them with more than one seed, the sweeps have fewer points, fewer boards are played. "
    "Its figures are lower than those of the full one, and the wide network learns less than the "
    "one it is compared with.";

}  // namespace

Result<ExperimentResult> present_minesweeper(const Published& published,
                                             const MinesweeperFindings& findings,
                                             const ExperimentOptions& options) {
  auto comparisons = compare(published, measured_minesweeper(published, findings));
  if (!comparisons) return std::move(comparisons).error();
  ExperimentResult result;
  result.comparisons = *std::move(comparisons);
  result.tables = {scores_table(published, findings), seeds_table(published, findings)};
  for (const char* name : {"sizes", "densities"}) {
    for (const char* column : {"wins", "score"}) {
      result.tables.push_back(boards_table(published, findings, name, column));
    }
  }
  const Sections sections(published, findings, options.quick);
  report::Page& report = result.report;
  report.title = "Minesweeper: how far does a look at 5 x 5 cells go?";
  report.subtitle = "A report's networks of patches, step by step, and ours";
  report.lead = sections.lead(result.comparisons);
  report.sections = {sections.result(comparison_block(result.comparisons, options)),
                     sections.first(),
                     sections.share(),
                     sections.patches(),
                     sections.training(),
                     sections.duplicates(),
                     sections.flags(),
                     sections.boards()};
  finish_report(report, published, options, limits(published), kQuickLimits);
  return result;
}

}  // namespace damier::lab
