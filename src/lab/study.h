// A study: long work as a list of steps, each of which is done once. A training is a run of the
// store and leaves a model file; what any other step found is kept in the study's journal. Stopped
// or killed anywhere, the same study goes on where it was and ends with the same results.
//
// For that a step must depend on nothing but its configuration (and the study's seed), and all that
// it finds must be in the value that it returns, whose type describes itself
// (base/json/described.h).
#pragma once

#include <chrono>
#include <concepts>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "damier/base/files/interrupt.h"
#include "damier/base/json/described.h"
#include "damier/base/numbers/estimate.h"
#include "damier/base/numbers/random.h"
#include "damier/base/parallel/threads.h"
#include "damier/lab/journal.h"
#include "damier/learn/train/stored_run.h"
#include "damier/store/store.h"

namespace damier::lab {

// A network that a study has trained: a run of the store, with its curves, its figures and the
// model file that it left.
using ByEpoch = std::vector<std::pair<int, double>>;

struct TrainedNetwork {
  std::string recipe;  // its name
  std::string run;     // of the store
  std::string model;   // the file
  std::uint64_t parameters = 0;
  int kept_epoch = 0;
  int epochs = 0;
  double seconds = 0;            // of the training, since it was last interrupted
  Json curves = Json::object();  // {"training_loss": [[epoch, value], …]}
  std::vector<learn::SetMetrics> sets;

  // The figure on a set; zero of nothing where it was not measured.
  Estimate metric(std::string_view set, std::string_view name) const;
  // A figure over the epochs in which it was told; empty where it never was.
  ByEpoch curve(std::string_view name) const;
};

// Of a run that is done.
Result<TrainedNetwork> trained_network(Store& store, const learn::StoredRun& run);

// For the findings of a study: {"parameters", "kept_epoch", …, "curves": {NAME: [[epoch, value]]},
// SET: {METRIC: estimate}}.
Json findings_of(const TrainedNetwork& network);

// About how long a training takes, in seconds on two cores.
double training_seconds(const learn::Recipe& recipe);

// For a line that is drawn while a study goes on.
struct StudyProgress {
  std::size_t step = 0;  // from 1
  std::size_t steps = 0;
  std::string name;    // of the step
  std::string detail;  // "epoch 3/20"
  double done = 0;     // share of the whole study
  double seconds_left = 0;
};

struct StudyHooks {
  std::function<void(const StudyProgress&)> on_progress;
  std::function<void(const std::string& step, bool known)> on_step;  // a step is done
  std::function<bool()> stop;  // asked often; once true, the study ends with interruption()
};

struct StudyOptions {
  std::filesystem::path folder;  // of the journal
  std::filesystem::path store;   // of the trainings
  bool fresh = false;            // forget what was found before
  Seed seed = Seed{1};
  int revision = 1;     // of what the steps find: a change of their code counts it up
  std::string command;  // that continues the study; kept with its trainings and their models
};

// Everything that decides what a step finds: known at once, or when its turn comes.
struct StepConfig {
  StepConfig(Json json) : make([json = std::move(json)] { return json; }) {}
  template <std::invocable Make>
  StepConfig(Make later) : make(std::move(later)) {}

  std::function<Json()> make;
};

struct StepInfo {
  std::string name;
  double seconds = 1;  // about; only the proportions matter
};

class Study {
 public:
  using SharedData = learn::StoredRun::SharedData;

  static Result<Study> open(StudyOptions options, StudyHooks hooks, ThreadPool& pool);

  // --- the list ---------------------------------------------------------------------------------

  // Adds a step. Its configuration may name what earlier steps found; a step of the same
  // configuration is not done twice. `into` and all that `work` refers to must outlive run().
  template <class T>
  void measure(StepInfo info, StepConfig config, std::function<Result<T>()> work, T& into) {
    add(
        std::move(info), std::move(config.make),
        [work = std::move(work), &into]() -> Result<Json> {
          into = TRY(work());
          return json_of(into);
        },
        [&into](const Json& known) -> Status {
          into = TRY(read_described<T>(known, ""));
          return Done{};
        });
  }
  // Adds a training. The same recipe with the same seed is not trained twice.
  void train(std::string name, learn::Recipe recipe, Seed seed, TrainedNetwork& into);

  // Does all steps that are not known, in their order.
  Status run();
  const std::vector<StepInfo>& steps() const { return infos_; }

  // --- from inside a step -----------------------------------------------------------------------

  void tell(double share, const std::string& detail);  // `share` of the step is done
  bool stopped() const { return hooks_.stop && hooks_.stop(); }
  ThreadPool& pool() { return *pool_; }
  Seed seed() const { return options_.seed; }
  // The rows that a recipe learns from; those of the last recipe that was asked for are kept.
  Result<SharedData> data(const learn::Recipe& recipe);

 private:
  using Step = std::function<Status(Study&, const std::string& name)>;

  Study(StudyOptions options, Journal journal, Store store, StudyHooks hooks, ThreadPool& pool);
  void add(StepInfo info, std::function<Json()> config, std::function<Result<Json>()> work,
           std::function<Status(const Json&)> read);
  Status measure_now(const std::string& name, Json config,
                     const std::function<Result<Json>()>& work,
                     const std::function<Status(const Json&)>& read);
  Status train_now(const std::string& name, const learn::Recipe& recipe, Seed seed,
                   TrainedNetwork& into);
  void step_done(const std::string& name, bool known);

  StudyOptions options_;
  Journal journal_;
  Store store_;
  StudyHooks hooks_;
  ThreadPool* pool_;
  std::vector<StepInfo> infos_;
  std::vector<Step> steps_;
  std::string data_key_;
  SharedData data_;

  std::size_t at_ = 0;  // the step at work
  double before_ = 0;   // planned seconds of the steps that are done
  double known_ = 0;    // of those, what was known
  double in_all_ = 0;   // planned seconds of all steps
  std::chrono::steady_clock::time_point begin_;
};

}  // namespace damier::lab
