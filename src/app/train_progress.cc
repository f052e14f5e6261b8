#include "damier/app/train_progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include "damier/app/context.h"
#include "damier/base/progress.h"
#include "damier/base/standard_streams.h"

namespace damier::app {

namespace {

Json or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

}  // namespace

std::string progress_line(const learn::TrainingProgress& progress, std::string_view metric) {
  // A narrow terminal cuts what comes last.
  std::string line =
      fmt::format("epoch {}/{}  {} left  loss {:.4f}", progress.epoch, progress.epochs,
                  clock_text(progress.seconds_left), progress.training_loss);
  if (progress.accuracy) line += fmt::format("  {} {:.2f} %", metric, 100 * *progress.accuracy);
  return line + fmt::format("  {} samples/s", short_number(progress.samples_per_second));
}

std::string epoch_line(const learn::EpochMetrics& metrics, std::string_view metric) {
  const auto width = std::to_string(metrics.epochs).size();
  std::string line = fmt::format("epoch {:>{}}/{}  loss {:.4f}", metrics.epoch, width,
                                 metrics.epochs, metrics.training_loss);
  if (metrics.validation_loss) line += fmt::format("  validation {:.4f}", *metrics.validation_loss);
  if (metrics.accuracy) line += fmt::format("  {} {:.2f} %", metric, 100 * *metrics.accuracy);
  return line + fmt::format("  {} samples/s{}", short_number(metrics.samples_per_second),
                            metrics.best ? "  *" : "");
}

TrainReporter::TrainReporter(bool json, std::string_view metric)
    : json_(json), terminal_(isatty(STDERR_FILENO) == 1), metric_(metric) {}

void TrainReporter::tell(const learn::TrainingProgress& progress) {
  if (!terminal_) return;
  draw_live_line(progress_line(progress, metric_));
  drawn_ = true;
}

void TrainReporter::tell(const learn::EpochMetrics& metrics) {
  if (json_) {
    print_json("train-epoch", {{"epoch", metrics.epoch},
                               {"epochs", metrics.epochs},
                               {"training_loss", metrics.training_loss},
                               {"validation_loss", or_null(metrics.validation_loss)},
                               {metric_, or_null(metrics.accuracy)},
                               {"samples_per_second", metrics.samples_per_second},
                               {"seconds", metrics.seconds},
                               {"best", metrics.best}});
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
