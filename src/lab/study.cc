#include "damier/lab/study.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "damier/base/files/checksum.h"
#include "damier/base/text/program_name.h"
#include "damier/nn/network.h"

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

Estimate TrainedNetwork::metric(std::string_view set, std::string_view name) const {
  for (const learn::SetMetrics& measured : sets) {
    if (measured.set != set) continue;
    if (const Metric* found = find_metric(measured.metrics, name)) return *found;
  }
  return {};
}

ByEpoch TrainedNetwork::curve(std::string_view name) const {
  ByEpoch points;
  if (const Json* told = curves.find(name)) {
    for (const Json& point : *told) {
      points.emplace_back(point[0].get<int>(), point[1].get<double>());
    }
  }
  return points;
}

Result<TrainedNetwork> trained_network(Store& store, const learn::StoredRun& run) {
  const auto kept = TRY(store.find_run(run.name()));
  const auto rows = TRY(store.metrics(kept.id));
  TrainedNetwork network;
  network.recipe = run.recipe().name;
  network.run = kept.name;
  network.model = run.model_path().string();
  const Json& summary = kept.summary;
  constexpr std::int64_t kMaxParameters = std::int64_t{1} << 40, kMaxEpochs = 1'000'000;
  const auto whole = [&](const char* key, std::int64_t most) {
    return summary[key].is_whole_in(0, most) ? summary[key].get<std::int64_t>() : 0;
  };
  network.parameters = static_cast<std::uint64_t>(whole("parameters", kMaxParameters));
  network.kept_epoch = static_cast<int>(whole("kept_epoch", kMaxEpochs));
  network.seconds = number_in(summary, "seconds").value_or(0);
  for (const auto& [set, metrics] : summary["metrics"].items()) {
    network.sets.push_back({set, metrics_in(metrics)});
  }
  for (const MetricRow& row : rows) {
    network.curves[row.name].push_back(Json::array({row.step, row.value}));
    network.epochs = std::max(network.epochs, static_cast<int>(row.step));
  }
  return network;
}

Json findings_of(const TrainedNetwork& network) {
  Json json = {{"recipe", network.recipe},         {"run", network.run},
               {"parameters", network.parameters}, {"kept_epoch", network.kept_epoch},
               {"epochs", network.epochs},         {"seconds", network.seconds},
               {"curves", network.curves}};
  for (const learn::SetMetrics& set : network.sets) json[set.set] = metrics_json(set.metrics);
  return json;
}

double training_seconds(const learn::Recipe& recipe) {
  constexpr double kBegin = 0.2;
  constexpr double kRowsMade = 1e6;                            // in a second
  constexpr double kSmallBatches = 1.0e10, kBatches = 2.5e10;  // multiplications in a second
  constexpr double kAllRows = 76'000;                          // where a recipe takes all there are
  const double work = nn::products_of_sample(recipe.network);
  const double rate = recipe.batch < 100 ? kSmallBatches : kBatches;
  if (recipe.reinforcement) {
    // A move is thought of once, and learnt from as often as the recipe says, forwards and back.
    const auto& how = recipe.reinforcement->how;
    const double passes = how.method == learn::ReinforcementMethod::q     ? 4 * how.reuse
                          : how.method == learn::ReinforcementMethod::ppo ? 3.0 * how.passes
                                                                          : 3;
    return kBegin + static_cast<double>(recipe.reinforcement->steps) * recipe.epochs *
                        (1 + passes) * work / rate;
  }
  const std::uint64_t count = recipe.data ? recipe.data->generate.count : 0;
  const double rows = count == 0 ? kAllRows : static_cast<double>(count);
  return kBegin + rows / kRowsMade + rows * recipe.epochs * work / rate;
}

}  // namespace damier::lab
