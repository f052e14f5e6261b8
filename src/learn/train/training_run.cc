#include "damier/learn/train/training_run.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "damier/base/text/text.h"

namespace damier::learn {

namespace {

constexpr std::string_view kPlaceKey = "damier.training";
constexpr double kProgressSeconds = 0.2;

std::filesystem::path checkpoint_path(const std::filesystem::path& folder) {
  return folder / kCheckpointFile;
}
std::filesystem::path best_path(const std::filesystem::path& folder) { return folder / kBestFile; }

// Where a run is: everything that is neither in the weights nor in the optimiser.
struct Place {
  int epoch = 0;
  std::size_t window = 0;
  std::size_t batch = 0;                                  // of the window
  std::uint64_t rows = 0;                                 // of the epoch, learnt from so far
  double loss = 0;                                        // their sum
  double best = std::numeric_limits<double>::infinity();  // the lowest score so far
  int best_epoch = -1;
  int since_best = 0;

  // Doubles as their bits: a resumed run must not differ in the last digit.
  Json json() const {
    return {{"epoch", epoch},
            {"window", window},
            {"batch", batch},
            {"rows", rows},
            {"loss", std::bit_cast<std::uint64_t>(loss)},
            {"best", std::bit_cast<std::uint64_t>(best)},
            {"best_epoch", best_epoch},
            {"since_best", since_best}};
  }

  static Result<Place> read(const Json& json, const std::string& source) {
    JsonFields fields(json, "", source);
    constexpr std::int64_t kMaxSteps = std::int64_t{1} << 40;
    constexpr int kMaxEpochs = 1'000'000;
    Place place;
    place.epoch = static_cast<int>(fields.integer("epoch", 0, kMaxEpochs));
    place.window = static_cast<std::size_t>(fields.integer("window", 0, kMaxSteps));
    place.batch = static_cast<std::size_t>(fields.integer("batch", 0, kMaxSteps));
    place.rows = static_cast<std::uint64_t>(fields.integer("rows", 0, kMaxSteps));
    place.loss = std::bit_cast<double>(fields.optional_unsigned("loss").value_or(0));
    place.best = std::bit_cast<double>(fields.optional_unsigned("best").value_or(0));
    place.best_epoch = static_cast<int>(fields.integer("best_epoch", -1, kMaxEpochs));
    place.since_best = static_cast<int>(fields.integer("since_best", 0, kMaxEpochs));
    if (auto status = fields.finish(); !status) return std::move(status).error();
    return place;
  }
};

using Clock = std::chrono::steady_clock;
double since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

template <class T>
class Training {
 public:
  Training(const Recipe& recipe, const DataSet& data, Seed seed, ThreadPool& pool,
           const nn::Provenance& provenance, const TrainingOptions& options)
      : recipe_(recipe),
        data_(data),
        provenance_(provenance),
        options_(options),
        learner_(recipe, data, seed, &pool) {}

  Result<TrainingResult> run() {
    if (auto status = restore(); !status) return std::move(status).error();
    const std::int64_t first_step = learner_.optimiser().steps();
    while (place_.epoch < recipe_.epochs && !patience_is_over()) {
      auto whole = run_epoch(first_step);
      if (!whole) return std::move(whole).error();
      if (!*whole) return stopped();
      const Place before = place_;
      if (auto status = end_epoch(); !status) {
        if (status.error().kind != ErrorKind::interrupted) return std::move(status).error();
        place_ = before;  // the epoch is measured when the run goes on
        return stopped();
      }
    }
    return finish();
  }

 private:
  bool has_validation() const { return data_.rows(Split::validation).count > 0; }
  bool keeps_last() const { return recipe_.keep == Keep::last || !has_validation(); }
  bool patience_is_over() const {
    return recipe_.patience > 0 && has_validation() && place_.since_best >= recipe_.patience;
  }

  Status restore() {
    if (options_.folder.empty()) return Done{};
    const auto path = checkpoint_path(options_.folder);
    if (!std::filesystem::exists(path)) return Done{};
    const auto file = nn::read_safetensors(path);
    if (!file) return file.error();
    std::string data, place;
    for (const auto& [key, value] : file->metadata) {
      if (key == "data") data = value;
      if (key == kPlaceKey) place = value;
    }
    if (data != data_.checksum()) {
      return Error{fmt::format("{}: the numbers have changed since the run began", data_.source())};
    }
    const auto json = parse_json(place, path.string());
    if (!json) return json.error();
    const auto read = Place::read(*json, path.string());
    if (!read) return read.error();
    if (read->best_epoch >= 0 && !keeps_last()) {
      auto best = nn::read_safetensors(best_path(options_.folder));
      if (!best) return std::move(best).error();
      best_ = *std::move(best);
      // Found out now rather than after the last epoch.
      auto status =
          nn::load_weights(learner_.network(), *best_, best_path(options_.folder).string());
      if (!status) return status;
    }
    place_ = *read;
    return nn::load_checkpoint(learner_.network(), learner_.optimiser(), *file, path.string());
  }

  // Weights that are not finite are no model, and no further step brings them back.
  Status check_finite() {
    const auto sound = [](const T* values, std::size_t count) {
      return std::all_of(values, values + count, [](T value) { return std::isfinite(value); });
    };
    bool all = true;
    for (const auto* parameter : learner_.network().parameters()) {
      all = all && sound(parameter->value, parameter->count());
    }
    for (const auto& means : learner_.optimiser().state()) {
      all = all && sound(means.data(), means.size());
    }
    if (all) return Done{};
    return Error{fmt::format("the weights are not finite any more in epoch {}: the training "
                             "diverges; expected a lower optimiser.rate, or optimiser.clip_norm",
                             std::min(place_.epoch + 1, recipe_.epochs)),
                 {recipe_.name},
                 ErrorKind::failure};
  }

  Status save_checkpoint() {
    if (auto status = check_finite(); !status) return status;
    last_checkpoint_ = Clock::now();
    if (options_.folder.empty()) return Done{};
    nn::Provenance provenance = provenance_;
    provenance.emplace_back(kPlaceKey, dump_line(place_.json()));
    return nn::write_safetensors(
        checkpoint_path(options_.folder),
        nn::checkpoint_tensors(learner_.network(), learner_.optimiser(), provenance));
  }

  // True at the end of the epoch, false when it was stopped before.
  Result<bool> run_epoch(std::int64_t first_step) {
    const auto batch = static_cast<std::size_t>(recipe_.batch);
    Windows& windows = learner_.windows();
    for (; place_.window < windows.count(); ++place_.window, place_.batch = 0) {
      if (auto status = windows.load(place_.epoch, place_.window); !status) {
        return std::move(status).error();
      }
      const auto order = windows.order();
      auto begin = Clock::now();
      for (std::size_t at = place_.batch * batch; at < order.size(); at += batch) {
        const auto rows = order.subspan(at, std::min(batch, order.size() - at));
        place_.loss += learner_.learn(rows);
        place_.rows += rows.size();
        ++place_.batch;
        samples_ += rows.size();
        unclocked_ += rows.size();
        // A clock for every sample would be a good part of the work on a small network.
        if (unclocked_ >= 256 || at + batch >= order.size()) {
          unclocked_ = 0;
          const auto now = Clock::now();
          learning_seconds_ += std::chrono::duration<double>(now - begin).count();
          begin = now;
          show_progress(first_step);
          if (since(last_checkpoint_) > options_.checkpoint_seconds) {
            if (auto status = save_checkpoint(); !status) return std::move(status).error();
          }
        }
        if (options_.stop && options_.stop()) return false;
      }
    }
    return true;
  }

  void show_progress(std::int64_t first_step) {
    if (!options_.on_progress || since(last_progress_) < kProgressSeconds) return;
    last_progress_ = Clock::now();
    TrainingProgress progress;
    progress.epoch = place_.epoch + 1;
    progress.epochs = recipe_.epochs;
    const auto steps = learner_.optimiser().steps();
    const auto all = static_cast<double>(learner_.steps_in_all());
    progress.done = static_cast<double>(steps) / all;
    progress.training_loss = place_.loss / static_cast<double>(place_.rows);
    progress.accuracy = accuracy_;
    progress.samples_per_second = rate();
    const auto here = static_cast<double>(std::max<std::int64_t>(1, steps - first_step));
    progress.seconds_left = since(begin_) * (all - static_cast<double>(steps)) / here;
    options_.on_progress(progress);
  }

  double rate() const {
    return learning_seconds_ > 0 ? static_cast<double>(samples_) / learning_seconds_ : 0;
  }

  Result<std::vector<Metric>> evaluate(const std::string& set) {
    return evaluate_set(*recipe_.task, learner_.evaluated(), encoder_of(data_), set, &data_);
  }

  // The set that the curve of the main metric is drawn on.
  std::optional<std::string> watched_set() const {
    if (recipe_.task == nullptr) return std::nullopt;
    if (has_validation()) return std::string(name_of(Split::validation));
    if (recipe_.evaluated.empty()) return std::nullopt;
    return recipe_.evaluated.front();
  }

  Status end_epoch() {
    EpochMetrics metrics;
    metrics.epoch = place_.epoch + 1;
    metrics.epochs = recipe_.epochs;
    metrics.training_loss =
        place_.loss / static_cast<double>(std::max<std::uint64_t>(1, place_.rows));
    if (has_validation()) {
      const auto loss = learner_.loss_on(Split::validation);
      if (!loss) return loss.error();
      metrics.validation_loss = *loss;
    }
    const bool evaluates =
        metrics.epoch % recipe_.evaluate_every == 0 || metrics.epoch == recipe_.epochs;
    if (const auto set = watched_set(); set && evaluates) {
      const auto evaluated = evaluate(*set);
      if (!evaluated) return evaluated.error();
      const Metric* main = find_metric(*evaluated, recipe_.task->main_metric());
      if (main != nullptr) accuracy_ = metrics.accuracy = main->value;
      for (const std::string& name : recipe_.task->curve_metrics()) {
        const Metric* found = find_metric(*evaluated, name);
        if (found != nullptr) metrics.more.emplace_back(name, found->value);
      }
    }
    if (auto status = note_best(metrics); !status) return status;
    metrics.samples_per_second = rate();
    metrics.seconds = since(begin_);
    if (options_.on_epoch) {
      if (auto status = options_.on_epoch(metrics); !status) return status;
    }
    ++place_.epoch;
    place_.window = place_.batch = 0;
    place_.rows = 0;
    place_.loss = 0;
    // The best weights and the figures are kept already: a run killed before this line does the
    // epoch again and comes to the same.
    return save_checkpoint();
  }

  Status note_best(EpochMetrics& metrics) {
    if (keeps_last()) {
      place_.best_epoch = place_.epoch;
      return Done{};
    }
    const bool by_accuracy = recipe_.keep == Keep::accuracy;
    if (by_accuracy && !metrics.accuracy) return Done{};
    const double score = by_accuracy ? -*metrics.accuracy : *metrics.validation_loss;
    ++place_.since_best;
    if (score >= place_.best || std::isnan(score)) return Done{};
    place_.best = score;
    place_.best_epoch = place_.epoch;
    place_.since_best = 0;
    metrics.best = true;
    best_ = nn::model_tensors(learner_.network(), provenance_);
    if (options_.folder.empty()) return Done{};
    return nn::write_safetensors(best_path(options_.folder), *best_);
  }

  Result<TrainingResult> finish() {
    if (best_) {
      if (auto status = nn::load_weights(learner_.network(), *best_, "the best weights"); !status) {
        return std::move(status).error();
      }
    }
    TrainingResult done = result(true);
    for (const std::string& set : recipe_.evaluated) {
      auto metrics = evaluate(set);
      // The checkpoint of the last epoch leads here again.
      if (!metrics && metrics.error().kind == ErrorKind::interrupted) return result(false);
      if (!metrics) return std::move(metrics).error();
      done.sets.push_back({set, *std::move(metrics)});
    }
    done.model = nn::model_tensors(learner_.network(), provenance_);
    return done;
  }

  Result<TrainingResult> stopped() {
    if (auto status = save_checkpoint(); !status) return std::move(status).error();
    return result(false);
  }

  TrainingResult result(bool finished) {
    TrainingResult done;
    done.finished = finished;
    done.epochs = place_.epoch;
    done.kept_epoch = place_.best_epoch + 1;
    done.parameters = learner_.network().parameter_count();
    done.seconds = since(begin_);
    done.samples_per_second = rate();
    done.loading_share = learner_.loading_share();
    return done;
  }

  const Recipe& recipe_;
  const DataSet& data_;
  const nn::Provenance& provenance_;
  const TrainingOptions& options_;
  Learner<T> learner_;
  Place place_;
  std::optional<nn::TensorFile> best_;
  std::optional<double> accuracy_;
  std::uint64_t samples_ = 0, unclocked_ = 0;
  double learning_seconds_ = 0;
  const Clock::time_point begin_ = Clock::now();
  Clock::time_point last_checkpoint_ = begin_, last_progress_ = begin_;
};

}  // namespace

Result<TrainingResult> train(const Recipe& recipe, const DataSet& data, Seed seed, ThreadPool& pool,
                             const nn::Provenance& provenance, const TrainingOptions& options) {
  if (auto status = check_fit(recipe, data); !status) return std::move(status).error();
  if (recipe.doubles) {
    return Training<double>(recipe, data, seed, pool, provenance, options).run();
  }
  return Training<float>(recipe, data, seed, pool, provenance, options).run();
}

Result<std::vector<Metric>> evaluate_set(const Task& task, Predictor& network,
                                         std::string_view encoder, std::string_view set,
                                         const DataSet* data) {
  const auto split = data == nullptr ? std::nullopt : split_named(set);
  return split ? task.evaluate(network, encoder, *data, *split)
               : task.evaluate(network, encoder, set);
}

Result<DataSet> open_data(const Recipe& recipe, ThreadPool& pool, Ranks& ranks) {
  if (!recipe.data_file.empty()) return DataSet::open(recipe.data_file);
  return generate_in_memory(*recipe.task, recipe.generate, pool, ranks);
}

}  // namespace damier::learn
