#include "damier/lab/experiment.h"

#include <array>
#include <cmath>

#include <fmt/format.h>

#include "damier/base/store.h"
#include "damier/base/text.h"
#include "damier/base/version.h"
#include "damier/lab/fanorona/experiment.h"
#include "damier/lab/minesweeper/experiment.h"

namespace damier::lab {

namespace {

constexpr std::string_view kNotGiven = "not given";

std::string_view verdict_word(report::Verdict verdict) {
  switch (verdict) {
    case report::Verdict::reached:
      return "reached";
    case report::Verdict::within:
      return "within";
    case report::Verdict::missed:
      return "missed";
    default:
      return "";
  }
}

}  // namespace

report::Verdict verdict_at_least(const Estimate& ours, double expected) {
  if (ours.value >= expected) return report::Verdict::reached;
  return ours.interval.high >= expected ? report::Verdict::within : report::Verdict::missed;
}

report::Verdict verdict_at_most(const Estimate& ours, double expected) {
  if (ours.value <= expected) return report::Verdict::reached;
  return ours.interval.low <= expected ? report::Verdict::within : report::Verdict::missed;
}

report::Table comparison_table(std::span<const Comparison> comparisons) {
  report::Table table;
  table.caption = "Our figures beside the published ones";
  table.columns = {{"What"},
                   {"Published", report::Align::right},
                   {"Ours", report::Align::right},
                   {"Interval", report::Align::right},
                   {"Verdict"}};
  bool goals = false;
  for (const Comparison& row : comparisons) {
    const bool given = row.against != Yardstick::none;
    goals = goals || row.against == Yardstick::goal;
    const std::string published = !given                           ? std::string(kNotGiven)
                                  : row.against == Yardstick::goal ? "goal " + row.published
                                                                   : row.published;
    table.rows.push_back(
        {{row.what, published, figure_text(row.ours), interval_text(row.ours),
          row.verdict == report::Verdict::none ? report::Cell(given ? "" : std::string(kNotGiven))
                                               : report::Cell("", row.verdict)}});
  }
  table.note = "Intervals hold the truth 95 times in 100.";
  if (goals)
    table.note += " A goal is ours: no figure was published that could be held against it.";
  return table;
}

Json to_json(const Comparison& row) {
  const bool given = row.against != Yardstick::none;
  return {{"what", row.what},
          {"published", given ? Json(row.published) : Json(nullptr)},
          {"is_goal", row.against == Yardstick::goal},
          {"ours", row.ours.value},
          {"interval", row.ours.has_interval() ? interval_json(row.ours.interval) : Json(nullptr)},
          {"kind", kind_text(row.ours.kind)},
          {"n", row.ours.n},
          {"verdict",
           row.verdict == report::Verdict::none ? Json(nullptr) : Json(verdict_word(row.verdict))}};
}

void finish_report(report::Page& report, const Experiment& experiment, const ReportOrigin& origin,
                   std::vector<std::string> limits, std::string_view quick) {
  report.facts = {fmt::format("Damier {}", version()),
                  fmt::format("seed {}", value_of(origin.seed)),
                  origin.quick ? "quick version" : "full version"};
  if (origin.quick) limits.emplace(limits.begin(), quick);
  report.sections.push_back({"Method and limits",
                             {report::BulletList{std::move(limits)},
                              report::Paragraph{"All tables and figures come from one command:"},
                              report::Preformatted{origin.command}}});
  report.footer = fmt::format("Source: {}. Made by `{}` with Damier {}.", experiment.source(),
                              origin.command, version());
}

std::span<const Experiment* const> experiments() {
  static const std::array<const Experiment*, 2> kExperiments = {&fanorona_experiment(),
                                                                &minesweeper_experiment()};
  return kExperiments;
}

Result<const Experiment*> find_experiment(std::string_view name) {
  std::vector<std::string> names;
  for (const Experiment* experiment : experiments()) {
    if (experiment->name() == name) return experiment;
    names.emplace_back(experiment->name());
  }
  return unknown_name("experiment", name, names);
}

std::filesystem::path experiment_folder(std::string_view name, const ExperimentOptions& options) {
  if (!options.folder.empty()) return options.folder;
  return state_folder() / "experiments" /
         fmt::format("{}{}-{}", name, options.quick ? "-quick" : "", value_of(options.seed));
}

std::string about_text(double seconds) {
  constexpr double kMinute = 60, kHour = 3600;
  if (seconds < 1.5 * kMinute) return fmt::format("{:.0f} seconds", 5 * std::ceil(seconds / 5));
  if (seconds < 1.5 * kHour) return fmt::format("{:.0f} minutes", std::ceil(seconds / kMinute));
  return fmt::format("{:.3g} hours", std::ceil(2 * seconds / kHour) / 2);
}

}  // namespace damier::lab
