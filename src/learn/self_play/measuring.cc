#include "damier/learn/self_play/measuring.h"

#include <fmt/format.h>

#include "damier/base/text.h"

namespace damier::learn {

namespace {

// What a network is called after so many generations.
std::string name_after(int generations) { return fmt::format("generation {}", generations); }

std::string_view outcome_word(games::Outcome outcome) {
  return outcome == games::Outcome::draw         ? "draw"
         : outcome == games::Outcome::first_wins ? "first"
                                                 : "second";
}

// The games of a match, numbered after those that are there.
void add_rows(const MatchCounts& match, const std::string& network, const std::string& opponent,
              int generation, std::vector<GameRow>& rows) {
  constexpr std::int64_t kMostOfAGeneration = 1'000'000;
  for (const MatchedGame& game : match.played) {
    GameRow row;
    row.number = generation * kMostOfAGeneration + std::ssize(rows);
    row.pair = row.number / 2;
    row.first = game.network_first ? network : opponent;
    row.second = game.network_first ? opponent : network;
    row.outcome = outcome_word(game.outcome);
    row.plies = std::ssize(game.moves);
    row.moves = join(game.moves, " ");
    rows.push_back(std::move(row));
  }
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

int Measuring::last_due_before(int generation) const {
  while (generation > 0 && !is_due(generation - 1)) --generation;
  return generation;
}

Status Measuring::measure(int generation, Predictor& newest, const Predictor& measured_before,
                          EpochMetrics& metrics) {
  if (!recipe_.evaluated.empty()) {
    const auto evaluated = recipe_.task->evaluate(newest, own_.encoder, recipe_.evaluated.front());
    if (!evaluated) return evaluated.error();
    const Metric* main = find_metric(*evaluated, recipe_.task->main_metric());
    if (main != nullptr) metrics.accuracy = main->value;
  }
  const std::string newest_name = name_after(generation + 1);
  for (const std::string& name : own_.opponents) {
    const auto counts = match(generation, newest, {nullptr, name}, own_.match_games);
    if (!counts) return counts.error();
    metrics.more.emplace_back("score_" + name, counts->score());
    add_rows(*counts, newest_name, name, generation, metrics.games);
  }
  const auto counts = match(generation, newest, {&measured_before, ""}, own_.match_games);
  if (!counts) return counts.error();
  add_rows(*counts, newest_name, name_after(last_due_before(generation)), generation,
           metrics.games);
  return Done{};
}

}  // namespace damier::learn
