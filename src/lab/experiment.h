// The published experiments by name: what was published (published.h) and how it is done again,
// with our figures beside it. `damier reproduce` lists and runs them.
//
// An experiment is a study (study.h): it may be stopped at any moment, and goes on there when it is
// asked for again with the same options.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "damier/lab/comparison.h"
#include "damier/lab/published.h"
#include "damier/lab/study.h"
#include "damier/play/registry.h"
#include "damier/report/page.h"

namespace damier::lab {

// Without a folder: experiment_folder(); without a store: the default one.
struct ExperimentOptions : StudyOptions {
  bool quick = false;
};

struct ExperimentContext {
  const play::Registry& registry;
  ThreadPool& pool;
  StudyHooks hooks = {};
};

struct ExperimentResult {
  std::vector<Comparison> comparisons;
  report::Page report;
};

// How one of them is done; its name is that of its files in experiments/.
struct Experiment {
  std::string_view name;
  // All that it found, as one document (found.h); interruption() when it was stopped.
  Result<Json> (*study)(const Published& published, const ExperimentOptions& options,
                        const ExperimentContext& context);
};

std::span<const Experiment> experiments();
Result<Experiment> find_experiment(std::string_view name);

// The study of an experiment: its journal in the folder of the options, its trainings in the store.
Result<Study> open_study(std::string_view name, int revision, const ExperimentOptions& options,
                         const ExperimentContext& context);
// experiments/NAME[-quick]-SEED in the state folder.
Result<std::filesystem::path> experiment_folder(std::string_view name,
                                                const ExperimentOptions& options);

// Does the study, compares what it found and fills in its words.
Result<ExperimentResult> reproduce(const Experiment& experiment, const Published& published,
                                   const ExperimentOptions& options,
                                   const ExperimentContext& context);
// The last two of these. The words know of "quick", of what is "cited" and, of the comparisons with
// a verdict, how many are "verdicts.given", ".reached" and ".met" (reached or within the interval).
Result<ExperimentResult> present(const Published& published, const Json& findings,
                                 const ExperimentOptions& options);

// The study of an experiment with its plan, which tests may change before it begins.
template <class Plan>
using PlannedStudy = Result<Json> (*)(const Published& published, const Plan& plan,
                                      const ExperimentOptions& options,
                                      const ExperimentContext& context);
template <class Plan, PlannedStudy<Plan> study>
Result<Json> planned(const Published& published, const ExperimentOptions& options,
                     const ExperimentContext& context) {
  const auto plan = TRY(read_plan<Plan>(published, options.quick));
  return study(published, plan, options, context);
}

// 45 -> "45 seconds", 200 -> "3 minutes", 5400 -> "1.5 hours"; as exact as an estimate is.
std::string about_text(double seconds);

}  // namespace damier::lab
