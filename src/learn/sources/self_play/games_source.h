// Self-play as a source: an epoch is a generation, which begins with games of the network that was
// kept, and then takes steps on random positions of the last few generations' games.
#pragma once

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "damier/base/numbers/stopwatch.h"
#include "damier/learn/sources/row_lessons.h"
#include "damier/learn/sources/self_play/shared_games.h"
#include "damier/learn/sources/self_play/window.h"
#include "damier/learn/sources/source.h"

namespace damier::learn {

template <class T>
class GamesSource final : public Source<T> {
 public:
  // The games of generations that are still learnt from are kept in `folder`, for a run that goes
  // on; an empty name keeps none. All must outlive the source.
  static Result<std::unique_ptr<Source<T>>> make(Learner<T>& learner, Ranks& ranks,
                                                 const std::filesystem::path& folder) {
    const Recipe& recipe = learner.recipe();
    auto columns = TRY(recipe.task->self_play_columns(recipe.self_play->encoder));
    return std::unique_ptr<Source<T>>(
        std::make_unique<GamesSource>(learner, ranks, folder, std::move(columns)));
  }

  GamesSource(Learner<T>& learner, Ranks& ranks, const std::filesystem::path& folder,
              std::vector<Column> columns)
      : learner_(learner),
        recipe_(learner.recipe()),
        own_(*recipe_.self_play),
        folder_(folder),
        columns_(std::move(columns)),
        games_(recipe_, learner.seed(), learner.pool(), ranks),
        window_(own_.window, recipe_.memory_mb << 20),
        lessons_(learner, columns_, own_.encoder),
        random_(learner.seed(), "self_play.rows", 0) {}

  std::string_view encoder() const override { return own_.encoder; }

  Json place() const override { return {{"step", step_}}; }
  Status set_place(JsonFields& fields) override {
    step_ = fields.integer("step", 0, std::int64_t{1} << 40);
    return Done{};
  }
  // The games of the generations before, which are still learnt from.
  Status read(const nn::TensorFile&, int epoch) override {
    for (int one = std::max(0, epoch - own_.window + 1); one < epoch; ++one) {
      const auto games = TRY(DataSet::open(games_file(one)));
      TRY(add_to_window(games, one));
    }
    return Done{};
  }

  Status fill(int epoch, const EpochWeights<T>& kept, const std::function<void()>& tell) override {
    epoch_ = epoch;
    const Stopwatch watch;
    simulations_per_second_.reset();
    auto games = TRY(games_of_generation(kept, tell));
    figures_ = games.figures;
    if (simulations_ > 0) simulations_per_second_ = simulations_ / watch.seconds();
    TRY(add_to_window(games.rows, epoch));
    learner_.schedule_by_epoch(epoch);
    const double fresh = static_cast<double>(window_.newest_rows());
    steps_ = static_cast<std::int64_t>(std::ceil(own_.reuse * fresh / recipe_.batch));
    random_ = RandomStream(learner_.seed(), "self_play.rows", static_cast<std::uint64_t>(epoch));
    rows_.resize(static_cast<std::size_t>(recipe_.batch));
    bytes_.clear();
    for (const int column : lessons_.columns()) bytes_.push_back(window_.bytes(column));
    for (std::int64_t done = 0; done < step_; ++done) draw_rows();
    return Done{};
  }

  Result<std::optional<Learnt>> learn() override {
    if (step_ >= steps_) return std::optional<Learnt>();
    draw_rows();
    ++step_;
    return std::optional(Learnt{lessons_.learn(bytes_, rows_), rows_.size()});
  }

  void end_epoch() override {
    step_ = 0;
    if (folder_.empty()) return;
    std::error_code ignored;
    // Not yet those that the last checkpoint needs.
    std::filesystem::remove(games_file(epoch_ - own_.window), ignored);
  }

  // What takes long are the games.
  double share(std::uint64_t) const override {
    return static_cast<double>(played_) / static_cast<double>(own_.games);
  }
  double loading_share() const override { return lessons_.loading_share(); }

  void describe(EpochMetrics& metrics) const override {
    metrics.generation = true;
    const auto add = [&](std::string name, std::uint64_t part, std::uint64_t whole) {
      metrics.more.emplace_back(std::move(name),
                                static_cast<double>(part) / static_cast<double>(whole));
    };
    add("plies", figures_.positions, figures_.games);
    add("draws", figures_.draws, figures_.games);
    add("first_wins", figures_.first_wins, figures_.games);
    if (figures_.resignations_checked > 0) {
      add("wrong_resignations", figures_.resignations_wrong, figures_.resignations_checked);
    }
    if (simulations_per_second_) {
      metrics.more.emplace_back("simulations_per_second", *simulations_per_second_);
    }
  }
  void describe(TrainingProgress& progress) const override {
    progress.games = played_;
    progress.games_in_all = static_cast<std::uint64_t>(own_.games);
    progress.simulations_per_second = simulations_ / std::max(playing_.seconds(), 1e-9);
  }

  bool plays() const override { return true; }

  Result<bool> passes_gate(const EpochWeights<T>& now, const EpochWeights<T>& kept,
                           EpochMetrics& metrics) override {
    if (own_.gate <= 0 || epoch_ == 0) return true;
    const PlayingNetwork opponent = player(kept);
    const auto counts = TRY(games_.match(epoch_, player(now), &opponent, "", own_.gate_games));
    metrics.more.emplace_back("gate_score", counts.score());
    return counts.score() >= own_.gate;
  }

  Status play_matches(const EpochWeights<T>& now, const EpochWeights<T>& before,
                      EpochMetrics& metrics) override {
    const PlayingNetwork newest = player(now);
    const std::string name = name_after(now.epoch);
    for (const std::string& opponent : own_.opponents) {
      const auto counts = TRY(games_.match(epoch_, newest, nullptr, opponent, own_.match_games));
      metrics.more.emplace_back("score_" + opponent, counts.score());
      add_match_rows(counts, name, opponent, epoch_, metrics.games);
    }
    const PlayingNetwork older = player(before);
    const auto counts = TRY(games_.match(epoch_, newest, &older, "", own_.match_games));
    add_match_rows(counts, name, name_after(before.epoch), epoch_, metrics.games);
    return Done{};
  }

 private:
  static std::string name_after(int generations) {
    return fmt::format("generation {}", generations);
  }

  PlayingNetwork player(const EpochWeights<T>& weights) const {
    return playing_network<T>(recipe_, weights.network);
  }

  std::filesystem::path games_file(int generation) const {
    return folder_ / fmt::format("{}{}.safetensors", kGamesFile, generation);
  }

  Status add_to_window(const DataSet& games, int generation) {
    auto status = window_.add(games);
    if (status || status.error().where.known()) return status;
    return Error{fmt::format("generation {}: {}", generation + 1, status.error().message),
                 {recipe_.name},
                 ErrorKind::failure};
  }

  // Those in the folder, where a run was stopped after it had played them; or new ones.
  Result<GenerationGames> games_of_generation(const EpochWeights<T>& kept,
                                              const std::function<void()>& tell) {
    const Json info = {{"task", std::string(recipe_.task->name())},
                       {"game", std::string(recipe_.task->game())},
                       {"encoder", own_.encoder},
                       {"generation", epoch_},
                       {"recipe", recipe_.hash()},
                       {"seed", std::to_string(value_of(learner_.seed()))}};
    played_ = 0;
    simulations_ = 0;
    if (!folder_.empty()) {
      if (auto found = kept_games(games_file(epoch_), info)) {
        played_ = found->figures.games;
        return *std::move(found);
      }
    }
    playing_ = {};
    MemoryRows rows(columns_);
    const auto hear = [&](std::uint64_t over, std::uint64_t simulations) {
      played_ = over;
      simulations_ = static_cast<double>(simulations);
      tell();
    };
    const auto figures = TRY(games_.play(epoch_, player(kept), rows, hear));
    GenerationGames games = {rows.finish(info), figures};
    if (!folder_.empty()) TRY(write_games(games_file(epoch_), games, info));
    return games;
  }

  void draw_rows() {
    for (std::uint32_t& row : rows_)
      row = static_cast<std::uint32_t>(random_.below(window_.rows()));
  }

  Learner<T>& learner_;
  const Recipe& recipe_;
  const SelfPlayRecipe& own_;
  std::filesystem::path folder_;
  std::vector<Column> columns_;
  SharedGames games_;
  GamesWindow window_;
  RowLessons<T> lessons_;
  // Of the generation.
  int epoch_ = 0;
  SelfPlayFigures figures_;
  std::int64_t step_ = 0, steps_ = 0;
  RandomStream random_;
  std::vector<std::uint32_t> rows_;      // of a step
  std::vector<const std::byte*> bytes_;  // of the window's columns
  std::uint64_t played_ = 0;             // games
  double simulations_ = 0;               // in games of this process
  Stopwatch playing_;
  std::optional<double> simulations_per_second_;
};

}  // namespace damier::learn
