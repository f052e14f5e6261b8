// Minesweeper's symmetries and network input.

#include <algorithm>
#include <cassert>

#include "damier/games/minesweeper/minesweeper.h"

namespace damier::games::minesweeper {

namespace {

constexpr auto kSymmetries = board_symmetries(false);

}  // namespace

std::span<const Symmetry> Minesweeper::symmetries(const State& state) const {
  // Before the first opening the bombs are still a seed, which has no mirror image.
  if (!state.dealt) return std::span(kSymmetries).first(1);
  return std::span(kSymmetries).first(rows_ == cols_ ? 8 : 4);
}

State Minesweeper::transformed(const State& state, Symmetry symmetry) const {
  State out = deal(state.seed);
  out.dealt = state.dealt;
  out.lost = state.lost;
  for (int row = 0; row < rows_; ++row) {
    for (int col = 0; col < cols_; ++col) {
      const Cell2 to = symmetry.apply({row, col}, rows_, cols_);
      const auto copy = [&](const Grid& from, Grid& target) {
        if (bit(from, row, col)) target[static_cast<std::size_t>(to.row)] |= Row{1} << to.col;
      };
      copy(state.bombs, out.bombs);
      copy(state.open, out.open);
      copy(state.flags, out.flags);
    }
  }
  return out;
}

Move Minesweeper::transformed(Move move, Symmetry symmetry) const {
  const Cell2 to = symmetry.apply({move.cell / cols_, move.cell % cols_}, rows_, cols_);
  return {move.act, static_cast<std::uint16_t>(to.row * cols_ + to.col)};
}

void Minesweeper::write_features(const State& state, std::span<float> out) const {
  assert(std::ssize(out) == feature_shape().size());
  std::fill(out.begin(), out.end(), 0.0f);
  const Observation view = observe(state);
  for (std::size_t cell = 0; cell < view.cells.size(); ++cell) {
    const Code code = view.cells[cell];
    const int plane = is_number(code) ? static_cast<int>(code) : code == Code::flag ? 10 : 9;
    out[static_cast<std::size_t>(plane * cells()) + cell] = 1.0f;
  }
}

}  // namespace damier::games::minesweeper
