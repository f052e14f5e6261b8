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

// Adds what cannot be read; a repair sets it aside.
Status add_unreadable(VerifyReport& report, const fs::path& path, std::string what,
                      std::string remedy) {
  return report.add(report.damage, {path.string(), std::move(what), std::move(remedy)},
                    [&] { return set_file_aside(path); });
}

// A model, or a data set with all of its rows.
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

  Status check(const Run& run) {
    const auto folder = TRY(learn::run_folder(run.name));
    for (const char* key : {"data_file", "judge_file"}) {
      check_data(run, text_in(run.request.config, key));
    }
    if (run.status != RunStatus::done) {
      return check_checkpoint(run, folder / learn::kCheckpointFile);
    }
    TRY(check_model(run, folder));
    return check_leftovers(folder);
  }
  void count() const {
    report_.count("trained_model", models_);
    report_.count("checkpoint", checkpoints_);
    report_.count("data_set", data_sets_);
  }

 private:
  Status check_model(const Run& run, const fs::path& folder) {
    const fs::path model = learn::model_path_of(run, folder);
    const bool is_ours = model.parent_path() == folder;
    const std::string again = fmt::format(
        "marked as stopped, `{} train --resume {}` makes it again", program_name(), run.name);
    if (!is_there(model)) {
      const std::string what = fmt::format("the model of run {} is missing", run.name);
      if (is_ours) {
        return report_.add(report_.damage, {model.string(), what, again},
                           [&] { return store_.reopen_run(run.id); });
      }
      // What was made elsewhere may have been moved or deleted by its owner.
      report_.notes.push_back({model.string(), what});
      return Done{};
    }
    const Status readable = check_model_file(model);
    models_ += readable.ok();
    if (readable) return Done{};
    const std::string what =
        fmt::format("the model of run {} cannot be read: {}", run.name, readable.error().message);
    if (is_ours) {
      return report_.add(report_.damage, {model.string(), what, "set aside; the run " + again},
                         [&]() -> Status {
                           TRY(set_file_aside(model));
                           return store_.reopen_run(run.id);
                         });
    }
    report_.damage.push_back({model.string(), what,
                              fmt::format("`{}` makes it again",
                                          typed_command(text_in(run.request.config, "command")))});
    return Done{};
  }

  Status check_checkpoint(const Run& run, const fs::path& path) {
    if (!is_there(path)) return Done{};
    const auto readable = nn::read_safetensors(path.string());
    checkpoints_ += readable.ok();
    if (readable) return Done{};
    return add_unreadable(
        report_, path,
        fmt::format("the checkpoint of run {} cannot be read: {}", run.name,
                    readable.error().message),
        fmt::format("set aside, `{} train --resume {}` starts over", program_name(), run.name));
  }

  // What a run that is done needs no more, but had no time to remove.
  Status check_leftovers(const fs::path& folder) {
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder, ignored)) {
      const fs::path& file = entry.path();
      if (!learn::is_working_file(file.filename().string())) continue;
      TRY(report_.add(
          report_.notes, {file.string(), "is left over from a run that is done", "removed"},
          [&]() -> Status {
            std::error_code error;
            if (fs::remove(file, error) || !error) return Done{};
            return Error{
                "cannot be removed: " + error.message(), {file.string()}, ErrorKind::failure};
          }));
    }
    return Done{};
  }

  void check_data(const Run& run, const std::string& file) {
    if (file.empty() || !seen_data_.insert(file).second) return;
    if (is_there(file)) {
      data_sets_ +=
          report_.is_sound(check_data_file(file), file, "", "restore it, or generate it again");
    } else if (run.status != RunStatus::done) {
      report_.notes.push_back(
          {file, fmt::format("the data set of run {} is missing; the run cannot continue without "
                             "it",
                             run.name)});
    }
  }

  Store& store_;
  VerifyReport& report_;
  std::int64_t models_ = 0, checkpoints_ = 0, data_sets_ = 0;  // that are sound
  std::set<std::string> seen_data_;
};

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
      TRY(add_unreadable(report, path, journal.error().message,
                         "set aside, the study starts over"));
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
    } else {
      TRY(add_unreadable(report, entry.path(), "the game that was interrupted cannot be read",
                         "set aside"));
    }
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

bool VerifyReport::is_sound(const Status& checked, const std::string& where,
                            const std::string& what, std::string remedy) {
  if (!checked) damage.push_back({where, what + checked.error().message, std::move(remedy)});
  return checked.ok();
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
    sound += report.is_sound(check_model_file(model.weights), model.weights.string(),
                             "the model that ships cannot be read: ", "install Damier again");
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
    sound += report.is_sound(data ? learn::check_data_set(*data) : check_model_file(file), file, "",
                             "restore it from a copy, or make it again");
  }
  report.count("file", sound);
  return Done{};
}

}  // namespace damier::app
