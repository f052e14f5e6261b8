#include "damier/lab/study.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "damier/base/files/checksum.h"
#include "damier/base/text/version.h"

namespace damier::lab {

namespace {

// Everything but the journal's lock, which says that nobody else is here.
Status empty_folder(const std::filesystem::path& folder) {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".lock") continue;
    std::filesystem::remove_all(entry.path(), error);
    if (error) break;
  }
  if (!error) return Done{};
  return Error{"cannot be emptied: " + error.message(), {folder.string()}, ErrorKind::failure};
}

Result<Journal> open_journal(const std::filesystem::path& folder, bool fresh) {
  const auto path = folder / kJournalFile;
  if (fresh && std::filesystem::exists(folder)) {
    {
      // The process at work here keeps its files.
      auto journal = Journal::open(path);
      const bool in_use = !journal && journal.error().kind == ErrorKind::failure;
      if (in_use) return journal;
    }
    TRY(empty_folder(folder));
  }
  return Journal::open(path);
}

}  // namespace

Study::Study(StudyOptions options, Journal journal, Store store, StudyHooks hooks, ThreadPool& pool)
    : options_(std::move(options)),
      journal_(std::move(journal)),
      store_(std::move(store)),
      hooks_(std::move(hooks)),
      pool_(&pool) {}

Result<Study> Study::open(StudyOptions options, StudyHooks hooks, ThreadPool& pool) {
  auto journal = TRY(open_journal(options.folder, options.fresh));
  auto store = TRY(Store::open(options.store));
  return Study(std::move(options), std::move(journal), std::move(store), std::move(hooks), pool);
}

void Study::add(StepInfo info, std::function<Json()> config, std::function<Result<Json>()> work,
                std::function<Status(const Json&)> read) {
  infos_.push_back(std::move(info));
  steps_.push_back([config = std::move(config), work = std::move(work), read = std::move(read)](
                       Study& study, const std::string& name) {
    return study.measure_now(name, config(), work, read);
  });
}

void Study::train(std::string name, learn::Recipe recipe, Seed seed, TrainedNetwork& into) {
  infos_.push_back({std::move(name), training_seconds(recipe)});
  steps_.push_back(
      [recipe = std::move(recipe), seed, &into](Study& study, const std::string& step) {
        return study.train_now(step, recipe, seed, into);
      });
}

Status Study::run() {
  begin_ = std::chrono::steady_clock::now();
  before_ = known_ = in_all_ = 0;
  for (const StepInfo& info : infos_) in_all_ += info.seconds;
  for (at_ = 0; at_ < steps_.size(); ++at_) {
    Status status = steps_[at_](*this, infos_[at_].name);
    // Whatever a step says that was stopped in the middle.
    if (!status) return stopped() ? Status(interruption()) : status;
  }
  return Done{};
}

void Study::step_done(const std::string& name, bool known) {
  before_ += infos_[at_].seconds;
  if (known) known_ += infos_[at_].seconds;
  if (hooks_.on_step) hooks_.on_step(name, known);
}

Status Study::measure_now(const std::string& name, Json config,
                          const std::function<Result<Json>()>& work,
                          const std::function<Status(const Json&)>& read) {
  config.update(
      {{"damier", version()}, {"revision", options_.revision}, {"seed", value_of(options_.seed)}});
  if (const Json* known = journal_.find(config)) {
    if (const auto status = read(*known); !status) {
      return Error{fmt::format("the result of '{}' is incomplete ({}); --fresh starts over", name,
                               status.error().message),
                   {journal_.path().string()}};
    }
    step_done(name, true);
    return Done{};
  }
  if (stopped()) return interruption();
  tell(0, "");
  auto found = TRY(work());
  TRY(journal_.keep(name, config, std::move(found)));
  step_done(name, false);
  return Done{};
}

Status Study::train_now(const std::string& name, const learn::Recipe& recipe, Seed seed,
                        TrainedNetwork& into) {
  // The journal's own name is part of it: a study that starts over trains again.
  const std::string ticket = learn::checksum_of(
      fmt::format("{}\n{}\n{}", journal_.name(), version(), dump_line(recipe.json)));
  const auto rows = [&]() -> Result<SharedData> {
    if (stopped()) return interruption();
    tell(0, "making the data");
    return data(recipe);
  };
  auto run =
      learn::StoredRun::of_ticket(store_, recipe, seed, ticket, options_.command, rows, *pool_);
  if (!run) return std::move(run).error();
  const bool known = run->done();
  if (!known) {
    learn::TrainingOptions options;
    options.stop = [&] { return stopped(); };
    options.on_progress = [&](const learn::TrainingProgress& progress) {
      tell(progress.done, fmt::format("epoch {}/{}", progress.epoch, progress.epochs));
    };
    const auto result = run->run(*pool_, std::move(options));
    if (!result) return result.error();
    if (!result->finished) return interruption();
  }
  into = TRY(trained_network(store_, *run));
  step_done(name, known);
  return Done{};
}

Result<Study::SharedData> Study::data(const learn::Recipe& recipe) {
  const std::string key =
      recipe.data->file + dump_line(learn::to_json(*recipe.task, recipe.data->generate));
  if (!data_ || key != data_key_) {
    data_.reset();  // before the next ones are made: they may be large
    auto made = TRY(learn::open_data(recipe, *pool_));
    data_ = std::make_shared<const learn::DataSet>(std::move(made));
    data_key_ = key;
  }
  return data_;
}

void Study::tell(double share, const std::string& detail) {
  if (!hooks_.on_progress) return;
  const double done = before_ + std::clamp(share, 0.0, 1.0) * infos_[at_].seconds;
  StudyProgress progress;
  progress.step = at_ + 1;
  progress.steps = steps_.size();
  progress.name = infos_[at_].name;
  progress.detail = detail;
  progress.done = in_all_ > 0 ? done / in_all_ : 0;
  // What was done here tells how this machine compares with the plan's.
  const double here = done - known_;
  const double spent =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  constexpr double kEnough = 0.02;
  const double pace = here > kEnough * in_all_ ? spent / here : 1;
  progress.seconds_left = (in_all_ - done) * pace;
  hooks_.on_progress(progress);
}

}  // namespace damier::lab
