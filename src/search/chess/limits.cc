#include "damier/search/chess/limits.h"

#include <algorithm>
#include <cmath>

#include "damier/base/numbers/random.h"

namespace damier::search::chess {

namespace {

double seconds(Milliseconds time) { return static_cast<double>(time.count()) / 1000; }

}  // namespace

TimeBudget time_budget(const SearchLimits& limits, Milliseconds overhead) {
  TimeBudget budget;
  if (limits.move_time.count() > 0) budget.hard = seconds(limits.move_time);
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

Handicap handicap_of(std::optional<int> elo) {
  if (!elo) return {};
  const double strength = std::clamp(*elo, kMinElo, kMaxElo);
  // Twice the nodes are worth about a hundred points in this range.
  return {.nodes = static_cast<std::uint64_t>(200 * std::pow(2.0, (strength - kMinElo) / 175)),
          .lines = 6,
          .noise = 180 * std::pow(0.5, (strength - kMinElo) / 350)};
}

void choose_weaker(std::vector<Line>& lines, const Handicap& handicap, const State& root) {
  if (handicap.noise <= 0 || lines.size() < 2) return;
  RandomStream random(Seed{root.hash}, "chess.handicap", root.move_number);
  std::size_t chosen = 0;
  double most = -1e9;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    // The difference of two exponential draws: mostly small, sometimes a blunder.
    const double misjudged =
        handicap.noise * (std::log(1 - random.uniform()) - std::log(1 - random.uniform()));
    const double seen = lines[i].score + misjudged;
    if (seen > most) {
      most = seen;
      chosen = i;
    }
  }
  const auto at = lines.begin() + static_cast<std::ptrdiff_t>(chosen);
  std::rotate(lines.begin(), at, at + 1);
}

}  // namespace damier::search::chess
