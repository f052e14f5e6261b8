// What a search answers: every legal move with what was found out about it, and the best one.
//
// Values, scores and proofs of a move are those of the side that plays it.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "damier/games/game.h"
#include "damier/games/verdict.h"

namespace damier::search {

// How much a search may spend; 0: no limit. For searches that grow a tree a node is a simulation.
struct Budget {
  std::uint64_t nodes = 0;
  double seconds = 0;

  bool limited() const { return nodes > 0 || seconds > 0; }
};

// What is certain.
using Verdict = games::Verdict;
using games::opposite;

// A certain result as an expected one; 0 where nothing is certain.
constexpr double value_of(Verdict proof) {
  return proof == Verdict::win ? 1.0 : proof == Verdict::loss ? -1.0 : 0.0;
}

// The result of a finished game for `side`.
constexpr Verdict proof_of(games::Outcome outcome, games::Side side) {
  if (outcome == games::Outcome::ongoing) return Verdict::unknown;
  if (outcome == games::Outcome::draw) return Verdict::draw;
  return outcome == games::win_of(side) ? Verdict::win : Verdict::loss;
}

template <class Move>
struct MoveReport {
  Move move;
  double value = 0;  // expected result, -1 to 1; a bound where only a bound is known
  std::optional<int> score =
      {};  // alpha-beta: hundredths of the heuristic's unit, where exactly known
  std::uint64_t visits = 0;
  std::optional<double> prior = {};
  Verdict proof = Verdict::unknown;
  int distance = -1;  // plies to the end, this move included; -1: unknown
};

template <class Move>
struct Report {
  std::vector<MoveReport<Move>> moves;  // all legal moves in the game's order; none: it is over
  std::size_t best = 0;
  std::vector<Move> line;  // the best line, from the best move on
  std::uint64_t nodes = 0;
  double seconds = 0;
  int depth = 0;

  const MoveReport<Move>& best_move() const { return moves[best]; }
};

// Scores of searches that count in hundredths. A win n plies ahead is kWinScore - n, so that short
// wins and long losses are preferred; what a heuristic says stays within games::kHeuristicLimit.
inline constexpr int kWinScore = 30'000;

constexpr bool is_decided(int score) {
  return score > games::kHeuristicLimit || score < -games::kHeuristicLimit;
}
constexpr Verdict decided(int score) {
  if (!is_decided(score)) return Verdict::unknown;
  return score > 0 ? Verdict::win : Verdict::loss;
}
constexpr int decided_distance(int score) { return kWinScore - (score < 0 ? -score : score); }

// The expected result that goes with a score: the logistic curve that chess engines use.
inline double expected_result(int score) {
  return is_decided(score) ? value_of(decided(score)) : std::tanh(score / 800.0);
}

}  // namespace damier::search
