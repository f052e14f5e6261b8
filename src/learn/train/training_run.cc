#include "damier/learn/train/training_run.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <set>

#include <fmt/format.h>

#include "damier/base/files/interrupt.h"
#include "damier/base/numbers/stopwatch.h"
#include "damier/learn/sources/labelled_rows.h"
#include "damier/learn/sources/rewards/reward_source.h"
#include "damier/learn/sources/self_play/games_source.h"
#include "damier/learn/sources/source.h"
#include "damier/learn/train/fit.h"
#include "damier/learn/train/learner.h"

namespace damier::learn {

namespace {

constexpr std::string_view kPlaceKey = "damier.run";
constexpr std::string_view kWeightsFile = "epoch-";
constexpr double kProgressSeconds = 0.2;
constexpr std::uint64_t kClockedSamples = 256;
constexpr int kEvaluatedBatch = 256;

// Where a run is: everything that is neither in the weights nor in the optimiser, but for what the
// source keeps.
struct Place {
  int epoch = 0;                                          // that are over
  std::uint64_t samples = 0;                              // of the next one, learnt from so far
  double loss = 0;                                        // their sum
  double best = std::numeric_limits<double>::infinity();  // the lowest score so far
  int since_best = 0;
  // The epochs whose weights are in files of their own; none of a run that keeps the last ones.
  std::optional<int> kept, measured;

  // Doubles as their bits: a resumed run must not differ in the last digit.
  Json json() const {
    const auto or_null = [](const std::optional<int>& one) {
      return one ? Json(*one) : Json(nullptr);
    };
    return {{"epoch", epoch},
            {"samples", samples},
            {"loss", std::bit_cast<std::uint64_t>(loss)},
            {"best", std::bit_cast<std::uint64_t>(best)},
            {"since_best", since_best},
            {"kept", or_null(kept)},
            {"measured", or_null(measured)}};
  }

  void read(JsonFields& fields, int epochs) {
    const auto bits = [&](std::string_view key) {
      return fields.optional_unsigned(key).value_or(0);
    };
    const auto one_of_them = [&](std::string_view key) -> std::optional<int> {
      const Json* value = fields.optional_value(key);
      if (value == nullptr || value->is_null()) return std::nullopt;
      return static_cast<int>(fields.integer(key, 0, epochs));
    };
    epoch = static_cast<int>(fields.integer("epoch", 0, epochs));
    samples = bits("samples");
    loss = std::bit_cast<double>(bits("loss"));
    best = std::bit_cast<double>(bits("best"));
    since_best = static_cast<int>(fields.integer("since_best", 0, epochs));
    kept = one_of_them("kept");
    measured = one_of_them("measured");
  }
};

template <class T>
class TrainingRun {
 public:
  // `data` are the rows that are learnt from, or null; all must outlive the run.
  TrainingRun(const Recipe& recipe, const DataSet* data, Seed seed, ThreadPool& pool,
              const nn::Provenance& provenance, const TrainingOptions& options)
      : recipe_(recipe),
        data_(data),
        judge_(options.judge != nullptr ? options.judge : data),
        provenance_(provenance),
        options_(options),
        learner_(recipe, seed, pool) {}

  Result<TrainingResult> run() {
    TRY(open_source());
    TRY(restore());
    first_done_ = done();
    while (place_.epoch < recipe_.epochs && !patience_is_over()) {
      auto whole = run_epoch();
      // What was begun goes back to the last checkpoint.
      if (!whole && whole.error().kind == ErrorKind::interrupted) return result(false);
      if (!whole) return std::move(whole).error();
      if (!*whole) return stopped();
      auto status = end_epoch();
      // The epoch is measured when the run goes on.
      if (!status && status.error().kind == ErrorKind::interrupted) return stopped();
      if (!status) return std::move(status).error();
    }
    return finish();
  }

 private:
  Status open_source() {
    if (data_ != nullptr) {
      source_ = std::make_unique<LabelledRows<T>>(learner_, *data_, *judge_);
      return Done{};
    }
    Ranks& ranks = options_.ranks != nullptr ? *options_.ranks : no_other_ranks();
    source_ = TRY(recipe_.self_play ? GamesSource<T>::make(learner_, ranks, options_.folder)
                                    : RewardSource<T>::make(learner_));
    return Done{};
  }

  bool has_validation() const {
    return data_ != nullptr && judge_->rows(Split::validation).count > 0;
  }
  bool keeps_best() const { return recipe_.keep != Keep::last && has_validation(); }
  bool patience_is_over() const {
    return recipe_.patience > 0 && has_validation() && place_.since_best >= recipe_.patience;
  }
  double done() const {
    return (place_.epoch + std::min(1.0, source_->share(place_.samples))) / recipe_.epochs;
  }

  // --- Files ---------------------------------------------------------------------------------

  std::filesystem::path checkpoint_path() const { return options_.folder / kCheckpointFile; }
  std::filesystem::path weights_path(int epoch) const {
    return options_.folder / weights_file(epoch);
  }

  Status restore() {
    if (!options_.folder.empty() && std::filesystem::exists(checkpoint_path())) return go_on();
    TRY(load_start(recipe_, source_->encoder(), learner_.network()));
    if (source_->plays()) kept_ = measured_ = weights_now();
    return source_->begin();
  }

  Status go_on() {
    const std::string path = checkpoint_path().string();
    auto file = TRY(nn::read_safetensors(checkpoint_path()));
    TRY(read_place(file, path));
    nn::TensorFile learnt, more;  // the network's and the optimiser's, the source's
    learnt.metadata = file.metadata;
    for (nn::Tensor& tensor : file.tensors) {
      (source_->owns(tensor.name) ? more : learnt).tensors.push_back(std::move(tensor));
    }
    for (const auto& [epoch, weights] :
         {std::pair(place_.kept, &kept_), std::pair(place_.measured, &measured_)}) {
      if (!epoch) continue;
      *weights = TRY(read_weights(*epoch));
    }
    TRY(nn::load_checkpoint(learner_.network(), learner_.optimiser(), learnt, path));
    auto status = source_->read(more, place_.epoch);
    if (!status && !status.error().where.known()) return std::move(status).error().in(path);
    return status;
  }

  Status read_place(const nn::TensorFile& file, const std::string& path) {
    const auto at =
        std::ranges::find(file.metadata, kPlaceKey, &nn::TensorMetadata::value_type::first);
    if (at == file.metadata.end()) {
      return Error{"is the checkpoint of another version of this program; delete it to start over",
                   {path}};
    }
    const auto json = TRY(parse_json(at->second, path));
    JsonFields fields(json, "", path);
    place_.read(fields, recipe_.epochs);
    static const Json kNothing = Json::object();
    const Json* within = fields.optional_value("source");
    JsonFields own(within == nullptr ? kNothing : *within, "source", path);
    TRY(source_->set_place(own));
    TRY(own.finish());
    return fields.finish();
  }

  // Found out now rather than after the last epoch.
  Result<EpochWeights<T>> read_weights(int epoch) {
    const auto file = TRY(nn::read_safetensors(weights_path(epoch)));
    auto network = std::make_shared<nn::Network<T>>(recipe_.network, 1, nn::Use::inference);
    TRY(nn::load_weights(*network, file, weights_path(epoch).string()));
    written_.insert(epoch);
    return EpochWeights<T>{epoch, std::move(network)};
  }

  Status write_weights(const EpochWeights<T>& weights) {
    if (options_.folder.empty() || !written_.insert(weights.epoch).second) return Done{};
    return nn::write_safetensors(weights_path(weights.epoch),
                                 nn::model_tensors(*weights.network, provenance_));
  }

  // Weights that nothing needs any more, once the checkpoint no longer names them.
  void remove_weights() {
    for (auto at = written_.begin(); at != written_.end();) {
      const int epoch = *at;
      const bool needed = place_.kept == epoch || place_.measured == epoch;
      if (needed || (keeps_models() && is_due(epoch))) {
        ++at;
        continue;
      }
      std::error_code ignored;
      std::filesystem::remove(weights_path(epoch), ignored);
      at = written_.erase(at);
    }
  }

  Status save_checkpoint() {
    TRY(check_finite());
    last_checkpoint_ = {};
    if (options_.folder.empty()) return Done{};
    const auto epoch_of = [](const std::optional<EpochWeights<T>>& weights) {
      return weights ? std::optional(weights->epoch) : std::nullopt;
    };
    place_.kept = epoch_of(kept_);
    place_.measured = epoch_of(measured_);
    for (const auto* weights : {&kept_, &measured_}) {
      if (!*weights) continue;
      TRY(write_weights(**weights));
    }
    Json place = place_.json();
    place["source"] = source_->place();
    nn::Provenance provenance = provenance_;
    provenance.emplace_back(kPlaceKey, dump_line(place));
    nn::TensorFile file =
        nn::checkpoint_tensors(learner_.network(), learner_.optimiser(), provenance);
    source_->write(file);
    TRY(nn::write_safetensors(checkpoint_path(), file));
    remove_weights();
    return Done{};
  }

  // Weights that are not finite are no model, and no further step brings them back.
  Status check_finite() {
    if (learner_.is_finite()) return Done{};
    return Error{fmt::format("the weights are not finite any more in {} {}: the training diverges; "
                             "expected a lower optimiser.rate, or optimiser.clip_norm",
                             source_->plays() ? "generation" : "epoch",
                             std::min(place_.epoch + 1, recipe_.epochs)),
                 {recipe_.name},
                 ErrorKind::failure};
  }

  // --- Epochs --------------------------------------------------------------------------------

  // True at the end of the epoch, false when it was stopped before.
  Result<bool> run_epoch() {
    const std::function<void()> tell = [this] { show_progress(); };
    TRY(source_->fill(place_.epoch, kept_.value_or(EpochWeights<T>{}), tell));
    Stopwatch watch;
    double playing_seconds = 0;
    std::uint64_t unclocked = 0;
    const auto look_at_clock = [&]() -> Status {
      unclocked = 0;
      learning_seconds_ += watch.seconds() - playing_seconds;
      watch = {};
      playing_seconds = 0;
      show_progress();
      if (last_checkpoint_.seconds() <= options_.checkpoint_seconds) return Done{};
      return save_checkpoint();
    };
    for (;;) {
      const auto learnt = TRY(source_->learn());
      if (!learnt) break;
      place_.loss += learnt->loss;
      place_.samples += learnt->samples;
      samples_ += learnt->samples;
      playing_seconds += learnt->playing_seconds;
      unclocked += learnt->samples;
      // A clock for every sample would be a good part of the work on a small network.
      if (unclocked >= kClockedSamples || source_->takes_long()) TRY(look_at_clock());
      if (interrupted() || (options_.stop && options_.stop())) return false;
    }
    if (unclocked > 0) TRY(look_at_clock());
    return true;
  }

  double mean_loss() const {
    return place_.loss / static_cast<double>(std::max<std::uint64_t>(1, place_.samples));
  }
  double rate() const {
    return learning_seconds_ > 0 ? static_cast<double>(samples_) / learning_seconds_ : 0;
  }

  void show_progress() {
    if (!options_.on_progress || last_progress_.seconds() < kProgressSeconds) return;
    last_progress_ = {};
    TrainingProgress progress;
    progress.epoch = std::min(place_.epoch + 1, recipe_.epochs);
    progress.epochs = recipe_.epochs;
    progress.done = done();
    progress.training_loss = place_.samples > 0 ? mean_loss() : last_loss_;
    progress.accuracy = accuracy_;
    progress.samples_per_second = rate();
    const double here = std::max(progress.done - first_done_, 1e-6);
    progress.seconds_left = begin_.seconds() * (1 - progress.done) / here;
    source_->describe(progress);
    options_.on_progress(progress);
  }

  // --- Measuring -----------------------------------------------------------------------------

  bool keeps_models() const { return recipe_.play() != nullptr && recipe_.play()->keep_models; }
  // Whether the recipe has this epoch measured.
  bool is_due(int epoch) const {
    return epoch > 0 && (epoch % recipe_.evaluate_every == 0 || epoch == recipe_.epochs);
  }

  EpochWeights<T> weights_now() const { return {place_.epoch, learner_.weights()}; }

  // A network that plays is evaluated in the form in which it plays.
  Result<std::vector<Metric>> evaluate(const std::string& set, const EpochWeights<T>* weights) {
    const DataSet* rows = set == name_of(Split::training) ? data_ : judge_;
    if (weights == nullptr) {
      return evaluate_set(*recipe_.task, learner_.evaluated(), source_->encoder(), set, rows);
    }
    const auto network = model::predict_with<T>(weights->network, kEvaluatedBatch);
    return evaluate_set(*recipe_.task, *network, source_->encoder(), set, rows);
  }

  // The set that the curve of the main metric is drawn on.
  std::optional<std::string> watched_set() const {
    if (recipe_.task == nullptr) return std::nullopt;
    if (has_validation()) return std::string(name_of(Split::validation));
    if (recipe_.evaluated.empty()) return std::nullopt;
    return recipe_.evaluated.front();
  }

  Status measure(const EpochWeights<T>* weights, EpochMetrics& metrics) {
    metrics.validation_loss = TRY(source_->validation_loss());
    if (!is_due(metrics.epoch)) return Done{};
    if (const auto set = watched_set()) {
      const auto evaluated = TRY(evaluate(*set, weights));
      if (const Metric* main = find_metric(evaluated, recipe_.task->main_metric())) {
        metrics.accuracy = main->value;
      }
      for (const std::string& name : recipe_.task->curve_metrics()) {
        if (const Metric* found = find_metric(evaluated, name)) {
          metrics.more.emplace_back(name, found->value);
        }
      }
    }
    if (weights == nullptr) return Done{};
    return source_->play_matches(*weights, measured_.value_or(EpochWeights<T>{}), metrics);
  }

  // Whether these weights are the ones to keep.
  Result<bool> are_better(const EpochWeights<T>* weights, EpochMetrics& metrics, Place& place) {
    if (source_->plays()) return source_->passes_gate(*weights, *kept_, metrics);
    if (!keeps_best()) return false;
    const bool by_accuracy = recipe_.keep == Keep::accuracy;
    if (by_accuracy && !metrics.accuracy) return false;
    const double score = by_accuracy ? -*metrics.accuracy : *metrics.validation_loss;
    ++place.since_best;
    if (score >= place.best || std::isnan(score)) return false;
    place.best = score;
    place.since_best = 0;
    return true;
  }

  Status end_epoch() {
    TRY(check_finite());
    Place next = place_;
    ++next.epoch;
    next.samples = 0;
    next.loss = 0;
    EpochMetrics metrics;
    metrics.epoch = next.epoch;
    metrics.epochs = recipe_.epochs;
    metrics.training_loss = mean_loss();
    source_->describe(metrics);
    const EpochWeights<T> now = {next.epoch,
                                 recipe_.play() != nullptr ? learner_.weights() : nullptr};
    const EpochWeights<T>* weights = now.network != nullptr ? &now : nullptr;
    TRY(measure(weights, metrics));
    const auto better = TRY(are_better(weights, metrics, next));
    metrics.best = better;
    metrics.samples_per_second = rate();
    metrics.seconds = begin_.seconds();
    if (weights != nullptr && keeps_models() && is_due(next.epoch)) TRY(write_weights(*weights));
    if (options_.on_epoch) TRY(options_.on_epoch(metrics));
    // From here on the epoch is over. A run that is killed before its checkpoint does it again and
    // comes to the same.
    last_loss_ = metrics.training_loss;
    if (metrics.accuracy) accuracy_ = metrics.accuracy;
    place_ = next;
    if (better) kept_ = weights != nullptr ? now : weights_now();
    if (source_->plays() && is_due(next.epoch)) measured_ = now;
    source_->end_epoch();
    return source_->is_large() ? Status(Done{}) : save_checkpoint();
  }

  // --- The end -------------------------------------------------------------------------------

  Result<TrainingResult> finish() {
    std::optional<EpochWeights<T>> playing;
    if (recipe_.play() != nullptr) playing = kept_ ? *kept_ : weights_now();
    if (kept_ && !playing) model::copy_weights(*kept_->network, learner_.network());
    TrainingResult done = result(true);
    for (const std::string& set : recipe_.evaluated) {
      auto metrics = evaluate(set, playing ? &*playing : nullptr);
      if (!metrics && metrics.error().kind == ErrorKind::interrupted) {
        return source_->is_large() ? stopped() : result(false);  // the others have saved already
      }
      if (!metrics) return std::move(metrics).error();
      done.sets.push_back({set, *std::move(metrics)});
    }
    done.model = playing ? nn::model_tensors(*playing->network, provenance_)
                         : nn::model_tensors(learner_.network(), provenance_);
    return done;
  }

  Result<TrainingResult> stopped() {
    TRY(save_checkpoint());
    return result(false);
  }

  TrainingResult result(bool finished) {
    TrainingResult done;
    done.finished = finished;
    done.epochs = place_.epoch;
    done.kept_epoch = kept_ ? kept_->epoch : place_.epoch;
    done.parameters = learner_.network().parameter_count();
    done.seconds = begin_.seconds();
    done.samples_per_second = rate();
    done.loading_share = source_->loading_share();
    return done;
  }

  const Recipe& recipe_;
  const DataSet* data_;
  const DataSet* judge_;  // null of a recipe that learns by play and is measured by no rows
  const nn::Provenance& provenance_;
  const TrainingOptions& options_;
  Learner<T> learner_;
  std::unique_ptr<Source<T>> source_;
  Place place_;
  // The weights to keep so far, where those are not the last ones; of a network that plays itself
  // also those that were measured last.
  std::optional<EpochWeights<T>> kept_, measured_;
  std::set<int> written_;  // epochs whose weights are in files
  std::optional<double> accuracy_;
  double last_loss_ = 0;   // of the epoch before
  double first_done_ = 0;  // when this process began
  std::uint64_t samples_ = 0;
  double learning_seconds_ = 0;
  Stopwatch begin_, last_checkpoint_, last_progress_;
};

Result<TrainingResult> run_training(const Recipe& recipe, const DataSet* data, Seed seed,
                                    ThreadPool& pool, const nn::Provenance& provenance,
                                    const TrainingOptions& options) {
  if (recipe.doubles) {
    return TrainingRun<double>(recipe, data, seed, pool, provenance, options).run();
  }
  return TrainingRun<float>(recipe, data, seed, pool, provenance, options).run();
}

}  // namespace

Result<TrainingResult> train(const Recipe& recipe, const DataSet& data, Seed seed, ThreadPool& pool,
                             const nn::Provenance& provenance, const TrainingOptions& options) {
  TRY(check_fit(recipe, data));
  return run_training(recipe, &data, seed, pool, provenance, options);
}

Result<TrainingResult> train(const Recipe& recipe, Seed seed, ThreadPool& pool,
                             const nn::Provenance& provenance, const TrainingOptions& options) {
  return run_training(recipe, nullptr, seed, pool, provenance, options);
}

Result<std::vector<Metric>> evaluate_set(const Task& task, model::Predictor& network,
                                         std::string_view encoder, std::string_view set,
                                         const DataSet* data) {
  const auto split = data == nullptr ? std::nullopt : split_named(set);
  return split ? task.evaluate(network, encoder, *data, *split)
               : task.evaluate(network, encoder, set);
}

Result<DataSet> open_rows(const Recipe& recipe, const RowsRecipe& rows, ThreadPool& pool,
                          Ranks& ranks) {
  if (!rows.file.empty()) return DataSet::open(rows.file);
  return generate_in_memory(*recipe.task, rows.generate, pool, ranks);
}

Result<DataSet> open_data(const Recipe& recipe, ThreadPool& pool, Ranks& ranks) {
  return open_rows(recipe, *recipe.data, pool, ranks);
}

std::string weights_file(int epoch) { return fmt::format("{}{}.safetensors", kWeightsFile, epoch); }

bool is_weights_file(std::string_view name) { return name.starts_with(kWeightsFile); }

}  // namespace damier::learn
