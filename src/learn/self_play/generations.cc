#include "damier/learn/self_play/generations.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <span>

#include <fmt/format.h>

#include "damier/base/interrupt.h"
#include "damier/learn/model/model.h"

namespace damier::learn {

namespace {

constexpr std::string_view kPlaceKey = "damier.self_play";
constexpr double kProgressSeconds = 0.2;
// Files in the folder of a run, by generation: the games, the network that plays next, and the one
// that was measured last.
constexpr std::string_view kGamesFile = "games";
constexpr std::string_view kPlayingFile = "playing";
constexpr std::string_view kMeasuredFile = "measured";
constexpr std::string_view kFiles[] = {"games-", "playing-", "measured-"};

using Clock = std::chrono::steady_clock;
double since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// The Elo difference of a share of points; half a point more and less keeps it finite.
double elo_of(const MatchCounts& counts) {
  const double games = static_cast<double>(counts.games());
  const double share = (counts.score() * games + 0.5) / (games + 1);
  return 400 * std::log10(share / (1 - share));
}

Json to_json(const SelfPlayFigures& figures) {
  return {{"games", figures.games},
          {"positions", figures.positions},
          {"first_wins", figures.first_wins},
          {"second_wins", figures.second_wins},
          {"draws", figures.draws},
          {"simulations", figures.simulations},
          {"evaluations", figures.evaluations},
          {"resigned", figures.resigned},
          {"resignations_checked", figures.resignations_checked},
          {"resignations_wrong", figures.resignations_wrong}};
}

Result<SelfPlayFigures> read_figures(const Json& json, const std::string& source) {
  JsonFields fields(json, "figures", source);
  const auto count = [&](std::string_view key) {
    return static_cast<std::uint64_t>(fields.integer(key, 0, std::int64_t{1} << 60));
  };
  SelfPlayFigures figures;
  figures.games = count("games");
  figures.positions = count("positions");
  figures.first_wins = count("first_wins");
  figures.second_wins = count("second_wins");
  figures.draws = count("draws");
  figures.simulations = count("simulations");
  figures.evaluations = count("evaluations");
  figures.resigned = count("resigned");
  figures.resignations_checked = count("resignations_checked");
  figures.resignations_wrong = count("resignations_wrong");
  if (auto status = fields.finish(); !status) return std::move(status).error();
  return figures;
}

std::uint64_t bytes_of(const DataSet& data) {
  std::uint64_t row = 0;
  for (const Column& column : data.columns()) row += column.row_bytes();
  return row * data.row_count();
}

// The rows of some generations as one set.
Result<DataSet> joined(std::span<const DataSet> parts, Json info) {
  const std::vector<Column>& columns = parts.front().columns();
  std::vector<std::vector<std::byte>> bytes(columns.size());
  std::uint64_t rows = 0;
  for (const DataSet& part : parts) {
    const RowRange range = part.rows(Split::training);
    rows += range.count;
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const std::size_t before = bytes[k].size();
      bytes[k].resize(before + static_cast<std::size_t>(range.count * columns[k].row_bytes()));
      auto status = part.read(static_cast<int>(k), range, std::span(bytes[k]).subspan(before));
      if (!status) return std::move(status).error();
    }
  }
  return DataSet::in_memory(std::move(info), columns, {rows, 0, 0}, std::move(bytes));
}

template <class T>
class Generations {
 public:
  Generations(const Recipe& recipe, Seed seed, ThreadPool& pool, const nn::Provenance& provenance,
              const TrainingOptions& options)
      : recipe_(recipe),
        own_(*recipe.self_play),
        seed_(seed),
        pool_(pool),
        provenance_(provenance),
        options_(options),
        lessons_(recipe) {
    // The rate follows the generations; within one it stays.
    lessons_.schedule = {};
  }

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

  bool keeps_files() const { return !options_.folder.empty(); }
  std::filesystem::path checkpoint_file() const { return options_.folder / kCheckpointFile; }
  std::filesystem::path file(std::string_view name, int generation) const {
    return options_.folder / fmt::format("{}-{}.safetensors", name, generation);
  }
  std::filesystem::path games_file(int generation) const { return file(kGamesFile, generation); }
  bool stopped() const { return interrupted() || (options_.stop && options_.stop()); }

  Json info_of(int generation) const {
    return {{"task", std::string(recipe_.task->name())},
            {"game", std::string(recipe_.task->game())},
            {"encoder", own_.encoder},
            {"generation", generation},
            {"recipe", recipe_.hash()},
            {"seed", std::to_string(value_of(seed_))}};
  }

  // A network for inference with the weights of a file, or with those in the recipe's beginning.
  Result<Weights> weights_of(const nn::TensorFile& tensors, const std::string& source) const {
    auto network = std::make_shared<nn::Network<T>>(recipe_.network, 1, nn::Use::inference);
    auto status = nn::load_weights(*network, tensors, source);
    if (!status) return std::move(status).error();
    return Weights(std::move(network));
  }

  Status restore() {
    if (keeps_files() && std::filesystem::exists(checkpoint_file())) return go_on();
    nn::Network<T> network(recipe_.network, 1, nn::Use::training);
    nn::initialise(network, recipe_.initialisation, seed_);
    if (!own_.start.empty()) {
      if (auto status = start_from_model(network); !status) return status;
    }
    nn::Optimiser<T> optimiser(recipe_.optimiser, network);
    checkpoint_ = nn::checkpoint_tensors(network, optimiser, provenance_);
    playing_ = measured_ = network_copy(network, recipe_.network, 1);
    return Done{};
  }

  Status start_from_model(nn::Network<T>& network) const {
    const auto model = open_model(own_.start);
    if (!model) return model.error();
    if (auto status = check_model(*model, *recipe_.task); !status) return status;
    if (model->origin("encoder") != own_.encoder || !(model->spec() == recipe_.network)) {
      return Error{
          "start: is another network than the recipe's; expected the same layers, encoder "
          "and rules",
          {own_.start}};
    }
    const auto tensors = nn::read_safetensors(own_.start);
    if (!tensors) return tensors.error();
    return nn::load_weights(network, *tensors, own_.start);
  }

  Status go_on() {
    auto checkpoint = nn::read_safetensors(checkpoint_file());
    if (!checkpoint) return std::move(checkpoint).error();
    checkpoint_ = *std::move(checkpoint);
    const std::string source = checkpoint_file().string();
    std::string place;
    for (const auto& [key, value] : checkpoint_.metadata) {
      if (key == kPlaceKey) place = value;
    }
    const auto json = parse_json(place, source);
    if (!json) return json.error();
    JsonFields fields(*json, "", source);
    generation_ = static_cast<int>(fields.integer("generation", 1, own_.generations));
    elo_ = std::bit_cast<double>(fields.optional_unsigned("elo").value_or(0));
    if (auto status = fields.finish(); !status) return status;
    for (const auto& [name, to] :
         {std::pair(kPlayingFile, &playing_), {kMeasuredFile, &measured_}}) {
      const auto path = file(name, generation_);
      const auto tensors = nn::read_safetensors(path);
      if (!tensors) return tensors.error();
      auto weights = weights_of(*tensors, path.string());
      if (!weights) return std::move(weights).error();
      *to = *std::move(weights);
    }
    const int first = std::max(0, generation_ - own_.window + 1);
    for (int generation = first; generation < generation_; ++generation) {
      auto games = DataSet::open(games_file(generation));
      if (!games) return std::move(games).error();
      window_.push_back(*std::move(games));
    }
    return Done{};
  }

  Status run_generation() {
    const auto begin = Clock::now();
    auto figures = play();
    if (!figures) return std::move(figures).error();
    const double playing_seconds = since(begin);
    const auto loss = learn();
    if (!loss) return loss.error();
    EpochMetrics metrics;
    metrics.epoch = generation_ + 1;
    metrics.epochs = own_.generations;
    metrics.generation = true;
    metrics.training_loss = loss_ = *loss;
    metrics.samples_per_second = learning_rate_;
    const auto add = [&](std::string name, double value) {
      metrics.more.emplace_back(std::move(name), value);
    };
    const auto games = static_cast<double>(figures->games);
    add("plies", static_cast<double>(figures->positions) / games);
    add("draws", static_cast<double>(figures->draws) / games);
    add("first_wins", static_cast<double>(figures->first_wins) / games);
    if (!from_file_) {
      add("simulations_per_second", static_cast<double>(figures->simulations) / playing_seconds);
    }
    if (figures->resignations_checked > 0) {
      add("wrong_resignations", static_cast<double>(figures->resignations_wrong) /
                                    static_cast<double>(figures->resignations_checked));
    }
    if (auto status = measure(metrics); !status) return status;
    metrics.seconds = since(begin_);
    if (options_.on_epoch) {
      if (auto status = options_.on_epoch(metrics); !status) return status;
    }
    ++generation_;
    return save();
  }

  std::unique_ptr<Predictor> predictor(const Weights& weights) const {
    return predict_with<T>(weights, own_.play.games_at_once);
  }

  // The games of this generation, at the end of the window.
  Result<SelfPlayFigures> play() {
    from_file_ = false;
    if (keeps_files() && std::filesystem::exists(games_file(generation_))) {
      // They follow from the recipe, the seed and the weights: those of a run that was killed
      // later in the generation are what would be played again.
      if (auto games = DataSet::open(games_file(generation_)); games) {
        const Json* figures = games->info().find("figures");
        Json info = info_of(generation_);
        const bool same = std::all_of(info.items().begin(), info.items().end(), [&](const auto& i) {
          const Json* found = games->info().find(i.first);
          return found != nullptr && *found == i.second;
        });
        if (same && figures != nullptr) {
          auto read = read_figures(*figures, games->source());
          if (read) {
            from_file_ = true;
            return keep(*std::move(games), *read);
          }
        }
      }
    }
    const auto columns = recipe_.task->self_play_columns(own_.encoder);
    if (!columns) return columns.error();
    const SelfPlayGames games = {own_.encoder,
                                 seed_,
                                 static_cast<std::uint64_t>(generation_),
                                 0,
                                 static_cast<std::uint64_t>(own_.games),
                                 teller()};
    const auto network = predictor(playing_);
    if (!keeps_files()) {
      MemoryRows rows(*columns);
      auto figures = recipe_.task->self_play(own_.play, games, *network, pool_, rows);
      if (!figures) return figures;
      return keep(rows.finish(info_of(generation_)), *figures);
    }
    auto rows = DataSetWriter::create(games_file(generation_), *columns);
    if (!rows) return std::move(rows).error();
    auto figures = recipe_.task->self_play(own_.play, games, *network, pool_, **rows);
    if (!figures) return figures;
    Json info = info_of(generation_);
    info["figures"] = to_json(*figures);
    if (auto written = (*rows)->finish(std::move(info)); !written) {
      return std::move(written).error();
    }
    auto set = DataSet::open(games_file(generation_));
    if (!set) return std::move(set).error();
    return keep(*std::move(set), *figures);
  }

  // Draws the progress of the games that are about to be played.
  std::function<void(std::uint64_t, std::uint64_t)> teller() {
    if (!options_.on_progress) return {};
    return [this, begin = Clock::now(), last = begin_](std::uint64_t games,
                                                       std::uint64_t simulations) mutable {
      if (since(last) < kProgressSeconds) return;
      last = Clock::now();
      TrainingProgress progress;
      progress.epoch = generation_ + 1;
      progress.epochs = own_.generations;
      progress.games = games;
      progress.games_in_all = static_cast<std::uint64_t>(own_.games);
      progress.training_loss = loss_;
      progress.accuracy = accuracy_;
      progress.samples_per_second = learning_rate_;
      progress.simulations_per_second = static_cast<double>(simulations) / since(begin);
      const double generation = static_cast<double>(games) / static_cast<double>(own_.games);
      const double here = generation_ - first_ + generation;
      progress.done = (generation_ + generation) / own_.generations;
      progress.seconds_left =
          since(begin_) * (own_.generations - generation_ - generation) / std::max(here, 1e-3);
      options_.on_progress(progress);
    };
  }

  Result<SelfPlayFigures> keep(DataSet games, const SelfPlayFigures& figures) {
    window_.push_back(std::move(games));
    if (window_.size() > static_cast<std::size_t>(own_.window)) window_.erase(window_.begin());
    return figures;
  }

  // The newest generations of the window that the recipe's memory has room for.
  Result<std::span<const DataSet>> affordable_window() const {
    const std::uint64_t most = recipe_.memory_mb << 20;
    std::uint64_t bytes = 0;
    std::size_t first = window_.size();
    while (first > 0 && bytes + bytes_of(window_[first - 1]) <= most) {
      bytes += bytes_of(window_[--first]);
    }
    if (bytes > 0) return std::span(window_).subspan(first);
    const std::uint64_t found = bytes_of(window_.back());
    return Error{fmt::format("generation {}: its positions take {} bytes; expected some, and {} at "
                             "most (\"memory\")",
                             generation_ + 1, found, most),
                 {recipe_.name},
                 ErrorKind::failure};
  }

  // Lessons from the window; their mean loss.
  Result<double> learn() {
    const nn::Schedule schedule = {
        recipe_.schedule.kind, static_cast<std::int64_t>(recipe_.schedule.warm_up),
        recipe_.schedule.kind == nn::ScheduleKind::step
            ? std::max<std::int64_t>(1, static_cast<std::int64_t>(recipe_.schedule.every))
            : own_.generations,
        recipe_.schedule.factor, recipe_.schedule.lowest};
    lessons_.optimiser.rate = recipe_.optimiser.rate * schedule.at(generation_);
    const auto parts = affordable_window();
    if (!parts) return parts.error();
    auto data = joined(*parts, info_of(generation_));
    if (!data) return std::move(data).error();
    Learner<T> learner(lessons_, *data, seed_, &pool_);
    auto status = nn::load_checkpoint(learner.network(), learner.optimiser(), checkpoint_,
                                      checkpoint_file().string());
    if (!status) return std::move(status).error();
    if (status = learner.windows().load(0, 0); !status) return std::move(status).error();
    const auto fresh = static_cast<double>(window_.back().rows(Split::training).count);
    const std::uint64_t all = data->rows(Split::training).count;
    const auto steps = static_cast<std::int64_t>(
        std::ceil(own_.reuse * fresh / static_cast<double>(recipe_.batch)));
    RandomStream random(seed_, "self_play.rows", static_cast<std::uint64_t>(generation_));
    std::vector<std::uint32_t> rows(static_cast<std::size_t>(recipe_.batch));
    double loss = 0;
    const auto begin = Clock::now();
    for (std::int64_t step = 0; step < steps; ++step) {
      for (std::uint32_t& row : rows) row = static_cast<std::uint32_t>(random.below(all));
      loss += learner.learn(rows);
      if (stopped()) return interruption();
    }
    const double samples = static_cast<double>(steps) * static_cast<double>(recipe_.batch);
    learning_rate_ = samples / std::max(since(begin), 1e-9);
    for (const auto* parameter : learner.network().parameters()) {
      for (std::size_t i = 0; i < parameter->count(); ++i) {
        if (!std::isfinite(parameter->value[i])) return diverged();
      }
    }
    checkpoint_ = nn::checkpoint_tensors(learner.network(), learner.optimiser(), provenance_);
    newest_ = network_copy(learner.network(), recipe_.network, 1);
    return loss / samples;
  }

  Error diverged() const {
    return {fmt::format("the weights are not finite any more in generation {}: the training "
                        "diverges; expected a lower optimiser.rate, or optimiser.clip_norm",
                        generation_ + 1),
            {recipe_.name},
            ErrorKind::failure};
  }

  Result<MatchCounts> match(const Opponent& opponent, int games) {
    const MatchRequest request = {{own_.encoder, seed_, static_cast<std::uint64_t>(generation_), 0,
                                   static_cast<std::uint64_t>(games + games % 2)}};
    return recipe_.task->self_play_match(own_.play, request, *predictor(newest_), opponent, pool_);
  }

  // The gate, and how good the network is now.
  Status measure(EpochMetrics& metrics) {
    bool passes = true;
    if (own_.gate > 0 && generation_ > 0) {
      const auto best = predictor(playing_);
      const auto counts = match({best.get(), ""}, own_.gate_games);
      if (!counts) return counts.error();
      metrics.more.emplace_back("gate_score", counts->score());
      passes = counts->score() >= own_.gate;
    }
    if (passes) playing_ = newest_;
    metrics.best = passes;
    const bool last = metrics.epoch == own_.generations;
    if (metrics.epoch % recipe_.evaluate_every != 0 && !last) return Done{};
    if (!recipe_.evaluated.empty()) {
      const auto evaluated = evaluate(newest_, recipe_.evaluated.front());
      if (!evaluated) return evaluated.error();
      const Metric* main = find_metric(*evaluated, recipe_.task->main_metric());
      if (main != nullptr) accuracy_ = metrics.accuracy = main->value;
    }
    for (const std::string& name : own_.opponents) {
      const auto counts = match({nullptr, name}, own_.match_games);
      if (!counts) return counts.error();
      metrics.more.emplace_back("score_" + name, counts->score());
    }
    const auto earlier = predictor(measured_);
    const auto counts = match({earlier.get(), ""}, own_.match_games);
    if (!counts) return counts.error();
    elo_ += elo_of(*counts);
    metrics.more.emplace_back("elo", elo_);
    measured_ = newest_;
    return Done{};
  }

  Result<std::vector<Metric>> evaluate(const Weights& weights, const std::string& set) const {
    return recipe_.task->evaluate(*predictor(weights), own_.encoder, set);
  }

  // After a whole generation: what follows needs nothing of it but these files.
  Status save() {
    if (!keeps_files()) return Done{};
    for (const auto& [name, weights] :
         {std::pair(kPlayingFile, &playing_), {kMeasuredFile, &measured_}}) {
      auto status =
          nn::write_safetensors(file(name, generation_), nn::model_tensors(**weights, provenance_));
      if (!status) return status;
    }
    nn::TensorFile checkpoint = checkpoint_;
    const Json place = {{"generation", generation_}, {"elo", std::bit_cast<std::uint64_t>(elo_)}};
    checkpoint.metadata.emplace_back(kPlaceKey, dump_line(place));
    if (auto status = nn::write_safetensors(checkpoint_file(), checkpoint); !status) {
      return status;
    }
    std::error_code ignored;
    std::filesystem::remove(games_file(generation_ - own_.window), ignored);
    std::filesystem::remove(file(kPlayingFile, generation_ - 1), ignored);
    std::filesystem::remove(file(kMeasuredFile, generation_ - 1), ignored);
    return Done{};
  }

  Result<TrainingResult> finish() {
    TrainingResult done = result(true);
    for (const std::string& set : recipe_.evaluated) {
      auto metrics = evaluate(playing_, set);
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
    done.seconds = since(begin_);
    done.samples_per_second = learning_rate_;
    return done;
  }

  const Recipe& recipe_;
  const SelfPlayRecipe& own_;
  Seed seed_;
  ThreadPool& pool_;
  const nn::Provenance& provenance_;
  const TrainingOptions& options_;
  Recipe lessons_;  // the recipe with the rate of the generation
  int generation_ = 0;
  double elo_ = 0;  // over the first network
  nn::TensorFile checkpoint_;
  Weights newest_, playing_, measured_;
  std::vector<DataSet> window_;
  bool from_file_ = false;
  double loss_ = 0, learning_rate_ = 0;  // of the last generation; samples a second
  std::optional<double> accuracy_;
  int first_ = 0;  // generation of this process
  const Clock::time_point begin_ = Clock::now();
};

}  // namespace

bool is_self_play_file(std::string_view name) {
  return std::any_of(std::begin(kFiles), std::end(kFiles),
                     [&](std::string_view kind) { return name.starts_with(kind); });
}

Result<TrainingResult> learn_by_play(const Recipe& recipe, Seed seed, ThreadPool& pool,
                                     const nn::Provenance& provenance,
                                     const TrainingOptions& options) {
  if (recipe.doubles) return Generations<double>(recipe, seed, pool, provenance, options).run();
  return Generations<float>(recipe, seed, pool, provenance, options).run();
}

}  // namespace damier::learn
