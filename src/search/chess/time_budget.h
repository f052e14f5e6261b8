// How long a search may think: a time after which no new depth is begun, and one that it never goes
// beyond.
#pragma once

#include <chrono>
#include <optional>

#include "damier/search/chess/engine.h"

namespace damier::search::chess {

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

}  // namespace damier::search::chess
