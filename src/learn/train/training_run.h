// A training run from a recipe to a model, whatever it learns from (learn/sources/source.h):
// epochs, measurements, checkpoints, the weights to keep. A generation of self-play is an epoch.
//
// A run that is stopped or killed goes on from its last checkpoint and ends with the same bits as
// one that was left alone. All randomness follows from the seed and from where the run is, so a
// checkpoint holds weights, the optimiser's means and a place, no generator.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "damier/base/parallel/ranks.h"
#include "damier/base/parallel/threads.h"
#include "damier/learn/rows/data_set.h"
#include "damier/learn/train/recipe.h"
#include "damier/model/predictor.h"
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
  std::function<bool()> stop;      // asked after every step
  Ranks* ranks = nullptr;          // that play games too; null: none
  const DataSet* judge = nullptr;  // the rows that measure the network; null: those of the data
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

// Runs a recipe that learns from rows, or goes on where the folder's checkpoint is. `provenance`
// goes into the model.
Result<TrainingResult> train(const Recipe& recipe, const DataSet& data, Seed seed, ThreadPool& pool,
                             const nn::Provenance& provenance = {},
                             const TrainingOptions& options = {});
// The same of one that learns by play.
Result<TrainingResult> train(const Recipe& recipe, Seed seed, ThreadPool& pool,
                             const nn::Provenance& provenance = {},
                             const TrainingOptions& options = {});

// A network on the set of that name: a split of `data`, which may be null, or one of the task's.
Result<std::vector<Metric>> evaluate_set(const Task& task, model::Predictor& network,
                                         std::string_view encoder, std::string_view set,
                                         const DataSet* data);

// The rows that a recipe asks for: opened or generated.
Result<DataSet> open_rows(const Recipe& recipe, const RowsRecipe& rows, ThreadPool& pool,
                          Ranks& ranks = no_other_ranks());
// Those that it learns from.
Result<DataSet> open_data(const Recipe& recipe, ThreadPool& pool, Ranks& ranks = no_other_ranks());

// In the folder, while a run is not done.
inline constexpr std::string_view kCheckpointFile = "checkpoint.safetensors";
// The weights after an epoch: those that may be kept in the end, and those that were measured,
// where the recipe wants them to stay.
std::string weights_file(int epoch);  // "epoch-20.safetensors"
bool is_weights_file(std::string_view name);

}  // namespace damier::learn
