// `damier verify`: the files of runs, the journals of studies, models and data sets.

#include "damier/base/files/files.h"

#include <set>
#include <system_error>

#include <fmt/format.h>

#include "damier/app/verify/verify.h"
#include "damier/base/files/interrupt.h"
#include "damier/base/text/program_name.h"
#include "damier/base/text/text.h"
#include "damier/games/saved_game.h"
#include "damier/lab/journal.h"
#include "damier/learn/rows/data_set.h"
#include "damier/learn/train/stored_run.h"
#include "damier/model/library.h"
#include "damier/nn/safetensors.h"

namespace damier::app {

namespace {

namespace fs = std::filesystem;

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

// Out of the way of those who would read it, and not lost.
Status set_file_aside(const fs::path& path) {
  std::error_code error;
  fs::rename(path, path.string() + ".damaged", error);
  if (!error) return Done{};
  return Error{"cannot be renamed: " + error.message(), {path.string()}, ErrorKind::failure};
}

Status check_model_file(const fs::path& path) {
  TRY(model::open_model(path.string()));
  return Done{};
}

Status check_data_file(const fs::path& path) {
  const auto data = TRY(learn::DataSet::open(path));
  return learn::check_data_set(data);
}

class TrainingFiles {
 public:
  TrainingFiles(Store& store, VerifyReport& report) : store_(store), report_(report) {}

  Status check(const Run& run);
  void count() const {
    report_.count("trained_model", models_);
    report_.count("checkpoint", checkpoints_);
    report_.count("data_set", static_cast<std::int64_t>(data_sets_.size()));
  }

 private:
  Status check_model(const Run& run, const fs::path& folder);
  Status check_checkpoint(const Run& run, const fs::path& path);
  Status check_leftovers(const fs::path& folder);
  void check_data(const Run& run);
  void check_data(const Run& run, const std::string& file);

  Store& store_;
  VerifyReport& report_;
  std::int64_t models_ = 0;
  std::int64_t checkpoints_ = 0;
  std::set<std::string> data_sets_;  // sound ones
  std::set<std::string> seen_data_;
};

Status TrainingFiles::check_model(const Run& run, const fs::path& folder) {
  const fs::path model = learn::model_path_of(run, folder);
  const bool is_ours = model.parent_path() == folder;
  const std::string again = fmt::format("marked as stopped, `{} train --resume {}` makes it again",
                                        program_name(), run.name);
  if (!is_there(model)) {
    const std::string what = fmt::format("the model of run {} is missing", run.name);
    // What was made elsewhere may have been moved or deleted by its owner.
    if (!is_ours) {
      report_.notes.push_back({model.string(), what});
      return Done{};
    }
    return report_.add(report_.damage, {model.string(), what, again},
                       [&] { return store_.reopen_run(run.id); });
  }
  const Status readable = check_model_file(model);
  if (readable) {
    ++models_;
    return Done{};
  }
  const std::string what =
      fmt::format("the model of run {} cannot be read: {}", run.name, readable.error().message);
  if (!is_ours) {
    report_.damage.push_back({model.string(), what,
                              fmt::format("`{}` makes it again",
                                          typed_command(text_in(run.request.config, "command")))});
    return Done{};
  }
  return report_.add(report_.damage, {model.string(), what, "set aside; the run " + again},
                     [&]() -> Status {
                       TRY(set_file_aside(model));
                       return store_.reopen_run(run.id);
                     });
}

Status TrainingFiles::check_checkpoint(const Run& run, const fs::path& path) {
  if (!is_there(path)) return Done{};
  const auto readable = nn::read_safetensors(path.string());
  if (readable) {
    ++checkpoints_;
    return Done{};
  }
  return report_.add(
      report_.damage,
      {path.string(),
       fmt::format("the checkpoint of run {} cannot be read: {}", run.name,
                   readable.error().message),
       fmt::format("set aside, `{} train --resume {}` starts over", program_name(), run.name)},
      [&] { return set_file_aside(path); });
}

// What a run that is done needs no more, but had no time to remove.
Status TrainingFiles::check_leftovers(const fs::path& folder) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    const fs::path& file = entry.path();
    if (!learn::is_working_file(file.filename().string())) continue;
    auto added = report_.add(
        report_.notes, {file.string(), "is left over from a run that is done", "removed"},
        [&]() -> Status {
          std::error_code error;
          if (fs::remove(file, error) || !error) return Done{};
          return Error{
              "cannot be removed: " + error.message(), {file.string()}, ErrorKind::failure};
        });
    if (!added) return added;
  }
  return Done{};
}

void TrainingFiles::check_data(const Run& run) {
  for (const char* key : {"data_file", "judge_file"}) {
    check_data(run, text_in(run.request.config, key));
  }
}

void TrainingFiles::check_data(const Run& run, const std::string& file) {
  if (file.empty() || !seen_data_.insert(file).second) return;
  if (!is_there(file)) {
    if (run.status == RunStatus::done) return;
    report_.notes.push_back(
        {file, fmt::format("the data set of run {} is missing; the run cannot continue without it",
                           run.name)});
    return;
  }
  const Status sound = check_data_file(file);
  if (sound) {
    data_sets_.insert(file);
  } else {
    report_.damage.push_back({file, sound.error().message, "restore it, or generate it again"});
  }
}

Status TrainingFiles::check(const Run& run) {
  const auto folder = TRY(learn::run_folder(run.name));
  check_data(run);
  if (run.status != RunStatus::done) return check_checkpoint(run, folder / learn::kCheckpointFile);
  TRY(check_model(run, folder));
  return check_leftovers(folder);
}

// They may belong to another store, so nobody but their owner can tell whether they are needed.
void note_strange_folders(const std::vector<Run>& runs, VerifyReport& report) {
  const auto folder = learn::run_folder("");
  if (!folder) return;
  std::set<std::string> names;
  for (const Run& run : runs) names.insert(run.name);
  std::int64_t strange = 0;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(*folder, ignored)) {
    if (!names.contains(entry.path().filename().string())) ++strange;
  }
  if (strange == 0) return;
  report.notes.push_back(
      {folder->string(), fmt::format("holds the files of {} that this store does not know",
                                     counted(strange, "run"))});
}

Status verify_journals(const fs::path& folder, VerifyReport& report) {
  std::int64_t sound = 0;
  std::error_code ignored;
  for (const auto& study : fs::directory_iterator(folder, ignored)) {
    const fs::path path = study.path() / lab::kJournalFile;
    if (!is_there(path)) continue;
    const auto journal = lab::Journal::open(path);
    if (journal) {
      ++sound;
    } else if (journal.error().kind == ErrorKind::failure) {
      report.notes.push_back({path.string(), journal.error().message});
    } else {
      auto added =
          report.add(report.damage,
                     {path.string(), journal.error().message, "set aside, the study starts over"},
                     [&] { return set_file_aside(path); });
      if (!added) return added;
    }
  }
  report.count("study", sound);
  return Done{};
}

Status verify_saved_games(const fs::path& folder, const Context& context, VerifyReport& report) {
  std::int64_t sound = 0;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with("interrupted-") || !name.ends_with(".json")) continue;
    constexpr std::size_t kMaxGameBytes = std::size_t{1} << 24;
    const auto text = read_file(entry.path(), kMaxGameBytes);
    if (text && games::parse_saved_game(context.registry, *text, "")) {
      ++sound;
      continue;
    }
    auto added = report.add(
        report.damage,
        {entry.path().string(), "the game that was interrupted cannot be read", "set aside"},
        [&] { return set_file_aside(entry.path()); });
    if (!added) return added;
  }
  report.count("interrupted_game", sound);
  return Done{};
}

}  // namespace

Status VerifyReport::add(std::vector<Damage>& list, Damage found,
                         const std::function<Status()>& mend) {
  found.repairable = true;
  if (repair) {
    TRY(mend());
    found.repaired = true;
  }
  list.push_back(std::move(found));
  return Done{};
}

Status verify_trainings(Store& store, VerifyReport& report) {
  DamagedRows damaged;
  const auto runs = TRY(store.runs("train", &damaged));
  TrainingFiles files(store, report);
  for (const Run& run : runs) {
    if (interrupted()) return interruption();
    if (run.status == RunStatus::running) continue;
    TRY(files.check(run));
  }
  files.count();
  note_strange_folders(runs, report);
  return Done{};
}

Status verify_state_folder(const Context& context, VerifyReport& report) {
  const auto folder = state_folder();
  if (!folder) return Done{};  // then there is nothing in it
  TRY(verify_journals(*folder / "experiments", report));
  return verify_saved_games(*folder, context, report);
}

Status verify_shipped_models(VerifyReport& report) {
  std::int64_t sound = 0;
  for (const model::ShippedModel& model : model::shipped_models()) {
    const Status readable = check_model_file(model.weights);
    if (readable) {
      ++sound;
    } else {
      report.damage.push_back({model.weights.string(),
                               "the model that ships cannot be read: " + readable.error().message,
                               "install Damier again"});
    }
  }
  report.count("shipped_model", sound);
  return Done{};
}

Status verify_files(const std::vector<std::string>& files, VerifyReport& report) {
  std::int64_t sound = 0;
  for (const std::string& file : files) {
    if (!is_there(file)) return Error{"is no file; expected a model or a data set", {file}};
    // What is no data set at all is taken for a model.
    const auto data = learn::DataSet::open(file);
    Status readable = data ? learn::check_data_set(*data) : check_model_file(file);
    if (readable) {
      ++sound;
    } else {
      report.damage.push_back(
          {file, readable.error().message, "restore it from a copy, or make it again"});
    }
  }
  report.count("file", sound);
  return Done{};
}

}  // namespace damier::app
