// Rewards as a source: a network plays many games at once, learns from what came of its moves, and
// plays on. A step of the source is a round of moves with the lessons that are due after it.
#pragma once

#include <bit>

#include <fmt/format.h>

#include "damier/base/numbers/stopwatch.h"
#include "damier/learn/sources/rewards/policy_lessons.h"
#include "damier/learn/sources/rewards/q_lessons.h"
#include "damier/learn/sources/source.h"
#include "damier/learn/train/play_recipe.h"

namespace damier::learn {

template <class T>
class RewardSource final : public Source<T> {
 public:
  static Result<std::unique_ptr<Source<T>>> make(Learner<T>& learner) {
    const Recipe& recipe = learner.recipe();
    const ReinforcementRecipe& own = *recipe.reinforcement;
    auto actors = TRY(Actors<T>::make(*recipe.task, recipe.network, own.encoder, recipe.augment,
                                      own.how, learner.seed(), learner.pool())
                          .in(recipe.name));
    return std::unique_ptr<Source<T>>(std::make_unique<RewardSource>(learner, std::move(actors)));
  }

  RewardSource(Learner<T>& learner, std::unique_ptr<Actors<T>> actors)
      : learner_(learner),
        recipe_(learner.recipe()),
        own_(*recipe_.reinforcement),
        experience_(experience_size(recipe_)),
        actors_(std::move(actors)) {
    learner.schedule_by_step(
        own_.how.lessons_after(rounds_in_all() * own_.how.moves_of_round(), recipe_.batch));
  }

  std::string_view encoder() const override { return own_.encoder; }

  Status begin() override {
    make_lessons();
    actors_->begin(experience_);
    return Done{};
  }

  Json place() const override {
    const auto bits = [](double number) { return std::bit_cast<std::uint64_t>(number); };
    Json place = {{"round", round_}};
    PlayFigures::each(played_, [&](const char* name, auto figure) { place[name] = figure; });
    place.update({{"lessons", bits(learnt_.lessons)},
                  {"first", bits(learnt_.first)},
                  {"second", bits(learnt_.second)}});
    return place;
  }
  Status set_place(JsonFields& fields) override {
    const auto count = [&](std::string_view key) {
      return fields.optional_unsigned(key).value_or(0);
    };
    const auto number = [&](std::string_view key) { return std::bit_cast<double>(count(key)); };
    round_ = first_round_ = count("round");
    PlayFigures::each(played_, [&](const char* name, auto& figure) { figure = count(name); });
    learnt_.lessons = number("lessons");
    learnt_.first = number("first");
    learnt_.second = number("second");
    if (round_ <= rounds_in_all()) return Done{};
    return Error{"is beyond the end of the run"};
  }
  void write(nn::TensorFile& file) const override {
    experience_.write(file);
    actors_->write(file);
    lessons_->write(file);
  }
  Status read(const nn::TensorFile& file, int) override {
    make_lessons();
    TRY(experience_.read(file, round_ * static_cast<Time>(own_.how.moves)));
    TRY(actors_->read(file));
    return lessons_->read(file);
  }
  bool owns(std::string_view tensor) const override {
    return tensor.starts_with(Experience::kPrefix) || tensor.starts_with(Actors<T>::kPrefix) ||
           tensor.starts_with(kTargetPrefix);
  }
  bool is_large() const override { return true; }

  Status fill(int epoch, const EpochWeights<T>&, const std::function<void()>&) override {
    end_ = static_cast<std::uint64_t>(epoch + 1) * own_.rounds_of_epoch();
    return Done{};
  }

  Result<std::optional<Learnt>> learn() override {
    if (round_ >= end_) return std::optional<Learnt>();
    const auto moves = static_cast<Time>(own_.how.moves);
    const Stopwatch playing;
    const auto played =
        actors_->play(learner_.network(), lessons_->choosing(done()), experience_, moves);
    if (!played) return interruption();
    add_figures(played_, *played);
    for (Time i = 0; i < moves; ++i) {
      experience_.advance();
      lessons_->advance();
    }
    const double seconds = playing.seconds();
    playing_seconds_ += seconds;
    const LessonFigures learnt = lessons_->learn(done());
    learnt_.add(learnt);
    ++round_;
    return std::optional(Learnt{learnt.loss, learnt.samples, seconds});
  }

  void end_epoch() override {
    played_ = {};
    learnt_ = {};
  }

  double share(std::uint64_t) const override {
    const std::uint64_t rounds = own_.rounds_of_epoch();
    const std::uint64_t over = round_ == end_ ? rounds : round_ % rounds;
    return round_ == 0 ? 0 : static_cast<double>(over) / static_cast<double>(rounds);
  }
  bool takes_long() const override { return true; }

  void describe(EpochMetrics& metrics) const override {
    const auto add = [&](std::string_view name, double value) {
      metrics.more.emplace_back(std::string(name), value);
    };
    if (played_.games > 0) {
      const auto games = static_cast<double>(played_.games);
      add("plies", static_cast<double>(played_.plies) / games);
      add("draws", static_cast<double>(played_.draws) / games);
      add("first_wins", static_cast<double>(played_.first_wins) / games);
      // Where there is a limit, how many of the draws it made.
      if (played_.cuts > 0) add("cut", static_cast<double>(played_.cuts) / games);
    }
    add("games", static_cast<double>(played_.games));
    if (!own_.how.draft_mask) add("illegal", static_cast<double>(played_.illegal));
    if (own_.how.epsilon.first > 0) add("epsilon", own_.how.epsilon.at(done()));
    if (learnt_.lessons > 0) {
      const auto [first, second] = lessons_->figure_names();
      if (!first.empty()) add(first, learnt_.first / learnt_.lessons);
      if (!second.empty()) add(second, learnt_.second / learnt_.lessons);
    }
    const auto moves = static_cast<double>((round_ - first_round_) * own_.how.moves_of_round());
    add("moves_per_second", playing_seconds_ > 0 ? moves / playing_seconds_ : 0);
  }

  Status play_matches(const EpochWeights<T>& now, const EpochWeights<T>&,
                      EpochMetrics& metrics) override {
    const auto network = model::predict_with<T>(now.network, kMatchBatch);
    // One simulation, of the one move that the network likes best: the network alone.
    SelfPlayOptions alone;
    alone.root.simulations = alone.root.considered = 1;
    for (const std::string& name : own_.opponents) {
      const SelfPlayGames games = {
          own_.encoder, learner_.seed(), static_cast<std::uint64_t>(now.epoch), 0,
          static_cast<std::uint64_t>(own_.match_games + own_.match_games % 2)};
      const auto counts = TRY(
          recipe_.task->self_play_match(alone, games, *network, {nullptr, name}, learner_.pool()));
      metrics.more.emplace_back("score_" + name, counts.score());
      add_match_rows(counts, fmt::format("epoch {}", now.epoch), name, now.epoch - 1,
                     metrics.games);
    }
    return Done{};
  }

 private:
  std::uint64_t rounds_in_all() const {
    return own_.rounds_of_epoch() * static_cast<std::uint64_t>(recipe_.epochs);
  }
  double done() const { return static_cast<double>(round_) / static_cast<double>(rounds_in_all()); }
  void make_lessons() {
    if (own_.how.method == ReinforcementMethod::q) {
      lessons_ = std::make_unique<QLessons<T>>(learner_, experience_);
    } else {
      lessons_ = std::make_unique<PolicyLessons<T>>(learner_, experience_);
    }
  }

  static constexpr int kMatchBatch = 256;

  Learner<T>& learner_;
  const Recipe& recipe_;
  const ReinforcementRecipe& own_;
  Experience experience_;
  std::unique_ptr<Actors<T>> actors_;
  std::unique_ptr<RewardLessons<T>> lessons_;
  std::uint64_t round_ = 0;  // that are over
  std::uint64_t end_ = 0;    // the epoch's last round
  PlayFigures played_;       // of the epoch so far
  LessonFigures learnt_;
  std::uint64_t first_round_ = 0;  // of this process
  double playing_seconds_ = 0;
};

}  // namespace damier::learn
