#include "damier/app/commands/train_progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include "damier/app/context.h"
#include "damier/base/text/progress.h"
#include "damier/base/text/standard_streams.h"
#include "damier/pages/training_curves.h"

namespace damier::app {

namespace {

Json or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

}  // namespace

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

TrainReporter::TrainReporter(bool json, std::string_view metric, std::vector<GameRow> games)
    : json_(json),
      terminal_(isatty(STDERR_FILENO) == 1),
      metric_(metric),
      games_(std::move(games)) {}

void TrainReporter::tell(const learn::TrainingProgress& progress) {
  if (!terminal_) return;
  draw_live_line(progress_line(progress, metric_));
  drawn_ = true;
}

void TrainReporter::tell(learn::EpochMetrics metrics) {
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

void TrainReporter::wipe() {
  if (!drawn_) return;
  wipe_live_line();
  drawn_ = false;
}

}  // namespace damier::app
