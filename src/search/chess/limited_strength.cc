#include "damier/search/chess/limited_strength.h"

#include <algorithm>
#include <cmath>

#include "damier/base/numbers/random.h"

namespace damier::search::chess {

Handicap handicap_of(std::optional<int> elo) {
  if (!elo) return {};
  const double strength = std::clamp(*elo, kMinElo, kMaxElo);
  Handicap handicap;
  // Twice the nodes are worth about a hundred points in this range.
  handicap.nodes = static_cast<std::uint64_t>(200 * std::pow(2.0, (strength - kMinElo) / 175));
  handicap.lines = 6;
  handicap.noise = 180 * std::pow(0.5, (strength - kMinElo) / 350);
  return handicap;
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
  std::rotate(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(chosen),
              lines.begin() + static_cast<std::ptrdiff_t>(chosen) + 1);
}

}  // namespace damier::search::chess
