#include "damier/lab/experiment.h"

#include <array>
#include <cmath>

#include <fmt/format.h>

#include "damier/base/text/program_name.h"
#include "damier/base/text/text.h"
#include "damier/base/text/version.h"
#include "damier/lab/bremen/experiment.h"
#include "damier/lab/chess/experiment.h"
#include "damier/lab/domineering/experiment.h"
#include "damier/lab/fanorona/experiment.h"
#include "damier/lab/minesweeper/experiment.h"

namespace damier::lab {

std::span<const Experiment> experiments() {
  static constexpr std::array<Experiment, 5> kExperiments = {{{"fanorona", run_fanorona},
                                                              {"bremen", run_bremen},
                                                              {"minesweeper", run_minesweeper},
                                                              {"chess", run_chess},
                                                              {"domineering", run_domineering}}};
  return kExperiments;
}

Result<Experiment> find_experiment(std::string_view name) {
  std::vector<std::string> names;
  for (const Experiment& experiment : experiments()) {
    if (experiment.name == name) return experiment;
    names.emplace_back(experiment.name);
  }
  return unknown_name("experiment", name, names);
}

Result<std::filesystem::path> experiment_folder(std::string_view name,
                                                const ExperimentOptions& options) {
  if (!options.folder.empty()) return options.folder;
  const auto state = state_folder();
  if (!state) return state;
  return *state / "experiments" /
         fmt::format("{}{}-{}", name, options.quick ? "-quick" : "", value_of(options.seed));
}

Result<Study> open_study(std::string_view name, int revision, const ExperimentOptions& options,
                         const ExperimentContext& context) {
  auto folder = experiment_folder(name, options);
  if (!folder) return std::move(folder).error();
  auto store = options.store.empty() ? default_store_path() : options.store;
  if (!store) return std::move(store).error();
  StudyOptions study;
  study.folder = *std::move(folder);
  study.store = *std::move(store);
  study.fresh = options.fresh;
  study.seed = options.seed;
  study.revision = revision;
  study.command = options.command;
  return Study::open(std::move(study), context.hooks, context.pool);
}

void finish_report(report::Page& report, const Published& published,
                   const ExperimentOptions& options, std::vector<std::string> limits,
                   std::string_view quick) {
  report.facts = {fmt::format("Damier {}", version()),
                  fmt::format("seed {}", value_of(options.seed)),
                  options.quick ? "quick version" : "full version"};
  if (options.quick) limits.emplace(limits.begin(), quick);
  report.sections.push_back(
      {"Method and limits",
       {report::BulletList{std::move(limits)},
        report::Paragraph{fmt::format("All tables and figures come from one command; its trainings "
                                      "are runs (`{}`), their networks model files:",
                                      kept_command("runs"))},
        report::Preformatted{options.command}}});
  report.footer = fmt::format("Source: {}. Made by `{}` with Damier {}.", published.source.text(),
                              options.command, version());
}

report::PageTable comparison_block(std::span<const Comparison> rows,
                                   const ExperimentOptions& options) {
  return {comparison_table(rows),
          {options.command,
           std::to_string(value_of(options.seed)),
           {fmt::format("Damier {}", version()), std::string(build_compiler())}}};
}

std::string about_text(double seconds) {
  constexpr double kMinute = 60, kHour = 3600;
  if (seconds < 1.5 * kMinute) return fmt::format("{:.0f} seconds", 5 * std::ceil(seconds / 5));
  if (seconds < 1.5 * kHour) return fmt::format("{:.0f} minutes", std::ceil(seconds / kMinute));
  return fmt::format("{:.3g} hours", std::ceil(2 * seconds / kHour) / 2);
}

}  // namespace damier::lab
