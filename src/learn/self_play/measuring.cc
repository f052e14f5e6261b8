#include "damier/learn/self_play/measuring.h"

#include <cmath>

namespace damier::learn {

namespace {

// The Elo difference of a share of points; half a point more and less keeps it finite.
double elo_of_match(const MatchCounts& counts) {
  const double games = static_cast<double>(counts.games());
  const double share = (counts.score() * games + 0.5) / (games + 1);
  return 400 * std::log10(share / (1 - share));
}

}  // namespace

Measuring::Measuring(const Recipe& recipe, Seed seed, ThreadPool& pool)
    : recipe_(recipe), own_(*recipe.self_play), seed_(seed), pool_(pool) {}

Result<MatchCounts> Measuring::match(int generation, const Predictor& newest,
                                     const Opponent& opponent, int games) const {
  const MatchRequest request = {{own_.encoder, seed_, static_cast<std::uint64_t>(generation), 0,
                                 static_cast<std::uint64_t>(games + games % 2)}};
  return recipe_.task->self_play_match(own_.play, request, newest, opponent, pool_);
}

Result<bool> Measuring::passes_gate(int generation, const Predictor& newest, const Predictor& best,
                                    EpochMetrics& metrics) const {
  if (own_.gate <= 0 || generation == 0) return true;
  const auto counts = match(generation, newest, {&best, ""}, own_.gate_games);
  if (!counts) return counts.error();
  metrics.more.emplace_back("gate_score", counts->score());
  return counts->score() >= own_.gate;
}

bool Measuring::is_due(int generation) const {
  return (generation + 1) % recipe_.evaluate_every == 0 || generation + 1 == own_.generations;
}

Status Measuring::measure(int generation, Predictor& newest, const Predictor& measured_before,
                          EpochMetrics& metrics) {
  if (!recipe_.evaluated.empty()) {
    const auto evaluated = recipe_.task->evaluate(newest, own_.encoder, recipe_.evaluated.front());
    if (!evaluated) return evaluated.error();
    const Metric* main = find_metric(*evaluated, recipe_.task->main_metric());
    if (main != nullptr) metrics.accuracy = main->value;
  }
  for (const std::string& name : own_.opponents) {
    const auto counts = match(generation, newest, {nullptr, name}, own_.match_games);
    if (!counts) return counts.error();
    metrics.more.emplace_back("score_" + name, counts->score());
  }
  const auto counts = match(generation, newest, {&measured_before, ""}, own_.match_games);
  if (!counts) return counts.error();
  elo_ += elo_of_match(*counts);
  metrics.more.emplace_back("elo", elo_);
  return Done{};
}

}  // namespace damier::learn
