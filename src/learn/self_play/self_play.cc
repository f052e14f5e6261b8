#include "damier/learn/self_play/self_play.h"

namespace damier::learn {

void SelfPlayFigures::add(const SelfPlayFigures& other) {
  games += other.games;
  positions += other.positions;
  first_wins += other.first_wins;
  second_wins += other.second_wins;
  draws += other.draws;
  simulations += other.simulations;
  evaluations += other.evaluations;
  cached += other.cached;
  certain += other.certain;
  passes += other.passes;
  resigned += other.resigned;
  resignations_checked += other.resignations_checked;
  resignations_wrong += other.resignations_wrong;
}

MatchCounts match_counts(std::vector<MatchedGame> played) {
  MatchCounts counts;
  for (const MatchedGame& game : played) {
    const bool first_wins = game.outcome == games::Outcome::first_wins;
    if (game.outcome == games::Outcome::draw) {
      ++counts.draws;
    } else {
      ++(first_wins == game.network_first ? counts.wins : counts.losses);
    }
  }
  counts.played = std::move(played);
  return counts;
}

double MatchCounts::score() const {
  if (games() == 0) return 0.5;
  const auto points = static_cast<double>(wins) + static_cast<double>(draws) / 2;
  return points / static_cast<double>(games());
}

std::vector<Column> self_play_columns(std::uint64_t inputs, std::uint64_t actions) {
  using nn::DType;
  return {{"input", DType::f32, inputs},
          {"moves", DType::f32, actions},
          {"legal", DType::u8, actions},
          {"value", DType::f32, 1},
          {std::string(kGroupColumn), DType::i64, 1}};
}

}  // namespace damier::learn
