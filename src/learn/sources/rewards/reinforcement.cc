#include "damier/learn/sources/rewards/reinforcement.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "damier/base/files/interrupt.h"
#include "damier/base/numbers/stopwatch.h"
#include "damier/learn/sources/rewards/reward_lessons.h"
#include "damier/learn/sources/self_play/measuring.h"
#include "damier/learn/train/play_recipe.h"

namespace damier::learn {

namespace {

constexpr std::string_view kRewardPlaceKey = "damier.reinforcement";
constexpr double kRewardProgressSeconds = 0.2;
constexpr int kEvaluatedBatch = 256;

// Where a run is, with what has happened in the epoch so far.
struct RewardPlace {
  std::uint64_t round = 0;  // that are over
  int epoch = 0;            // that were measured and told
  PlayFigures played;
  LessonFigures learnt;

  Json json() const {
    const auto bits = [](double number) { return std::bit_cast<std::uint64_t>(number); };
    return {{"round", round},
            {"epoch", epoch},
            {"games", played.games},
            {"plies", played.plies},
            {"draws", played.draws},
            {"first_wins", played.first_wins},
            {"cuts", played.cuts},
            {"illegal", played.illegal},
            {"samples", learnt.samples},
            {"loss", bits(learnt.loss)},
            {"lessons", bits(learnt.lessons)},
            {"first", bits(learnt.first)},
            {"second", bits(learnt.second)}};
  }
  static Result<RewardPlace> read(const Json& json, const std::string& source) {
    JsonFields fields(json, "", source);
    const auto count = [&](std::string_view key) {
      return fields.optional_unsigned(key).value_or(0);
    };
    const auto number = [&](std::string_view key) { return std::bit_cast<double>(count(key)); };
    RewardPlace place;
    place.round = count("round");
    place.epoch = static_cast<int>(fields.integer("epoch", 0, 1'000'000));
    place.played = {count("games"),      count("plies"), count("draws"),
                    count("first_wins"), count("cuts"),  count("illegal")};
    place.learnt.samples = count("samples");
    place.learnt.loss = number("loss");
    place.learnt.lessons = number("lessons");
    place.learnt.first = number("first");
    place.learnt.second = number("second");
    if (auto status = fields.finish(); !status) return std::move(status).error();
    return place;
  }
};

ExperienceSize experience_size(const Recipe& recipe) {
  const auto head = std::find_if(recipe.network.heads.begin(), recipe.network.heads.end(),
                                 [](const auto& one) { return one.name == "moves"; });
  const auto at = static_cast<std::size_t>(head - recipe.network.heads.begin());
  const ReinforcementOptions& how = recipe.reinforcement->how;
  return {static_cast<std::size_t>(how.games),
          static_cast<std::size_t>(recipe.network.input.size()),
          static_cast<std::size_t>(recipe.network.head_shape(at).size()), how.times_to_keep()};
}

template <class T>
class RewardRun {
 public:
  RewardRun(const Recipe& recipe, Seed seed, ThreadPool& pool, const nn::Provenance& provenance,
            const TrainingOptions& options)
      : recipe_(recipe),
        own_(*recipe.reinforcement),
        seed_(seed),
        pool_(pool),
        provenance_(provenance),
        options_(options),
        network_(recipe.network, recipe.batch, nn::Use::training, &pool),
        optimiser_(optimiser_options(), network_),
        experience_(experience_size(recipe)) {}

  Result<TrainingResult> run() {
    auto actors = Actors<T>::make(*recipe_.task, recipe_.network, own_.encoder, recipe_.augment,
                                  own_.how, seed_, pool_);
    if (!actors) return std::move(actors).error().in(recipe_.name);
    actors_ = *std::move(actors);
    if (auto status = restore(); !status) return std::move(status).error();
    first_round_ = place_.round;
    for (;;) {
      if (place_.round / own_.rounds_of_epoch() > static_cast<std::uint64_t>(place_.epoch)) {
        auto status = end_epoch();
        if (!status && status.error().kind == ErrorKind::interrupted) return stopped();
        if (!status) return std::move(status).error();
      }
      if (place_.epoch == recipe_.epochs) return finish();
      if (interrupted() || (options_.stop && options_.stop())) return stopped();
      // In the middle of a round there is no going on: the last checkpoint leads here again.
      if (!run_round()) return result(false);
      show_progress();
      if (last_checkpoint_.seconds() <= options_.checkpoint_seconds) continue;
      if (auto status = save(); !status) return std::move(status).error();
    }
  }

 private:
  std::uint64_t rounds_in_all() const {
    return own_.rounds_of_epoch() * static_cast<std::uint64_t>(recipe_.epochs);
  }
  double done() const {
    return static_cast<double>(place_.round) / static_cast<double>(rounds_in_all());
  }
  std::filesystem::path checkpoint_file() const { return options_.folder / kCheckpointFile; }

  nn::OptimiserOptions optimiser_options() const {
    const ScheduleRecipe& from = recipe_.schedule;
    const std::int64_t all =
        own_.how.lessons_after(rounds_in_all() * own_.how.moves_of_round(), recipe_.batch);
    const auto steps = [&](double epochs) {
      return static_cast<std::int64_t>(
          std::llround(epochs * static_cast<double>(all) / recipe_.epochs));
    };
    nn::OptimiserOptions options = recipe_.optimiser;
    options.schedule = {from.kind, steps(from.warm_up),
                        from.kind == nn::ScheduleKind::step
                            ? std::max<std::int64_t>(1, steps(from.every))
                            : std::max<std::int64_t>(1, all),
                        from.factor, from.lowest};
    return options;
  }

  Status restore() {
    nn::initialise(network_, recipe_.initialisation, seed_);
    network_.set_dropout_seed(seed_);
    if (recipe_.begins_with_model()) network_.keep_norms();
    if (!options_.folder.empty() && std::filesystem::exists(checkpoint_file())) return go_on();
    if (auto status = load_start(recipe_, network_); !status) return status;
    make_lessons();
    actors_->begin(experience_);
    return Done{};
  }

  void make_lessons() {
    const Pupil<T> pupil = {recipe_, seed_, pool_, network_, optimiser_, experience_};
    lessons_ = own_.how.method == ReinforcementMethod::q ? make_q_lessons<T>(pupil)
                                                         : make_policy_lessons<T>(pupil);
  }

  Status go_on() {
    const std::string source = checkpoint_file().string();
    auto file = nn::read_safetensors(checkpoint_file());
    if (!file) return std::move(file).error();
    std::string text;
    for (const auto& [key, value] : file->metadata) {
      if (key == kRewardPlaceKey) text = value;
    }
    const auto json = parse_json(text, source);
    if (!json) return json.error();
    const auto place = RewardPlace::read(*json, source);
    if (!place) return place.error();
    if (place->round > rounds_in_all() || place->epoch > recipe_.epochs) {
      return Error{"is beyond the end of the run", {source}};
    }
    place_ = *place;
    // What is not the network's or the optimiser's.
    nn::TensorFile learnt, more;
    learnt.metadata = file->metadata;
    for (nn::Tensor& tensor : file->tensors) {
      const bool ours = tensor.name.starts_with(Experience::kPrefix) ||
                        tensor.name.starts_with(Actors<T>::kPrefix) ||
                        tensor.name.starts_with(kTargetPrefix);
      (ours ? more : learnt).tensors.push_back(std::move(tensor));
    }
    auto status = nn::load_checkpoint(network_, optimiser_, learnt, source);
    if (!status) return status;
    make_lessons();
    status = experience_.read(more, place_.round * static_cast<Time>(own_.how.moves));
    if (status) status = actors_->read(more);
    if (status) status = lessons_->read(more);
    if (!status) return std::move(status).error().in(source);
    return status;
  }

  bool run_round() {
    const auto moves = static_cast<Time>(own_.how.moves);
    const Stopwatch playing;
    const auto played = actors_->play(network_, lessons_->choosing(done()), experience_, moves);
    if (!played) return false;
    place_.played.add(*played);
    for (Time i = 0; i < moves; ++i) {
      experience_.advance();
      lessons_->advance();
    }
    playing_seconds_ += playing.seconds();
    const Stopwatch learning;
    const LessonFigures learnt = lessons_->learn(done());
    learning_seconds_ += learning.seconds();
    place_.learnt.add(learnt);
    samples_ += learnt.samples;
    ++place_.round;
    return true;
  }

  double loss() const {
    return place_.learnt.loss /
           static_cast<double>(std::max<std::uint64_t>(1, place_.learnt.samples));
  }
  double samples_per_second() const {
    return learning_seconds_ > 0 ? static_cast<double>(samples_) / learning_seconds_ : 0;
  }
  double moves_per_second() const {
    const auto moves =
        static_cast<double>((place_.round - first_round_) * own_.how.moves_of_round());
    return playing_seconds_ > 0 ? moves / playing_seconds_ : 0;
  }

  void show_progress() {
    if (!options_.on_progress || last_progress_.seconds() < kRewardProgressSeconds) return;
    last_progress_ = {};
    TrainingProgress progress;
    progress.epoch = std::min(place_.epoch + 1, recipe_.epochs);
    progress.epochs = recipe_.epochs;
    progress.done = done();
    progress.training_loss = loss();
    progress.accuracy = accuracy_;
    progress.samples_per_second = samples_per_second();
    const auto here = static_cast<double>(place_.round - first_round_);
    const auto left = static_cast<double>(rounds_in_all() - place_.round);
    progress.seconds_left = begin_.seconds() * left / std::max(here, 1.0);
    options_.on_progress(progress);
  }

  // Weights that are not finite are no model, and no further step brings them back.
  Status check_finite() const {
    for (const auto* parameter : network_.parameters()) {
      for (std::size_t i = 0; i < parameter->count(); ++i) {
        if (std::isfinite(parameter->value[i])) continue;
        return Error{fmt::format("the weights are not finite any more in epoch {}: the training "
                                 "diverges; expected a lower optimiser.rate, or "
                                 "optimiser.clip_norm",
                                 std::min(place_.epoch + 1, recipe_.epochs)),
                     {recipe_.name},
                     ErrorKind::failure};
      }
    }
    return Done{};
  }

  Status end_epoch() {
    if (auto status = check_finite(); !status) return status;
    EpochMetrics metrics;
    metrics.epoch = place_.epoch + 1;
    metrics.epochs = recipe_.epochs;
    metrics.training_loss = loss();
    metrics.samples_per_second = samples_per_second();
    const auto add = [&](std::string_view name, double value) {
      metrics.more.emplace_back(std::string(name), value);
    };
    if (place_.played.games > 0) {
      const auto games = static_cast<double>(place_.played.games);
      add("plies", static_cast<double>(place_.played.plies) / games);
      add("draws", static_cast<double>(place_.played.draws) / games);
      add("first_wins", static_cast<double>(place_.played.first_wins) / games);
      // Where there is a limit, how many of the draws it made.
      if (place_.played.cuts > 0) add("cut", static_cast<double>(place_.played.cuts) / games);
    }
    add("games", static_cast<double>(place_.played.games));
    if (!own_.how.draft_mask) add("illegal", static_cast<double>(place_.played.illegal));
    if (own_.how.epsilon.first > 0) add("epsilon", own_.how.epsilon.at(done()));
    if (place_.learnt.lessons > 0) {
      const auto [first, second] = lessons_->figure_names();
      if (!first.empty()) add(first, place_.learnt.first / place_.learnt.lessons);
      if (!second.empty()) add(second, place_.learnt.second / place_.learnt.lessons);
    }
    add("moves_per_second", moves_per_second());
    if (auto status = measure(metrics); !status) return status;
    metrics.seconds = begin_.seconds();
    if (options_.on_epoch) {
      if (auto status = options_.on_epoch(metrics); !status) return status;
    }
    ++place_.epoch;
    place_.played = {};
    place_.learnt = {};
    return Done{};
  }

  std::unique_ptr<Predictor> predictor() const {
    std::shared_ptr<const nn::Network<T>> weights = network_copy(network_, recipe_.network, 1);
    return predict_with<T>(std::move(weights), kEvaluatedBatch);
  }

  Status measure(EpochMetrics& metrics) {
    const bool last = metrics.epoch == recipe_.epochs;
    if (metrics.epoch % recipe_.evaluate_every != 0 && !last) return Done{};
    if (own_.keep_models && !options_.folder.empty()) {
      const auto file = options_.folder / measured_file(metrics.epoch);
      auto status = nn::write_safetensors(file, nn::model_tensors(network_, provenance_));
      if (!status) return status;
    }
    const auto network = predictor();
    if (!recipe_.evaluated.empty()) {
      const auto evaluated = evaluate_set(*recipe_.task, *network, own_.encoder,
                                          recipe_.evaluated.front(), options_.judge);
      if (!evaluated) return evaluated.error();
      const Metric* main = find_metric(*evaluated, recipe_.task->main_metric());
      if (main != nullptr) accuracy_ = metrics.accuracy = main->value;
    }
    // One simulation, of the one move that the network likes best: the network alone.
    SelfPlayOptions alone;
    alone.root.simulations = alone.root.considered = 1;
    for (const std::string& name : own_.opponents) {
      const MatchRequest request = {
          {own_.encoder, seed_, static_cast<std::uint64_t>(metrics.epoch), 0,
           static_cast<std::uint64_t>(own_.match_games + own_.match_games % 2)}};
      const auto counts =
          recipe_.task->self_play_match(alone, request, *network, {nullptr, name}, pool_);
      if (!counts) return counts.error();
      metrics.more.emplace_back("score_" + name, counts->score());
      add_match_rows(*counts, fmt::format("epoch {}", metrics.epoch), name, place_.epoch,
                     metrics.games);
    }
    return Done{};
  }

  Status save() {
    if (auto status = check_finite(); !status) return status;
    last_checkpoint_ = {};
    if (options_.folder.empty()) return Done{};
    nn::Provenance provenance = provenance_;
    provenance.emplace_back(kRewardPlaceKey, dump_line(place_.json()));
    nn::TensorFile file = nn::checkpoint_tensors(network_, optimiser_, provenance);
    experience_.write(file);
    actors_->write(file);
    lessons_->write(file);
    return nn::write_safetensors(checkpoint_file(), file);
  }

  Result<TrainingResult> stopped() {
    if (auto status = save(); !status) return std::move(status).error();
    return result(false);
  }

  Result<TrainingResult> finish() {
    TrainingResult done = result(true);
    const auto network = predictor();
    for (const std::string& set : recipe_.evaluated) {
      auto metrics = evaluate_set(*recipe_.task, *network, own_.encoder, set, options_.judge);
      if (!metrics && metrics.error().kind == ErrorKind::interrupted) return stopped();
      if (!metrics) return std::move(metrics).error();
      done.sets.push_back({set, *std::move(metrics)});
    }
    done.model = nn::model_tensors(network_, provenance_);
    return done;
  }

  TrainingResult result(bool finished) const {
    TrainingResult done;
    done.finished = finished;
    done.epochs = done.kept_epoch = place_.epoch;
    done.parameters = network_.parameter_count();
    done.seconds = begin_.seconds();
    done.samples_per_second = samples_per_second();
    return done;
  }

  const Recipe& recipe_;
  const ReinforcementRecipe& own_;
  Seed seed_;
  ThreadPool& pool_;
  const nn::Provenance& provenance_;
  const TrainingOptions& options_;
  nn::Network<T> network_;
  nn::Optimiser<T> optimiser_;
  Experience experience_;
  std::unique_ptr<Actors<T>> actors_;
  std::unique_ptr<RewardLessons<T>> lessons_;
  RewardPlace place_;
  std::optional<double> accuracy_;
  std::uint64_t first_round_ = 0;  // of this process
  std::uint64_t samples_ = 0;
  double playing_seconds_ = 0, learning_seconds_ = 0;
  Stopwatch begin_, last_checkpoint_, last_progress_;
};

}  // namespace

Result<TrainingResult> learn_by_reward(const Recipe& recipe, Seed seed, ThreadPool& pool,
                                       const nn::Provenance& provenance,
                                       const TrainingOptions& options) {
  if (recipe.doubles) return RewardRun<double>(recipe, seed, pool, provenance, options).run();
  return RewardRun<float>(recipe, seed, pool, provenance, options).run();
}

}  // namespace damier::learn
