// `damier train`: a network from a recipe.

#include <memory>

#include <fmt/format.h>
#include <unistd.h>

#include "damier/app/commands/commands.h"
#include "damier/base/files/interrupt.h"
#include "damier/base/text/names.h"
#include "damier/base/text/program_name.h"
#include "damier/base/text/progress.h"
#include "damier/base/text/standard_streams.h"
#include "damier/base/text/text.h"
#include "damier/learn/train/builtin_recipes.h"
#include "damier/learn/train/stored_run.h"
#include "damier/pages/training_curves.h"

namespace damier::app {

namespace {

struct TrainArguments {
  std::string recipe;
  std::string data;
  std::string judge;
  bool print_recipe = false;
  std::vector<std::string> settings;
  std::string output;
  std::string resume;
};

// --- what it says while it works ---

Json or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

// "epoch 3/20  0:07 left  loss 1.2345  value_kept 91.2 %  312 k samples/s"
std::string progress_line(const learn::TrainingProgress& progress, std::string_view metric) {
  const bool plays = progress.games_in_all > 0;
  // A narrow terminal cuts what comes last.
  std::string line =
      fmt::format("{} {}/{}  {} left", plays ? "generation" : "epoch", progress.epoch,
                  progress.epochs, clock_text(progress.seconds_left));
  if (plays) line += fmt::format("  games {}/{}", progress.games, progress.games_in_all);
  if (!plays || progress.epoch > 1) line += fmt::format("  loss {:.4f}", progress.training_loss);
  if (progress.accuracy) line += fmt::format("  {} {:.2f} %", metric, 100 * *progress.accuracy);
  return line +
         (plays ? fmt::format("  {} simulations/s", short_number(progress.simulations_per_second))
                : fmt::format("  {} samples/s", short_number(progress.samples_per_second)));
}

// "epoch  3/20  loss 1.2345  validation 1.3456  value_kept 91.23 %  312 k samples/s"
std::string epoch_line(const learn::EpochMetrics& metrics, std::string_view metric) {
  const auto width = std::to_string(metrics.epochs).size();
  std::string line =
      fmt::format("{} {:>{}}/{}  loss {:.4f}", metrics.generation ? "generation" : "epoch",
                  metrics.epoch, width, metrics.epochs, metrics.training_loss);
  if (metrics.validation_loss) line += fmt::format("  validation {:.4f}", *metrics.validation_loss);
  if (metrics.accuracy) line += fmt::format("  {} {:.2f} %", metric, 100 * *metrics.accuracy);
  for (const auto& [name, value] : metrics.more) {
    if (name == "elo") line += fmt::format("  elo {:.0f}", value);
    if (name.starts_with("score_"))
      line += fmt::format("  {} {:.0f} %", name.substr(6), 100 * value);
    if (name == "simulations_per_second") {
      line += fmt::format("  {} simulations/s", short_number(value));
    }
  }
  return line + fmt::format("  {} samples/s{}", short_number(metrics.samples_per_second),
                            metrics.best ? "  *" : "");
}

// A live line on a terminal, one line an epoch otherwise, and one JSON object an epoch with --json.
class TrainReporter {
 public:
  // `metric` is the task's main one; `games` are those that measured the network so far.
  TrainReporter(bool json, std::string_view metric, std::vector<GameRow> games)
      : json_(json),
        terminal_(isatty(STDERR_FILENO) == 1),
        metric_(metric),
        games_(std::move(games)) {}
  ~TrainReporter() { wipe(); }
  TrainReporter(const TrainReporter&) = delete;
  TrainReporter& operator=(const TrainReporter&) = delete;

  void tell(const learn::TrainingProgress& progress) {
    if (!terminal_) return;
    draw_live_line(progress_line(progress, metric_));
    drawn_ = true;
  }

  void tell(learn::EpochMetrics metrics) {
    const std::string word = metrics.generation ? "generation" : "epoch";
    if (!metrics.games.empty()) {
      games_.insert(games_.end(), metrics.games.begin(), metrics.games.end());
      const auto table = pages::rated_generations(games_);
      const auto* rating = table ? table->find(fmt::format("{} {}", word, metrics.epoch)) : nullptr;
      if (rating != nullptr) metrics.more.emplace_back("elo", rating->elo);
    }
    if (json_) {
      Json line = {{word, metrics.epoch},
                   {word + "s", metrics.epochs},
                   {"training_loss", metrics.training_loss},
                   {"validation_loss", or_null(metrics.validation_loss)},
                   {metric_, or_null(metrics.accuracy)},
                   {"samples_per_second", metrics.samples_per_second},
                   {"seconds", metrics.seconds},
                   {"best", metrics.best}};
      for (const auto& [name, value] : metrics.more) line[name] = value;
      print_json("train-" + word, std::move(line));
      flush_output();
    }
    if (!json_ && !terminal_) print_message("{}\n", epoch_line(metrics, metric_));
  }

  void wipe() {
    if (!drawn_) return;
    wipe_live_line();
    drawn_ = false;
  }

 private:
  bool json_;
  bool terminal_;
  bool drawn_ = false;
  std::string metric_;
  std::vector<GameRow> games_;
};

// --- the work ---

// What gives the same model again.
std::string command_text(const TrainArguments& arguments, Seed seed) {
  std::string text = "train " + arguments.recipe;
  if (!arguments.data.empty()) text += " --data " + arguments.data;
  if (!arguments.judge.empty()) text += " --judge " + arguments.judge;
  for (const std::string& setting : arguments.settings) text += fmt::format(" --set '{}'", setting);
  return kept_command(text + fmt::format(" --seed {}", value_of(seed)));
}

Result<learn::Recipe> recipe_of(const TrainArguments& arguments, const Context& context) {
  if (arguments.recipe.empty()) {
    const auto names =
        listed_names(learn::builtin_recipes(), [](const auto& one) { return one.first; });
    return Error{
        fmt::format("train: which recipe? A file, a game, or one of {}", join(names, ", "))};
  }
  learn::Settings settings;
  for (const auto& [key, file] :
       {std::pair("data=", &arguments.data), {"judge=", &arguments.judge}}) {
    if (!file->empty()) settings.push_back(key + dump_line({{"file", *file}}));
  }
  settings.insert(settings.end(), arguments.settings.begin(), arguments.settings.end());
  auto recipe = learn::find_recipe(arguments.recipe, settings, context.registry.tasks());
  if (recipe && recipe->play() != nullptr && !arguments.data.empty()) {
    print_notice("{} learns by play: the rows of {} measure it, as with --judge", recipe->name,
                 arguments.data);
  }
  return recipe;
}

Result<learn::StoredRun> make_run(const TrainArguments& arguments, const Context& context,
                                  Store& store, ThreadPool& pool) {
  if (!arguments.resume.empty()) {
    if (!arguments.recipe.empty() || !arguments.settings.empty() || !arguments.output.empty() ||
        !arguments.data.empty() || !arguments.judge.empty() || context.seed_option) {
      return Error{
          "--resume continues what the run was asked for; leave out RECIPE, --set, --data, "
          "--judge, --output and --seed"};
    }
    return learn::StoredRun::resume(store, arguments.resume, pool, context.registry.tasks(),
                                    *context.ranks);
  }
  auto recipe = TRY(recipe_of(arguments, context));
  const Seed seed = context.seed_option ? Seed{*context.seed_option}
                    : recipe.seed       ? Seed{*recipe.seed}
                                        : fresh_seed();
  const std::string command = command_text(arguments, seed);
  return learn::StoredRun::begin(store, std::move(recipe), seed, arguments.output, command, pool,
                                 *context.ranks);
}

void print_result(const learn::StoredRun& run, const learn::TrainingResult& result) {
  const bool plays = run.recipe().self_play.has_value();
  print_output("{}: {}, the weights after {} {} of {}\n", run.model_path().string(),
               counted(result.parameters, "parameter"), plays ? "generation" : "epoch",
               result.kept_epoch, result.epochs);
  for (const auto& set : result.sets) {
    print_output("  {}\n", set.set);
    print_metrics(set.metrics);
  }
  const std::string loading =
      plays ? "" : fmt::format(", {:.1f} % of the time loading them", 100 * result.loading_share);
  print_output("{} samples/s{}; {:.1f} s, seed {}, run {}\n",
               short_number(result.samples_per_second), loading, result.seconds,
               value_of(run.seed()), run.name());
}

void print_result_json(const learn::StoredRun& run, const learn::TrainingResult& result) {
  Json sets = Json::object();
  for (const auto& set : result.sets) sets[set.set] = metrics_json(set.metrics);
  const bool plays = run.recipe().self_play.has_value();
  print_json("train", {{"run", run.name()},
                       {"recipe", run.recipe().name},
                       {"model", run.model_path().string()},
                       {"parameters", result.parameters},
                       {plays ? "generations" : "epochs", result.epochs},
                       {plays ? "kept_generation" : "kept_epoch", result.kept_epoch},
                       {"metrics", std::move(sets)},
                       {"samples_per_second", result.samples_per_second},
                       {"loading_share", result.loading_share},
                       {"seed", value_of(run.seed())},
                       {"seconds", result.seconds}});
}

Result<int> run_train(const TrainArguments& arguments, const Context& context) {
  if (arguments.print_recipe) {
    const auto recipe = TRY(recipe_of(arguments, context));
    write_output(dump_pretty(recipe.json) + "\n");
    return kDone;
  }
  auto store = TRY(Store::open_default());
  ThreadPool pool(context.thread_count());
  auto run = make_run(arguments, context, store, pool);
  if (!run && interrupted()) {
    print_notice("{} before the run began", interruption_text(context));
    return kInterrupted;
  }
  if (!run) return run.error();
  if (run->done()) {
    print_notice("run {} is done, nothing is left to learn; its model is {}", run->name(),
                 run->model_path().string());
    return kDone;
  }
  print_message("seed {}, run {}\n", value_of(run->seed()), run->name());
  auto games = TRY(run->games());
  TrainReporter reporter(context.json, run->recipe().task->main_metric(), std::move(games));
  learn::TrainingOptions options;
  options.on_progress = [&](const learn::TrainingProgress& progress) { reporter.tell(progress); };
  options.on_epoch = [&](const learn::EpochMetrics& metrics) -> Status {
    reporter.tell(metrics);
    return Done{};
  };
  options.stop = [] { return interrupted(); };
  options.ranks = context.ranks;
  const auto result = run->run(pool, std::move(options));
  reporter.wipe();
  if (!result) return result.error();
  if (!result->finished) {
    print_notice("{}; continue with `{} train --resume {}`", interruption_text(context),
                 program_name(), run->name());
    return kInterrupted;
  }
  context.json ? print_result_json(*run, *result) : print_result(*run, *result);
  return kDone;
}

}  // namespace

Action setup_train(CommandLine line, Context& context) {
  auto arguments = std::make_shared<TrainArguments>();
  line.add_option("RECIPE", arguments->recipe,
                  "a recipe: a file, the name of a built-in one, or a game for its own recipe; "
                  "with --data a game means GAME-rows, its plain recipe, unless its own learns "
                  "from data");
  line.add_option("--data", arguments->data, "FILE",
                  "learn from this data set instead of the recipe's");
  line.add_option("--judge", arguments->judge, "FILE",
                  "measure the network by the validation and test rows of this data set, whatever "
                  "it learns from");
  line.add_option("--set", arguments->settings, "KEY=VALUE",
                  "change the recipe, as epochs=5 or network.layers.0.units=128; may be repeated")
      .one_at_a_time();
  line.add_option("-o,--output", arguments->output, "MODEL",
                  "the model file to write (default: into the run's folder)");
  line.add_flag("--print-recipe", arguments->print_recipe,
                "print the recipe, with what --set and --data change, and train nothing");
  line.add_option("--resume", arguments->resume, "RUN",
                  "continue a stopped or killed run exactly where it was");
  add_shared_options(line, context, {"--seed", "--threads", "--json"});
  return [arguments, &context] { return run_train(*arguments, context); };
}

}  // namespace damier::app
