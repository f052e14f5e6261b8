// A training run from a recipe to a model: epochs, measurements, checkpoints, the best weights.
//
// A run that is stopped or killed goes on from its last checkpoint and ends with the same bits as
// one that was left alone. All randomness follows from the seed and from where the run is, so a
// checkpoint holds weights, the optimiser's means and a place, no generator.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "damier/learn/train/learner.h"
#include "damier/nn/model_file.h"
#include "damier/store/store.h"

namespace damier::learn {

struct EpochMetrics {
  int epoch = 0;  // from 1
  int epochs = 0;
  double training_loss = 0;
  std::optional<double> validation_loss;  // none without validation rows
  std::optional<double> accuracy;         // the task's main metric, where it was measured
  double samples_per_second = 0;
  double seconds = 0;       // of this process so far
  bool best = false;        // these weights are the ones to keep so far
  bool generation = false;  // of self-play, instead of an epoch
  // What else there is to tell, by name.
  std::vector<std::pair<std::string, double>> more = {};
  // The games that measured a network that learns by play: of "generation 8" and others.
  std::vector<GameRow> games = {};
};

// For a line that is drawn while an epoch goes on.
struct TrainingProgress {
  int epoch = 0;  // from 1
  int epochs = 0;
  double done = 0;  // share of the whole run
  double training_loss = 0;
  std::optional<double> accuracy;  // of the last epoch
  double samples_per_second = 0;
  double seconds_left = 0;
  // In a generation of self-play: games that are over, of so many; 0 of an epoch.
  std::uint64_t games = 0, games_in_all = 0;
  double simulations_per_second = 0;
};

struct TrainingOptions {
  std::filesystem::path folder;  // for checkpoints; empty: none are written
  double checkpoint_seconds = 60;
  std::function<Status(const EpochMetrics&)> on_epoch;
  std::function<void(const TrainingProgress&)> on_progress;
  std::function<bool()> stop;      // asked after every batch
  Ranks* ranks = nullptr;          // that play games too; null: none
  const DataSet* judge = nullptr;  // of a recipe that learns by play: its data
};

struct SetMetrics {
  std::string set;
  std::vector<Metric> metrics;
};

struct TrainingResult {
  bool finished = false;  // otherwise it was stopped, and the folder holds a checkpoint
  int epochs = 0;         // that were run
  int kept_epoch = 0;     // whose weights were kept, from 1
  std::size_t parameters = 0;
  double seconds = 0;
  double samples_per_second = 0;
  double loading_share = 0;      // of the learning's time: making batches of the rows
  std::vector<SetMetrics> sets;  // of the kept weights
  nn::TensorFile model;          // with the provenance
};

// Runs the recipe, or goes on where the folder's checkpoint is. `provenance` goes into the model.
Result<TrainingResult> train(const Recipe& recipe, const DataSet& data, Seed seed, ThreadPool& pool,
                             const nn::Provenance& provenance = {},
                             const TrainingOptions& options = {});

// A network on the set of that name: a split of `data`, which may be null, or one of the task's.
Result<std::vector<Metric>> evaluate_set(const Task& task, Predictor& network,
                                         std::string_view encoder, std::string_view set,
                                         const DataSet* data);

// The data that a recipe asks for: opened or generated.
Result<DataSet> open_data(const Recipe& recipe, ThreadPool& pool, Ranks& ranks = no_other_ranks());

// What a model file tells of its making; `data` is null of a network that learns by play.
nn::Provenance provenance_of(const Recipe& recipe, const DataSet* data, Seed seed,
                             const std::string& command);

// Where a run of that name keeps its files.
Result<std::filesystem::path> run_folder(const std::string& name);
// The model of a training run: where it was asked to go, or in the run's folder.
std::filesystem::path model_path_of(const Run& run, const std::filesystem::path& folder);
// In the folder, while a run is not done.
inline constexpr std::string_view kCheckpointFile = "checkpoint.safetensors";
inline constexpr std::string_view kBestFile = "best.safetensors";
// A network that learns by play as it was when it was measured, where the recipe wants that kept.
std::string measured_file(int epoch);  // "epoch-20.safetensors"

// A run that is kept in the store, with its folder beside it.
class StoredRun {
 public:
  using SharedData = std::shared_ptr<const DataSet>;

  // `output` is where the model goes; empty: into the run's folder. The data are opened or made,
  // and everything is checked, before the store hears of the run.
  static Result<StoredRun> begin(Store& store, Recipe recipe, Seed seed, const std::string& output,
                                 const std::string& command, ThreadPool& pool,
                                 Ranks& ranks = no_other_ranks());
  // The run of that name: done, or to be gone on with if nobody is at work on it.
  static Result<StoredRun> resume(Store& store, const std::string& name, ThreadPool& pool,
                                  const Tasks& tasks = builtin_tasks(),
                                  Ranks& ranks = no_other_ranks());
  // A training that belongs to something larger, which names it by a ticket of its own: the run of
  // that ticket, done or to be gone on with, or a new one. `data` is asked for rows only when
  // there is something left to learn.
  static Result<StoredRun> of_ticket(Store& store, Recipe recipe, Seed seed,
                                     const std::string& ticket, const std::string& command,
                                     const std::function<Result<SharedData>()>& data);

  const std::string& name() const { return run_.name; }
  const Recipe& recipe() const { return recipe_; }
  Seed seed() const { return run_.seed; }
  const std::filesystem::path& folder() const { return folder_; }
  const std::filesystem::path& model_path() const { return model_path_; }
  // Nothing is left to do: the model and the summary are there.
  bool done() const { return run_.status == RunStatus::done; }

  // Those that measured its network so far.
  Result<std::vector<GameRow>> games() const { return store_.finished_games(run_.id); }

  // Trains, keeps each epoch's figures in the store and, in the end, writes the model.
  Result<TrainingResult> run(ThreadPool& pool, TrainingOptions options);

 private:
  StoredRun(Store& store, Run run, Recipe recipe, SharedData data, std::filesystem::path folder);
  static Result<StoredRun> begin_request(Store& store, Recipe recipe, const RunRequest& request,
                                         Seed seed, SharedData data);
  Status make_folder() const;

  Store& store_;
  Run run_;
  Recipe recipe_;
  SharedData data_;  // none of a run that is done
  std::filesystem::path folder_;
  std::filesystem::path model_path_;
};

}  // namespace damier::learn
