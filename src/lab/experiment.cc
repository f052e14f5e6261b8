#include "damier/lab/experiment.h"

#include <array>
#include <cmath>

#include <fmt/format.h>

#include "damier/base/text/names.h"
#include "damier/base/text/program_name.h"
#include "damier/base/text/text.h"
#include "damier/lab/bremen/experiment.h"
#include "damier/lab/chess/experiment.h"
#include "damier/lab/domineering/experiment.h"
#include "damier/lab/drawn_words.h"
#include "damier/lab/fanorona/experiment.h"
#include "damier/lab/minesweeper/experiment.h"

namespace damier::lab {

std::span<const Experiment> experiments() {
  static constexpr std::array<Experiment, 5> kExperiments = {
      {{"fanorona", planned<FanoronaPlan, study_fanorona>},
       {"bremen", planned<BremenPlan, study_bremen>},
       {"minesweeper", planned<MinesweeperPlan, study_minesweeper>},
       {"chess", planned<ChessPlan, study_chess>},
       {"domineering", planned<DomineeringPlan, study_domineering>}}};
  return kExperiments;
}

Result<Experiment> find_experiment(std::string_view name) {
  for (const Experiment& experiment : experiments()) {
    if (experiment.name == name) return experiment;
  }
  return unknown_name("experiment", name, listed_names(experiments(), &Experiment::name));
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
  StudyOptions study = options;
  study.folder = TRY(experiment_folder(name, options));
  if (study.store.empty()) study.store = TRY(default_store_path());
  study.revision = revision;
  return Study::open(std::move(study), context.hooks, context.pool);
}

Result<ExperimentResult> reproduce(const Experiment& experiment, const Published& published,
                                   const ExperimentOptions& options,
                                   const ExperimentContext& context) {
  // Whatever is wrong with the words is told before the work.
  TRY(find_words(experiment.name));
  const auto findings = TRY(experiment.study(published, options, context));
  return present(published, findings, options);
}

Result<ExperimentResult> present(const Published& published, const Json& findings,
                                 const ExperimentOptions& options) {
  const auto words = TRY(find_words(published.name));
  auto comparisons = TRY(compare(published, findings));
  ExperimentResult result;
  result.comparisons = std::move(comparisons);
  const VerdictCount verdicts = count_verdicts(result.comparisons);
  Json known = findings;
  known.update(
      {{"quick", options.quick},
       {"cited", json_of(published.cited)},
       {"verdicts",
        {{"given", verdicts.given}, {"reached", verdicts.reached}, {"met", verdicts.met}}}});
  Finder found(known, published);
  const std::string seed = std::to_string(value_of(options.seed));
  const std::string program = fmt::format("Damier {}", version());
  report::Page& page = result.report;
  page = page_of(words, found,
                 {comparison_table(result.comparisons),
                  {options.command, seed, {program, std::string(build_compiler())}}});
  if (found.error()) return *found.error();
  page.facts = {program, "seed " + seed, options.quick ? "quick version" : "full version"};
  auto& last = page.sections.back().blocks;
  last.push_back(report::Paragraph{
      fmt::format("All tables and figures come from one command; its trainings are runs (`{}`), "
                  "their networks model files:",
                  kept_command("runs"))});
  last.push_back(report::Preformatted{options.command});
  page.footer = fmt::format("Source: {}. Made by `{}` with {}.", published.source.text(),
                            options.command, program);
  return result;
}

std::string about_text(double seconds) {
  constexpr double kMinute = 60, kHour = 3600;
  if (seconds < 1.5 * kMinute) return fmt::format("{:.0f} seconds", 5 * std::ceil(seconds / 5));
  if (seconds < 1.5 * kHour) return fmt::format("{:.0f} minutes", std::ceil(seconds / kMinute));
  return fmt::format("{:.3g} hours", std::ceil(2 * seconds / kHour) / 2);
}

}  // namespace damier::lab
