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

struct ExperimentOptions {
  bool quick = false;
  bool fresh = false;  // forget what an earlier run found
  Seed seed = Seed{1};
  std::filesystem::path folder = {};  // empty: experiment_folder()
  std::filesystem::path store = {};   // empty: the default store
  std::string command = {};           // that gives the report again, for the report
};

struct ExperimentContext {
  const play::Registry& registry;
  ThreadPool& pool;
  StudyHooks hooks = {};
};

struct ExperimentResult {
  std::vector<Comparison> comparisons;
  std::vector<report::Table> tables;  // more of them, for a terminal
  report::Page report;
};

// How one of them is done; its name is that of its file in experiments/.
struct Experiment {
  std::string_view name;
  // A study that was stopped gives interruption().
  Result<ExperimentResult> (*run)(const Published& published, const ExperimentOptions& options,
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

// What the reports on all experiments say alike: the facts, a last section with the method and its
// limits, which begins with `quick` for a quick version, and the footer.
void finish_report(report::Page& report, const Published& published,
                   const ExperimentOptions& options, std::vector<std::string> limits,
                   std::string_view quick);
// The table of comparisons with how it is made again.
report::PageTable comparison_block(std::span<const Comparison> rows,
                                   const ExperimentOptions& options);

// 45 -> "45 seconds", 200 -> "3 minutes", 5400 -> "1.5 hours"; as exact as an estimate is.
std::string about_text(double seconds);

}  // namespace damier::lab
