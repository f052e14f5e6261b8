#include "damier/games/minesweeper/random_play.h"

#include <cassert>

namespace damier::games::minesweeper {

Move random_opening(const Minesweeper& game, const State& state, RandomStream& random) {
  const auto covered = [&](int row) {
    const auto at = static_cast<std::size_t>(row);
    return ~(state.open[at] | state.flags[at]) & (~Row{0} >> (kMaxSide - game.cols()));
  };
  const auto move_at = [](int cell) { return Move{Act::open, static_cast<std::uint16_t>(cell)}; };
  // While many cells are masked, a few tries find one.
  constexpr int kTries = 8;
  for (int i = 0; i < kTries; ++i) {
    const int cell = static_cast<int>(random.below(static_cast<std::uint64_t>(game.cells())));
    if (covered(cell / game.cols()) >> (cell % game.cols()) & 1) return move_at(cell);
  }
  std::uint64_t total = 0;
  for (int row = 0; row < game.rows(); ++row) {
    total += static_cast<std::uint64_t>(bit_count(covered(row)));
  }
  assert(total > 0);
  std::uint64_t rank = random.below(total);
  for (int row = 0; row < game.rows(); ++row) {
    Row rest = covered(row);
    const auto here = static_cast<std::uint64_t>(bit_count(rest));
    if (rank >= here) {
      rank -= here;
      continue;
    }
    for (; rank > 0; --rank) rest &= rest - 1;
    return move_at(row * game.cols() + lowest_bit(rest));
  }
  return {};
}

}  // namespace damier::games::minesweeper
