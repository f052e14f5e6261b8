#include "damier/learn/train/stored_run.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "damier/base/files/atomic_file.h"
#include "damier/base/files/checksum.h"
#include "damier/base/text/program_name.h"
#include "damier/learn/sources/self_play/games_source.h"
#include "damier/learn/sources/self_play/shared_games.h"
#include "damier/learn/train/fit.h"

namespace damier::learn {

namespace {

Json summary_of(const TrainingResult& result, const std::filesystem::path& model) {
  Json sets = Json::object();
  for (const SetMetrics& set : result.sets) sets[set.set] = metrics_json(set.metrics);
  return {{"epochs", result.epochs},
          {"kept_epoch", result.kept_epoch},
          {"parameters", result.parameters},
          {"seconds", result.seconds},
          {"samples_per_second", result.samples_per_second},
          {"loading_share", result.loading_share},
          {"metrics", std::move(sets)},
          {"model", result.finished ? Json(model.string()) : Json(nullptr)}};
}

RunRequest request_of(const Recipe& recipe, const std::string& output, const std::string& command,
                      const std::string& ticket) {
  Json config = {{"recipe", recipe.name},
                 {"command", command},
                 {"output", output.empty() ? "" : std::filesystem::absolute(output).string()},
                 {"data_file", recipe.data ? recipe.data->file : ""},
                 {"settings", recipe.json},
                 {"ticket", ticket}};
  if (recipe.judge) config["judge_file"] = recipe.judge->file;
  return {"train", std::string(recipe.task->game()), Json::object(), std::move(config)};
}

// What a run needed on its way to its model.
void remove_working_files(const Recipe& recipe, const std::filesystem::path& folder) {
  const bool keeps_weights = recipe.play() != nullptr && recipe.play()->keep_models;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    if (is_working_file(name) || (is_weights_file(name) && !keeps_weights)) {
      std::filesystem::remove(entry.path(), ignored);
    }
  }
}

}  // namespace

nn::Provenance provenance_of(const Recipe& recipe, const DataSet* data, Seed seed,
                             const std::string& command) {
  const std::string encoder = data == nullptr ? recipe.play()->encoder : encoder_of(*data);
  nn::Provenance origin = {
      {"made_by", fmt::format("{} train", version_text())},
      {"task", std::string(recipe.task->name())},
      {"game", std::string(recipe.task->game())},
      {"encoder", encoder},
      {"encoder_version", std::to_string(recipe.task->encoder(encoder).value()->version())},
      {"recipe", recipe.name},
      {"recipe_hash", recipe.hash()},
      {"seed", std::to_string(value_of(seed))},
      {"data", data != nullptr    ? data->checksum()
               : recipe.self_play ? "self-play"
                                  : "reinforcement"},
      // What makes the rows again, held-out ones too; null where they came from elsewhere.
      {"generate", data == nullptr ? "null" : dump_line(data->info()["generate"])},
      {"command", command}};
  // What an output of 1 before the sigmoid is in the units of the scores.
  const auto squashed =
      std::ranges::find_if(recipe.heads, [](const HeadRecipe& head) { return head.squash > 0; });
  if (squashed != recipe.heads.end()) {
    origin.emplace_back("squash", fmt::format("{}", squashed->squash));
  }
  return origin;
}

Result<std::filesystem::path> run_folder(const std::string& name) {
  const auto state = state_folder();
  if (!state) return state;
  return *state / "runs" / name;
}

std::filesystem::path model_path_of(const Run& run, const std::filesystem::path& folder) {
  const std::string output = text_in(run.request.config, "output");
  return output.empty() ? folder / "model.safetensors" : std::filesystem::path(output);
}

bool is_working_file(std::string_view name) {
  return name == kCheckpointFile || name.starts_with(kGamesFile);
}

StoredRun::StoredRun(Store& store, Run run, Recipe recipe, Rows rows, std::filesystem::path folder)
    : store_(store),
      run_(std::move(run)),
      recipe_(std::move(recipe)),
      rows_(std::move(rows)),
      folder_(std::move(folder)),
      model_path_(model_path_of(run_, folder_)) {}

// Who learns by play shares nothing but games with other ranks.
Result<StoredRun::Rows> StoredRun::fitting_rows(const Recipe& recipe,
                                                const std::function<Result<SharedData>()>& data,
                                                ThreadPool& pool, Ranks& ranks) {
  Rows rows;
  std::string encoder = recipe.play() != nullptr ? recipe.play()->encoder : "";
  if (recipe.data) {
    if (data) {
      rows.data = TRY(data());
    } else {
      auto opened = TRY(open_data(recipe, pool, ranks));
      rows.data = std::make_shared<const DataSet>(std::move(opened));
    }
    TRY(check_fit(recipe, *rows.data));
    encoder = encoder_of(*rows.data);
  }
  if (recipe.judge) {
    auto judge =
        TRY(open_rows(recipe, *recipe.judge, pool, recipe.data ? ranks : no_other_ranks()));
    rows.judge = std::make_shared<const DataSet>(std::move(judge));
    TRY(check_judge(recipe, encoder, *rows.judge));
  }
  TRY(check_start(recipe, encoder));
  return rows;
}

// A run that is not done needs its folder, to which it may not have come before it was killed.
Result<StoredRun> StoredRun::in_folder(Store& store, Run run, Recipe recipe, Rows rows) {
  auto folder = TRY(run_folder(run.name));
  StoredRun stored(store, std::move(run), std::move(recipe), std::move(rows), std::move(folder));
  if (stored.done()) return stored;
  std::error_code error;
  std::filesystem::create_directories(stored.folder_, error);
  if (!error) return stored;
  return Error{"cannot be made: " + error.message(), {stored.folder_.string()}, ErrorKind::failure};
}

Result<StoredRun> StoredRun::begin_request(Store& store, Recipe recipe, const RunRequest& request,
                                           Seed seed, Rows rows) {
  TRY(state_folder());
  auto run = TRY(store.begin_run(request, seed));
  return in_folder(store, std::move(run), std::move(recipe), std::move(rows));
}

Result<StoredRun> StoredRun::go_on(Store& store, const Run& known, Recipe recipe, Rows rows,
                                   ErrorKind kind) {
  auto run = TRY(store.resume_run(known.request, known.seed));
  if (!run) {
    return Error{fmt::format("run {} is at work in another process", known.name), {}, kind};
  }
  return in_folder(store, *std::move(run), std::move(recipe), std::move(rows));
}

Result<StoredRun> StoredRun::begin(Store& store, Recipe recipe, Seed seed,
                                   const std::string& output, const std::string& command,
                                   ThreadPool& pool, Ranks& ranks) {
  for (auto* rows : {&recipe.data, &recipe.judge}) {
    // The run may go on from another folder.
    if (*rows && !(*rows)->file.empty()) {
      (*rows)->file = std::filesystem::absolute((*rows)->file).string();
    }
  }
  if (!output.empty()) TRY(check_output(output));
  auto rows = TRY(fitting_rows(recipe, nullptr, pool, ranks));
  // Two runs may be asked for the same; each goes on by itself.
  const std::string ticket = checksum_text(value_of(fresh_seed()));
  const RunRequest request = request_of(recipe, output, command, ticket);
  return begin_request(store, std::move(recipe), request, seed, std::move(rows));
}

Result<StoredRun> StoredRun::of_ticket(Store& store, Recipe recipe, Seed seed,
                                       const std::string& ticket, const std::string& command,
                                       const std::function<Result<SharedData>()>& data,
                                       ThreadPool& pool) {
  const RunRequest request = request_of(recipe, "", command, ticket);
  auto known = TRY(store.latest_run(request, seed));
  if (known && known->status == RunStatus::done) {
    auto stored = in_folder(store, *known, recipe, {});
    if (!stored || std::filesystem::exists(stored->model_path_)) return stored;
    known.reset();  // somebody has deleted the model: it is trained again
  }
  auto rows = TRY(fitting_rows(recipe, data, pool, no_other_ranks()));
  return known ? go_on(store, *known, std::move(recipe), std::move(rows), ErrorKind::failure)
               : begin_request(store, std::move(recipe), request, seed, std::move(rows));
}

Result<StoredRun> StoredRun::resume(Store& store, const std::string& name, ThreadPool& pool,
                                    const Tasks& tasks, Ranks& ranks) {
  const auto found = TRY(store.find_run(name));
  if (found.request.kind != "train") {
    return Error{
        fmt::format("run {} is a {}; expected a training run", found.name, found.request.kind)};
  }
  const Json& config = found.request.config;
  const Json* settings = config.find("settings");
  if (settings == nullptr) {
    return Error{fmt::format("run {} keeps no recipe", found.name)};
  }
  auto recipe = TRY(read_recipe(*settings, text_in(config, "recipe"), tasks));
  if (recipe.data) recipe.data->file = text_in(config, "data_file");
  // Of a run that was begun by an earlier version: what is now "judge" was "data".
  const char* const judge = config.find("judge_file") != nullptr ? "judge_file" : "data_file";
  if (recipe.judge) recipe.judge->file = text_in(config, judge);
  if (found.status == RunStatus::done) return in_folder(store, found, std::move(recipe), {});
  auto rows = TRY(fitting_rows(recipe, nullptr, pool, ranks));
  return go_on(store, found, std::move(recipe), std::move(rows), ErrorKind::input);
}

Result<TrainingResult> StoredRun::run(ThreadPool& pool, TrainingOptions options) {
  const nn::Provenance provenance =
      provenance_of(recipe_, rows_.data.get(), run_.seed, text_in(run_.request.config, "command"));
  options.folder = folder_;
  options.judge = rows_.judge.get();
  const auto kept = TRY(games());
  std::set<std::int64_t> kept_games;
  for (const GameRow& game : kept) kept_games.insert(game.number);
  options.on_epoch = [&, told = options.on_epoch](const EpochMetrics& metrics) -> Status {
    std::vector<MetricRow> rows = {
        {metrics.epoch, "training_loss", metrics.training_loss},
        {metrics.epoch, "samples_per_second", metrics.samples_per_second}};
    if (metrics.validation_loss) {
      rows.push_back({metrics.epoch, "validation_loss", *metrics.validation_loss});
    }
    if (metrics.accuracy) {
      rows.push_back({metrics.epoch, std::string(recipe_.task->main_metric()), *metrics.accuracy});
    }
    for (const auto& [name, value] : metrics.more) rows.push_back({metrics.epoch, name, value});
    TRY(store_.add_metrics(run_.id, rows));
    // Those of a generation that is told again, after the run was killed, are there already.
    std::vector<GameRow> fresh = metrics.games;
    std::erase_if(fresh, [&](const GameRow& game) { return kept_games.contains(game.number); });
    TRY(store_.add_games(run_.id, fresh));
    return told ? told(metrics) : Status(Done{});
  };
  auto result = rows_.data != nullptr
                    ? train(recipe_, *rows_.data, run_.seed, pool, provenance, options)
                    : train(recipe_, run_.seed, pool, provenance, options);
  if (!result) return result;
  if (result->finished) TRY(nn::write_safetensors(model_path_, result->model));
  const auto status = result->finished ? RunStatus::done : RunStatus::stopped;
  TRY(store_.finish_run(run_.id, status, summary_of(*result, model_path_)));
  if (result->finished) remove_working_files(recipe_, folder_);
  return result;
}

}  // namespace damier::learn
