// The findings on fanoron-telo as tables and as a page.

#include <algorithm>

#include <fmt/format.h>

#include "damier/base/text.h"
#include "damier/base/version.h"
#include "damier/lab/fanorona/experiment.h"
#include "damier/lab/fanorona/figures.h"

namespace damier::lab {

namespace {

constexpr double kHeldOutGoal = 0.995;

struct Sums {
  std::int64_t n = 0, kept = 0, shortest = 0;
};
Sums sums_of(const std::vector<FanoronaCell>& cells) {
  Sums sums;
  for (const FanoronaCell& cell : cells) {
    sums.n += cell.n;
    sums.kept += cell.kept;
    sums.shortest += cell.shortest;
  }
  return sums;
}

std::size_t best_extension(const FanoronaFindings& findings) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < findings.networks.size(); ++i) {
    const auto kept = [&](std::size_t at) {
      return findings.networks[at].metric("test", "value_kept").value;
    };
    if (best == 0 || kept(i) > kept(best)) best = i;
  }
  return best;
}

// The interval follows from that of their share.
Estimate lost_games(const arena::Record& record) {
  const Estimate share = share_estimate(record.losses, record.games());
  const auto games = static_cast<double>(record.games());
  return {static_cast<double>(record.losses),
          {share.interval.low * games, share.interval.high * games},
          record.games(),
          EstimateKind::count};
}

std::vector<Comparison> comparisons_of(const FanoronaFindings& findings) {
  std::vector<Comparison> rows;
  const auto plain = [&](std::string what, const Estimate& metric) {
    rows.push_back({std::move(what), Yardstick::none, "", metric});
  };
  if (!findings.networks.empty()) {
    const TrainedNetwork& report = findings.networks.front();
    plain("report's network, unseen positions: moves as labelled",
          report.metric("test", "label_accuracy"));
    plain("report's network, unseen positions: value kept", report.metric("test", "value_kept"));
    if (const std::size_t best = best_extension(findings); best > 0) {
      plain(fmt::format("its best extension ({}): value kept",
                        short_name(findings.networks[best].name)),
            findings.networks[best].metric("test", "value_kept"));
    }
  }
  const Metric kept = findings.ours.metric("test", "value_kept");
  rows.push_back({"ours, classes it never saw: value kept", Yardstick::goal, "≥ 99.5 %", kept,
                  verdict_at_least(kept, kHeldOutGoal)});
  plain("ours, classes it never saw: shortest win, longest defence",
        findings.ours.metric("test", "shortest"));
  const Sums reachable = sums_of(findings.reachable);
  Estimate all = share_estimate(reachable.kept, reachable.n);
  // Every position was asked: there is nothing left to be uncertain about.
  const bool certain = findings.plan.most_states == 0;
  if (certain) all = bare_estimate(all.kind, all.value, all.n);
  rows.push_back({fmt::format("{}, all reachable positions: value kept", findings.plan.player),
                  Yardstick::goal, "100 %", all, verdict_at_least(all, 1)});
  if (certain && all.value < 1) rows.back().verdict = report::Verdict::missed;
  for (std::size_t i = 0; i < findings.matches.size(); ++i) {
    const FanoronaMatch& match = findings.matches[i];
    const Estimate lost = lost_games(match.record);
    rows.push_back({fmt::format("{} against {}: lost of {} games", findings.plan.player,
                                findings.plan.opponents[i], match.record.games()),
                    Yardstick::goal, "0", lost, verdict_at_most(lost, 0)});
  }
  return rows;
}

// A share in percent, and how far its interval reaches: "85.5 ± 0.8".
std::string with_reach(const Estimate& metric, double unit = 100, int digits = 1) {
  return fmt::format("{:.{}f} ± {:.{}f}", unit * metric.value, digits,
                     unit * (metric.interval.high - metric.interval.low) / 2, digits);
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
  std::size_t best = best_extension(findings);
  for (std::size_t i = 0; i < findings.networks.size(); ++i) {
    const TrainedNetwork& network = findings.networks[i];
    const auto metric = [&](const char* name) { return network.metric("test", name); };
    table.rows.push_back({{short_name(network.name), with_reach(metric("label_accuracy")),
                           with_reach(metric("value_kept")), with_reach(metric("shortest")),
                           with_reach(metric("regret"), 1, 3), grouped_digits(network.parameters),
                           fmt::format("{:.1f} s", network.seconds)},
                          best > 0 && i == best});
  }
  table.note =
      "Regret: what a move loses on average, where a win is 1, a draw 0 and a loss -1. After ±: "
      "half "
      "of the 95 % interval, over positions; another seed of the training may differ by as much.";
  return table;
}

report::Table sets_table(const FanoronaFindings& findings) {
  report::Table table;
  table.caption = "Our network by set of positions";
  table.columns = {{"Positions"},
                   {"Rows", report::Align::right},
                   {"Value kept (%)", report::Align::right},
                   {"Shortest (%)", report::Align::right},
                   {"Regret", report::Align::right},
                   {"Value right", report::Align::right}};
  for (const auto& set : findings.ours.sets) {
    const auto metric = [&](const char* name) { return findings.ours.metric(set.set, name); };
    std::string name = set.set == "test" ? "test (never seen)" : set.set;
    if (set.set == "reachable") name = "all reachable";
    table.rows.push_back(
        {{name, grouped_digits(static_cast<std::uint64_t>(metric("value_kept").n)),
          with_reach(metric("value_kept"), 100, 2), with_reach(metric("shortest"), 100, 2),
          fmt::format("{:.2g}", metric("regret").value),
          metric("value_accuracy").n > 0 ? figure_text(metric("value_accuracy")) : "—"},
         set.set == "test"});
  }
  return table;
}

report::Table games_table(const FanoronaFindings& findings) {
  report::Table table;
  table.caption = fmt::format("The games of {}", findings.plan.player);
  table.columns = {{"Against"},
                   {"Won", report::Align::right},
                   {"Drawn", report::Align::right},
                   {"Lost", report::Align::right},
                   {"Score", report::Align::right},
                   {"Different games", report::Align::right},
                   {"Plies a game", report::Align::right}};
  for (std::size_t i = 0; i < findings.matches.size(); ++i) {
    const FanoronaMatch& match = findings.matches[i];
    const auto score = score_estimate(match.pairs);
    const double games = static_cast<double>(std::max<std::int64_t>(1, match.record.games()));
    table.rows.push_back(
        {{findings.plan.opponents[i], fmt::format("{}", match.record.wins),
          fmt::format("{}", match.record.draws), fmt::format("{}", match.record.losses),
          fmt::format("{:.1f} % [{:.1f}, {:.1f}]", 100 * score.value, 100 * score.interval.low,
                      100 * score.interval.high),
          fmt::format("{}", match.different),
          fmt::format("{:.1f}", static_cast<double>(match.plies) / games)}});
  }
  table.note = fmt::format(
      "Each opening of {} random plies, after which the game is still a draw, is played twice with "
      "the colours swapped. Players without chance repeat themselves: where few games are "
      "different, the interval is too narrow.",
      findings.plan.opening_plies);
  return table;
}

report::Provenance provenance_of(const FanoronaFindings& findings) {
  return {findings.command,
          fmt::format("{}", value_of(findings.seed)),
          {fmt::format("Damier {}", version()), std::string(build_compiler())}};
}

std::string lead_of(const FanoronaFindings& findings, std::span<const Comparison> rows) {
  const TrainedNetwork& report = findings.networks.front();
  const std::size_t best = best_extension(findings);
  std::string text = fmt::format(
      "Trained as its report says, the network names the labelled move in **{}** of the positions "
      "it has not seen, and keeps the game's value in {}.",
      figure_text(report.metric("test", "label_accuracy")),
      figure_text(report.metric("test", "value_kept")));
  if (best > 0) {
    const Metric kept = findings.networks[best].metric("test", "value_kept");
    text += fmt::format(" Of the extensions that the report names, *{}* has the highest figure, {}",
                        short_name(findings.networks[best].name), figure_text(kept));
    std::vector<std::string> near;
    for (std::size_t i = 1; i < findings.networks.size(); ++i) {
      const double other = findings.networks[i].metric("test", "value_kept").value;
      if (i != best && other >= kept.interval.low)
        near.push_back(short_name(findings.networks[i].name));
    }
    text += near.empty() ? "." : fmt::format(" (within its interval: {}).", join(near, ", "));
  }
  text += fmt::format(
      " Taught by the exact solution, our network keeps the value in **{}** of the positions whose "
      "whole symmetry class it never saw.",
      figure_text(findings.ours.metric("test", "value_kept")));
  std::size_t goals = 0, reached = 0;
  for (const Comparison& row : rows) {
    goals += row.against == Yardstick::goal;
    reached += row.against == Yardstick::goal && row.verdict == report::Verdict::reached;
  }
  return text + fmt::format(" {} of {} goals are reached.", reached, goals);
}

report::Section result_section(const FanoronaFindings& findings, std::span<const Comparison> rows) {
  const Metric label = findings.networks.front().metric("test", "label_accuracy");
  const Metric ours = findings.ours.metric("test", "value_kept");
  const Sums reachable = sums_of(findings.reachable);
  report::KeyNumbers numbers;
  const auto interval = [](const Estimate& metric) { return "95 %: " + interval_text(metric); };
  numbers.numbers = {
      {figure_text(label), "the report's network: moves as labelled", interval(label)},
      {figure_text(ours), "ours: value kept on classes it never saw", interval(ours)},
      {figure_text(share_estimate(reachable.kept, reachable.n)), "the model that ships: value kept",
       fmt::format("{} reachable positions that are not over",
                   grouped_digits(static_cast<std::uint64_t>(reachable.n)))}};
  return {
      "Result",
      {report::Paragraph{"The report describes its network, its data and its training, and names "
                         "extensions to try; it prints **no figure** for any of them. So our "
                         "figures are new, and the goals beside them are our own."},
       numbers, report::PageTable{comparison_table(rows), provenance_of(findings)}}};
}

report::Section training_section(const FanoronaFindings& findings) {
  const TrainedNetwork& report = findings.networks.front();
  return {
      "The report's training",
      {report::Paragraph{
           "Each of the nine points is one of five things (empty, or a piece of either "
           "side that has moved or not), which with the player makes **46 inputs**. Two "
           "hidden layers of sigmoids follow, then two softmaxes of nine: where the move "
           "starts and where it ends. Weights begin as Xavier's, plain gradient descent "
           "follows one example at a time in double precision, and the label is the "
           "one move that a search of six plies prefers."},
       report::Paragraph{fmt::format(
           "The positions are split by symmetry class, so no test position is a mirror image "
           "of one that was learnt from. {} rows were kept for the test. The weights are those "
           "of epoch {}, whose loss on the validation rows was lowest. The report warns of "
           "learning by heart: on the rows it learnt from the network names the label in {}, on "
           "those it has not seen in {}.",
           grouped_digits(static_cast<std::uint64_t>(report.metric("test", "value_kept").n)),
           report.kept_epoch, figure_text(report.metric("training", "label_accuracy")),
           figure_text(report.metric("test", "label_accuracy")))},
       report::PageFigure{training_figure(report)}}};
}

report::Section extensions_section(const FanoronaFindings& findings) {
  return {"Its extensions, side by side",
          {report::Paragraph{
               "The report closes with what could be tried: Adam, batch normalisation and "
               "dropout; convolutions, residual connections and attention. Each is one "
               "recipe here. Data, split, epochs and questions are the same for all."},
           report::PageTable{extensions_table(findings)},
           report::PageFigure{extensions_figure(findings)},
           report::PageFigure{learning_figure(findings)},
           report::Paragraph{
               "Read the parameters beside the accuracy: the networks with residual "
               "connections, convolutions and attention are also two to four times as large "
               "as the report's, so the table compares recipes, not ideas alone."}}};
}

report::Section errors_section(const FanoronaFindings& findings) {
  return {"Where a network goes wrong",
          {report::Paragraph{
               "The exact solution knows the value of every position and how many plies it "
               "takes to get there. So mistakes can be sorted."},
           report::PageFigure{distance_figure(findings)},
           report::PageFigure{phase_figure(findings.examinations.front(), "The report's network",
                                           lowest_share(findings))},
           report::PageFigure{
               phase_figure(findings.ours_examination, "Our network", lowest_share(findings))}}};
}

report::Section ours_section(const FanoronaFindings& findings) {
  report::Section section{
      "Ours, on classes it never saw",
      {report::Paragraph{fmt::format(
           "Three things change: the labels are exact and *all* of the best moves are right; moves "
           "that the rules forbid take no part; the value and the distance are learnt beside the "
           "move. The network has {} parameters. A tenth of the symmetry classes was never shown "
           "to it; another tenth served for validation.",
           grouped_digits(findings.ours.parameters))},
       report::PageTable{sets_table(findings)},
       report::PageFigure{training_figure(findings.ours)}}};
  if (has_value_errors(findings.ours_examination)) {
    section.blocks.push_back(report::PageFigure{value_figure(findings.ours_examination)});
  }
  return section;
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
      "and its epochs. Six plies, 64 and 64, 0.05 and 20 are our choice.",
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
    "This is the *quick* version: fewer epochs. Its figures are lower than "
    "those of the full one.";

}  // namespace

ExperimentResult present_fanorona(const FanoronaFindings& findings) {
  ExperimentResult result;
  result.comparisons = comparisons_of(findings);
  result.tables = {extensions_table(findings), games_table(findings)};
  report::Page& report = result.report;
  report.title = "Fanoron-telo: can a small network play it perfectly?";
  report.subtitle =
      "A report's network, the extensions it names, and ours, judged by the exact game";
  report.lead = lead_of(findings, result.comparisons);
  report.sections = {result_section(findings, result.comparisons), training_section(findings),
                     extensions_section(findings), errors_section(findings),
                     ours_section(findings)};
  report.sections.push_back(
      {"Games",
       {report::Paragraph{
            fmt::format("With best play of both the game is a draw. `{}`, the network alone "
                        "without any search, "
                        "meets the exact solution, a search and chance itself, {} games each.",
                        findings.plan.player, findings.plan.games)},
        report::PageTable{games_table(findings)}, report::PageFigure{games_figure(findings)}}});
  finish_report(report, fanorona_experiment(), {findings.quick, findings.seed, findings.command},
                limits(), kQuickLimits);
  return result;
}

}  // namespace damier::lab
