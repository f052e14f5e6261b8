#include "damier/learn/sources/self_play/generations.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "damier/base/files/interrupt.h"
#include "damier/base/numbers/stopwatch.h"
#include "damier/learn/model/model.h"
#include "damier/learn/sources/self_play/generation_games.h"
#include "damier/learn/sources/self_play/lessons.h"
#include "damier/learn/sources/self_play/measuring.h"
#include "damier/learn/sources/self_play/run_files.h"
#include "damier/learn/train/play_recipe.h"

namespace damier::learn {

namespace {

constexpr double kProgressSeconds = 0.2;

template <class T>
class Generations {
 public:
  Generations(const Recipe& recipe, Seed seed, ThreadPool& pool, const nn::Provenance& provenance,
              const TrainingOptions& options)
      : recipe_(recipe),
        own_(*recipe.self_play),
        seed_(seed),
        provenance_(provenance),
        options_(options),
        files_(options.folder),
        window_(own_.window, recipe.memory_mb << 20),
        lessons_(recipe, seed, pool, provenance,
                 [&options] { return interrupted() || (options.stop && options.stop()); }),
        games_(recipe, seed, pool, options.ranks ? *options.ranks : no_other_ranks()),
        measuring_(games_, options.judge) {}

  Result<TrainingResult> run() {
    if (auto status = restore(); !status) return std::move(status).error();
    first_ = generation_;
    while (generation_ < own_.generations) {
      auto status = run_generation();
      if (!status && status.error().kind == ErrorKind::interrupted) return result(false);
      if (!status) return std::move(status).error();
    }
    return finish();
  }

 private:
  using Weights = std::shared_ptr<const nn::Network<T>>;

  // A network for inference with the weights of a file.
  Result<Weights> weights_of(const nn::TensorFile& tensors, const std::string& source) const {
    auto network = std::make_shared<nn::Network<T>>(recipe_.network, 1, nn::Use::inference);
    auto status = nn::load_weights(*network, tensors, source);
    if (!status) return std::move(status).error();
    return Weights(std::move(network));
  }

  Status restore() {
    if (files_.has_place()) return go_on();
    nn::Network<T> network(recipe_.network, 1, nn::Use::training);
    nn::initialise(network, recipe_.initialisation, seed_);
    if (auto status = load_start(recipe_, network); !status) return status;
    nn::Optimiser<T> optimiser(recipe_.optimiser, network);
    checkpoint_ = nn::checkpoint_tensors(network, optimiser, provenance_);
    playing_ = measured_ = network_copy(network, recipe_.network, 1);
    return Done{};
  }

  Status go_on() {
    auto place = files_.read(own_.generations);
    if (!place) return std::move(place).error();
    generation_ = place->generation;
    checkpoint_ = std::move(place->checkpoint);
    auto playing = weights_of(place->playing, files_.playing(generation_).string());
    if (!playing) return std::move(playing).error();
    playing_ = *std::move(playing);
    auto measured = weights_of(place->measured, files_.measured(generation_).string());
    if (!measured) return std::move(measured).error();
    measured_ = *std::move(measured);
    auto games = files_.read_games(generation_, own_.window);
    if (!games) return std::move(games).error();
    for (std::size_t i = 0; i < games->size(); ++i) {
      const int of = generation_ - static_cast<int>(games->size() - i);
      if (auto status = add_to_window((*games)[i], of); !status) return status;
    }
    return Done{};
  }

  Status add_to_window(const DataSet& games, int generation) {
    auto status = window_.add(games);
    if (status || status.error().where.known()) return status;
    return Error{fmt::format("generation {}: {}", generation + 1, status.error().message),
                 {recipe_.name},
                 ErrorKind::failure};
  }

  Status run_generation() {
    const Stopwatch watch;
    auto games = generation_games(
        games_, generation_, network(playing_),
        files_.are_kept() ? files_.games(generation_) : std::filesystem::path(), teller());
    if (!games) return std::move(games).error();
    const double playing_seconds = watch.seconds();
    EpochMetrics metrics = metrics_of(games->figures);
    if (!games->from_file) {
      const auto simulations = static_cast<double>(games->figures.simulations);
      metrics.more.emplace_back("simulations_per_second", simulations / playing_seconds);
    }
    if (auto status = add_to_window(games->rows, generation_); !status) return status;
    auto learnt = lessons_.learn(checkpoint_, window_, generation_);
    if (!learnt) return std::move(learnt).error();
    checkpoint_ = std::move(learnt->checkpoint);
    metrics.training_loss = loss_ = learnt->loss;
    metrics.samples_per_second = learning_rate_ = learnt->samples_per_second;
    if (auto status = measure(learnt->weights, metrics); !status) return status;
    metrics.seconds = since_begin_.seconds();
    if (options_.on_epoch) {
      if (auto status = options_.on_epoch(metrics); !status) return status;
    }
    ++generation_;
    return save();
  }

  EpochMetrics metrics_of(const SelfPlayFigures& figures) const {
    EpochMetrics metrics;
    metrics.epoch = generation_ + 1;
    metrics.epochs = own_.generations;
    metrics.generation = true;
    const auto add = [&](std::string name, std::uint64_t part, std::uint64_t whole) {
      metrics.more.emplace_back(std::move(name),
                                static_cast<double>(part) / static_cast<double>(whole));
    };
    add("plies", figures.positions, figures.games);
    add("draws", figures.draws, figures.games);
    add("first_wins", figures.first_wins, figures.games);
    if (figures.resignations_checked > 0) {
      add("wrong_resignations", figures.resignations_wrong, figures.resignations_checked);
    }
    return metrics;
  }

  PlayingNetwork network(const Weights& weights) const {
    return playing_network<T>(recipe_, weights);
  }

  // Draws the progress of the games that are about to be played.
  std::function<void(std::uint64_t, std::uint64_t)> teller() {
    if (!options_.on_progress) return {};
    return [this, begin = Stopwatch(), last = -kProgressSeconds](
               std::uint64_t games, std::uint64_t simulations) mutable {
      const double now = begin.seconds();
      if (now - last < kProgressSeconds) return;
      last = now;
      TrainingProgress progress;
      progress.epoch = generation_ + 1;
      progress.epochs = own_.generations;
      progress.games = games;
      progress.games_in_all = static_cast<std::uint64_t>(own_.games);
      progress.training_loss = loss_;
      progress.accuracy = accuracy_;
      progress.samples_per_second = learning_rate_;
      progress.simulations_per_second = static_cast<double>(simulations) / now;
      const double generation = static_cast<double>(games) / static_cast<double>(own_.games);
      const double here = generation_ - first_ + generation;
      progress.done = (generation_ + generation) / own_.generations;
      progress.seconds_left = since_begin_.seconds() *
                              (own_.generations - generation_ - generation) / std::max(here, 1e-3);
      options_.on_progress(progress);
    };
  }

  // The gate, and how good the network is now.
  Status measure(const Weights& newest, EpochMetrics& metrics) {
    const PlayingNetwork now = network(newest);
    const auto passes = measuring_.passes_gate(generation_, now, network(playing_), metrics);
    if (!passes) return passes.error();
    metrics.best = *passes;
    if (*passes) playing_ = newest;
    if (!measuring_.is_due(generation_)) return Done{};
    auto status = measuring_.measure(generation_, now, network(measured_), metrics);
    if (!status) return status;
    if (metrics.accuracy) accuracy_ = metrics.accuracy;
    measured_ = newest;
    return Done{};
  }

  Status save() const {
    if (!files_.are_kept()) return Done{};
    return files_.write({generation_, checkpoint_, nn::model_tensors(*playing_, provenance_),
                         nn::model_tensors(*measured_, provenance_)},
                        own_.window);
  }

  Result<TrainingResult> finish() {
    TrainingResult done = result(true);
    for (const std::string& set : recipe_.evaluated) {
      auto metrics = evaluate_set(*recipe_.task, *network(playing_).predictor, own_.encoder, set,
                                  options_.judge);
      if (!metrics && metrics.error().kind == ErrorKind::interrupted) return result(false);
      if (!metrics) return std::move(metrics).error();
      done.sets.push_back({set, *std::move(metrics)});
    }
    done.model = nn::model_tensors(*playing_, provenance_);
    return done;
  }

  TrainingResult result(bool finished) const {
    TrainingResult done;
    done.finished = finished;
    done.epochs = done.kept_epoch = generation_;
    done.parameters = playing_->parameter_count();
    done.seconds = since_begin_.seconds();
    done.samples_per_second = learning_rate_;
    return done;
  }

  const Recipe& recipe_;
  const SelfPlayRecipe& own_;
  Seed seed_;
  const nn::Provenance& provenance_;
  const TrainingOptions& options_;
  SelfPlayFiles files_;
  GamesWindow window_;
  Lessons<T> lessons_;
  SharedGames games_;
  Measuring measuring_;
  int generation_ = 0;
  nn::TensorFile checkpoint_;
  Weights playing_, measured_;
  double loss_ = 0, learning_rate_ = 0;  // of the last generation; samples a second
  std::optional<double> accuracy_;
  int first_ = 0;  // generation of this process
  const Stopwatch since_begin_;
};

}  // namespace

Result<TrainingResult> learn_by_play(const Recipe& recipe, Seed seed, ThreadPool& pool,
                                     const nn::Provenance& provenance,
                                     const TrainingOptions& options) {
  if (recipe.doubles) return Generations<double>(recipe, seed, pool, provenance, options).run();
  return Generations<float>(recipe, seed, pool, provenance, options).run();
}

}  // namespace damier::learn
