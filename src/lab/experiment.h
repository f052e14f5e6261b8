// The published experiments by name: what was published, and how it is done again with our figure
// beside it. `damier reproduce` lists and runs them.
//
// The one thing to know: an experiment is a study (study.h). It may be stopped at any moment, and
// goes on there when it is asked for again with the same options.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "damier/arena/registry.h"
#include "damier/base/estimate.h"
#include "damier/base/random.h"
#include "damier/base/threads.h"
#include "damier/lab/study.h"
#include "damier/report/page.h"

namespace damier::lab {

struct PublishedFigure {
  std::string what;
  std::string value;  // as it was printed; empty: not given
};

// Seconds on two cores of an ordinary machine.
struct ExperimentDuration {
  double full = 0;
  double quick = 0;
};

// --- our figure beside theirs -----------------------------------------------------------------

// What our figure is held against.
enum class Yardstick : std::uint8_t { none, published, goal };

struct Comparison {
  std::string what;
  Yardstick against = Yardstick::none;
  std::string published;  // "≥ 99.5 %"; empty: not given
  Estimate ours;
  report::Verdict verdict = report::Verdict::none;
};

// Reached: the figure is as good. Within: it is not, but its interval holds one that is.
report::Verdict verdict_at_least(const Estimate& ours, double expected);
report::Verdict verdict_at_most(const Estimate& ours, double expected);

// what | published | ours | interval | verdict
report::Table comparison_table(std::span<const Comparison> comparisons);
Json to_json(const Comparison& comparison);

// --- experiments ------------------------------------------------------------------------------

struct ExperimentOptions {
  bool quick = false;
  bool fresh = false;  // forget what an earlier run found
  Seed seed = Seed{1};
  std::filesystem::path folder = {};  // empty: experiment_folder()
  std::string command = {};           // that gives the report again, for the report
};

struct ExperimentContext {
  const arena::Registry& registry;
  ThreadPool& pool;
  StudyHooks hooks = {};
};

struct ExperimentResult {
  std::vector<Comparison> comparisons;
  std::vector<report::Table> tables;  // more of them, for a terminal
  report::Page report;
};

class Experiment {
 public:
  virtual ~Experiment() = default;

  virtual std::string_view name() const = 0;
  virtual std::string_view title() const = 0;
  virtual std::string_view source() const = 0;  // the report, its authors and its year if known
  virtual std::vector<PublishedFigure> published() const = 0;
  virtual ExperimentDuration duration() const = 0;
  // A study that was stopped gives interruption().
  virtual Result<ExperimentResult> run(const ExperimentOptions& options,
                                       const ExperimentContext& context) const = 0;
};

// How a report came about.
struct ReportOrigin {
  bool quick = false;
  Seed seed = Seed{1};
  std::string command;
};
// What the reports on all experiments say alike: the facts, a last section with the method and its
// limits, which begins with `quick` for a quick version, and the footer.
void finish_report(report::Page& report, const Experiment& experiment, const ReportOrigin& origin,
                   std::vector<std::string> limits, std::string_view quick);

std::span<const Experiment* const> experiments();
Result<const Experiment*> find_experiment(std::string_view name);

// experiments/NAME[-quick]-SEED in the state folder.
std::filesystem::path experiment_folder(std::string_view name, const ExperimentOptions& options);

// 45 -> "45 seconds", 200 -> "3 minutes", 5400 -> "1.5 hours"; as exact as an estimate is.
std::string about_text(double seconds);

}  // namespace damier::lab
