#include "damier/search/chess/score.h"

#include <algorithm>
#include <cmath>

#include "damier/base/numbers/bits.h"

namespace damier::search::chess {

using games::chess::Kind;

// Two logistic curves, one for winning and one for losing; between them lie the draws. They were
// fitted to the engine's own games at 4,000 nodes a move: the more is left on the board, the more
// can still happen.
WinDrawLoss expected_results(int score, const games::chess::State& state) {
  if (is_decided(score)) return score > 0 ? WinDrawLoss{1000, 0, 0} : WinDrawLoss{0, 0, 1000};
  const int material = bit_count(state.of(Kind::pawn)) +
                       3 * bit_count(state.of(Kind::knight) | state.of(Kind::bishop)) +
                       5 * bit_count(state.of(Kind::rook)) + 9 * bit_count(state.of(Kind::queen));
  const double share = std::clamp(material, 15, 78) / 78.0;
  const double even = 140 - 75 * share, spread = 60 + 85 * share;
  const auto chance = [&](double x) { return 1000 / (1 + std::exp((even - x) / spread)); };
  WinDrawLoss expected;
  expected.win = static_cast<int>(std::lround(chance(score)));
  expected.loss = static_cast<int>(std::lround(chance(-score)));
  expected.draw = 1000 - expected.win - expected.loss;
  return expected;
}

Line line_with_score(int score, Bound bound, const games::chess::State& root) {
  Line line;
  line.score = score;
  line.bound = bound;
  line.expected = expected_results(score, root);
  if (is_decided(score)) {
    const int moves = (decided_distance(score) + 1) / 2;
    line.mate = score > 0 ? moves : -moves;
  }
  return line;
}

}  // namespace damier::search::chess
