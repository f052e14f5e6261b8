// What a search may spend: how long it may think, and how it plays weaker on purpose, so that
// people can win, with fewer nodes and now and then a move that is only nearly the best.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "damier/search/chess/engine.h"

namespace damier::search::chess {

// A time after which no new depth is begun, and one that a search never goes beyond.
struct TimeBudget {
  // In seconds; none: no limit.
  std::optional<double> soft;
  std::optional<double> hard;
};

TimeBudget time_budget(const SearchLimits& limits, Milliseconds overhead);

// What the last depths say about how settled the choice is; a factor for the soft time.
struct Stability {
  int depths_unchanged = 0;    // with the same best move
  int score_drop = 0;          // since the depth before, in hundredths of a pawn
  double share_of_best = 0.5;  // of all nodes that went into the best move
};
double soft_time_factor(const Stability& stability);

inline constexpr int kMinElo = 600;
inline constexpr int kMaxElo = 2700;

struct Handicap {
  std::uint64_t nodes = 0;  // at most; 0: no limit
  int lines = 1;            // to choose from
  double noise = 0;         // hundredths of a pawn: how far the score of a move is misjudged
};

// None for a player that is not limited.
Handicap handicap_of(std::optional<int> elo);

// Puts the move first that a player with this handicap takes for the best. The same position and
// lines always give the same choice.
void choose_weaker(std::vector<Line>& lines, const Handicap& handicap, const State& root);

}  // namespace damier::search::chess
