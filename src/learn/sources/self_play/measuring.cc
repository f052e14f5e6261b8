#include "damier/learn/sources/self_play/measuring.h"

#include <fmt/format.h>

#include "damier/base/text/text.h"
#include "damier/games/outcome.h"

namespace damier::learn {

namespace {

// What a network is called after so many generations.
std::string name_after(int generations) { return fmt::format("generation {}", generations); }

}  // namespace

void add_match_rows(const MatchCounts& match, const std::string& network,
                    const std::string& opponent, int counted, std::vector<GameRow>& rows) {
  constexpr std::int64_t kMaxAtOnce = 1'000'000;
  for (const MatchedGame& game : match.played) {
    GameRow row;
    row.number = counted * kMaxAtOnce + std::ssize(rows);
    row.pair = row.number / 2;
    row.first = game.network_first ? network : opponent;
    row.second = game.network_first ? opponent : network;
    row.outcome = games::outcome_word(game.outcome);
    row.plies = std::ssize(game.moves);
    row.moves = join(game.moves, " ");
    rows.push_back(std::move(row));
  }
}

Measuring::Measuring(const SharedGames& games, const DataSet* judge)
    : games_(games), recipe_(games.recipe()), own_(*recipe_.self_play), judge_(judge) {}

Result<bool> Measuring::passes_gate(int generation, const PlayingNetwork& newest,
                                    const PlayingNetwork& best, EpochMetrics& metrics) const {
  if (own_.gate <= 0 || generation == 0) return true;
  const auto counts = games_.match(generation, newest, best, own_.gate_games);
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

Status Measuring::measure(int generation, const PlayingNetwork& newest,
                          const PlayingNetwork& measured_before, EpochMetrics& metrics) {
  if (!recipe_.evaluated.empty()) {
    const auto evaluated = evaluate_set(*recipe_.task, *newest.predictor, own_.encoder,
                                        recipe_.evaluated.front(), judge_);
    if (!evaluated) return evaluated.error();
    const Metric* main = find_metric(*evaluated, recipe_.task->main_metric());
    if (main != nullptr) metrics.accuracy = main->value;
  }
  const std::string newest_name = name_after(generation + 1);
  for (const std::string& name : own_.opponents) {
    const auto counts = games_.match(generation, newest, name, own_.match_games);
    if (!counts) return counts.error();
    metrics.more.emplace_back("score_" + name, counts->score());
    add_match_rows(*counts, newest_name, name, generation, metrics.games);
  }
  const auto counts = games_.match(generation, newest, measured_before, own_.match_games);
  if (!counts) return counts.error();
  add_match_rows(*counts, newest_name, name_after(last_due_before(generation)), generation,
                 metrics.games);
  return Done{};
}

}  // namespace damier::learn
