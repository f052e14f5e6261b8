// Scores of searches that count in hundredths. A win n plies ahead is kWinScore - n, so that short
// wins and long losses are preferred; what a heuristic says stays within games::kHeuristicLimit.
#pragma once

#include <cmath>

#include "damier/games/game.h"
#include "damier/games/known.h"

namespace damier::search {

inline constexpr int kWinScore = 30'000;

constexpr bool is_decided(int score) {
  return score > games::kHeuristicLimit || score < -games::kHeuristicLimit;
}
constexpr int decided_distance(int score) { return kWinScore - (score < 0 ? -score : score); }
// Of a score that is decided.
constexpr games::Known decided(int score) {
  return {score > 0 ? games::Verdict::win : games::Verdict::loss, decided_distance(score)};
}

// The expected result that goes with a score: the logistic curve that chess engines use.
inline double expected_result(int score) {
  return is_decided(score) ? value_of(decided(score).verdict) : std::tanh(score / 800.0);
}

}  // namespace damier::search
