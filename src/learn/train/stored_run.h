// Training runs in the store: what they were asked for, their curves, and how they go on.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "damier/learn/train/training_run.h"
#include "damier/store/store.h"

namespace damier::learn {

// What a model file tells of its making; `data` is null of a network that learns by play.
nn::Provenance provenance_of(const Recipe& recipe, const DataSet* data, Seed seed,
                             const std::string& command);

// Where a run of that name keeps its files.
Result<std::filesystem::path> run_folder(const std::string& name);
// The model of a training run: where it was asked to go, or in the run's folder.
std::filesystem::path model_path_of(const Run& run, const std::filesystem::path& folder);

// A file of that name in its folder is of no use once the run is done.
bool is_working_file(std::string_view name);

// A run that is kept in the store, with its folder beside it.
class StoredRun {
 public:
  using SharedData = std::shared_ptr<const DataSet>;

  // `output` is where the model goes; empty: into the run's folder. The rows are opened or made,
  // and everything is checked, before the store hears of the run.
  static Result<StoredRun> begin(Store& store, Recipe recipe, Seed seed, const std::string& output,
                                 const std::string& command, ThreadPool& pool,
                                 Ranks& ranks = no_other_ranks());
  // The run of that name: done, or to be continued if no process is at work on it.
  static Result<StoredRun> resume(Store& store, const std::string& name, ThreadPool& pool,
                                  const Tasks& tasks = builtin_tasks(),
                                  Ranks& ranks = no_other_ranks());
  // A training that belongs to something larger, which names it by a ticket of its own: the run of
  // that ticket, done or to be continued, or a new one. `data` is asked for the rows to learn
  // from only when there is something left to learn.
  static Result<StoredRun> of_ticket(Store& store, Recipe recipe, Seed seed,
                                     const std::string& ticket, const std::string& command,
                                     const std::function<Result<SharedData>()>& data,
                                     ThreadPool& pool);

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
  // What a run learns from and what measures it, where the recipe names rows.
  struct Rows {
    SharedData data, judge;
  };
  // Without `data` the rows to learn from are those that the recipe names itself.
  static Result<Rows> fitting_rows(const Recipe& recipe,
                                   const std::function<Result<SharedData>()>& data,
                                   ThreadPool& pool, Ranks& ranks);

  StoredRun(Store& store, Run run, Recipe recipe, Rows rows, std::filesystem::path folder);
  static Result<StoredRun> begin_request(Store& store, Recipe recipe, const RunRequest& request,
                                         Seed seed, Rows rows);
  static Result<StoredRun> in_folder(Store& store, Run run, Recipe recipe, Rows rows);
  static Result<StoredRun> go_on(Store& store, const Run& known, Recipe recipe, Rows rows,
                                 ErrorKind kind);

  Store& store_;
  Run run_;
  Recipe recipe_;
  Rows rows_;  // none of a run that is done
  std::filesystem::path folder_;
  std::filesystem::path model_path_;
};

}  // namespace damier::learn
