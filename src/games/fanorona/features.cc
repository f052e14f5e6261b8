// Fanoron-telo's symmetries and network input.

#include <algorithm>
#include <cassert>

#include "damier/games/fanorona/fanorona.h"

namespace damier::games::fanorona {

namespace {

// The 8 symmetries of the square, then the same with the colours exchanged.
constexpr std::array<Symmetry, 16> make_symmetries() {
  std::array<Symmetry, 16> all = {};
  const auto square = board_symmetries(false);
  for (std::size_t i = 0; i < 8; ++i) {
    all[i] = all[i + 8] = square[i];
    all[i + 8].swap_sides = true;
  }
  return all;
}

constexpr auto kSymmetries = make_symmetries();

int transformed_point(int point, Symmetry symmetry) {
  const Cell2 to = symmetry.apply({point / 3, point % 3}, 3, 3);
  return 3 * to.row + to.col;
}

PointSet transformed_set(PointSet set, Symmetry symmetry) {
  PointSet out = 0;
  for (int point = 0; point < kPoints; ++point) {
    if (set & point_bit(point)) out |= point_bit(transformed_point(point, symmetry));
  }
  return out;
}

}  // namespace

std::span<const Symmetry> Fanorona::symmetries(const State&) const { return kSymmetries; }

State Fanorona::transformed(const State& state, Symmetry symmetry) const {
  State out{
      {transformed_set(state.pieces[0], symmetry), transformed_set(state.pieces[1], symmetry)},
      transformed_set(state.moved, symmetry),
      state.side};
  if (symmetry.swap_sides) {
    std::swap(out.pieces[0], out.pieces[1]);
    out.side = opponent(out.side);
  }
  return out;
}

Move Fanorona::transformed(Move move, Symmetry symmetry) const {
  return make_move(transformed_point(from_of(move), symmetry),
                   transformed_point(to_of(move), symmetry));
}

void Fanorona::write_features(const State& state, std::span<float> out) const {
  assert(out.size() == 46);
  std::fill(out.begin(), out.end(), 0.0f);
  for (int point = 0; point < kPoints; ++point) {
    const unsigned bit = point_bit(point);
    const std::size_t step = (state.moved & bit) ? 2 : 1;
    const std::size_t slot = (state.pieces[0] & bit)   ? 2 + step
                             : (state.pieces[1] & bit) ? 2 - step
                                                       : 2;
    out[5 * static_cast<std::size_t>(point) + slot] = 1.0f;
  }
  out[45] = state.side == Side::first ? 1.0f : -1.0f;
}

}  // namespace damier::games::fanorona
