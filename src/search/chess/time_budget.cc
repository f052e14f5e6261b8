#include "damier/search/chess/time_budget.h"

#include <algorithm>

namespace damier::search::chess {

namespace {

double seconds(Milliseconds time) { return static_cast<double>(time.count()) / 1000; }

}  // namespace

TimeBudget time_budget(const SearchLimits& limits, Milliseconds overhead) {
  TimeBudget budget;
  if (limits.move_time.count() > 0) {
    budget.hard = seconds(limits.move_time);
  }
  if (limits.clock) {
    const double increment = seconds(limits.clock->increment);
    const double left = std::max(seconds(limits.clock->left) - seconds(overhead), 0.001);
    double usual, most;
    if (limits.moves_to_go > 0) {
      const int moves = std::min(limits.moves_to_go, 40);
      usual = left / moves + 0.7 * increment;
      most = moves == 1 ? 0.8 * left : std::min(0.6 * left, 4.5 * usual);
      if (moves == 1) usual = most;
    } else {
      usual = left / 24 + 0.75 * increment;
      most = std::min(0.45 * left, 4.5 * usual);
    }
    // Whatever comes in after the move is not there yet.
    most = std::min(most, 0.8 * left);
    budget.soft = std::min(usual, most);
    budget.hard = budget.hard ? std::min(*budget.hard, most) : most;
  }
  return budget;
}

double soft_time_factor(const Stability& stability) {
  const double settled = 1.35 - 0.08 * std::min(stability.depths_unchanged, 8);
  const double falling = std::clamp(1.0 + stability.score_drop / 80.0, 0.85, 1.6);
  const double spread = std::clamp(1.7 - 1.2 * stability.share_of_best, 0.6, 1.5);
  return settled * falling * spread;
}

}  // namespace damier::search::chess
