#include "damier/model/domineering/frame.h"

#include <algorithm>
#include <cassert>

#include "damier/base/numbers/bits.h"

namespace damier::model::domineering {

namespace {

constexpr CellSet kAllButLastColumn = 0x7F7F7F7F7F7F7F7Fu;

// Dominoes that fit into lines of cells, `step` apart; `can_begin` are cells that a domino may
// begin at.
int packed_dominoes(CellSet cells, CellSet can_begin, int step) {
  int count = 0;
  for (;;) {
    const CellSet starts = cells & cells >> step & can_begin;
    const CellSet firsts = starts & ~(starts << step);
    if (firsts == 0) return count;
    count += bit_count(firsts);
    cells &= ~(firsts | firsts << step);
  }
}

}  // namespace

bool fits_frame(const Domineering& game) { return game.rows() <= kFrame && game.cols() <= kFrame; }

int framed_square(const Domineering& game, games::Side side, int cell) {
  const int row = cell / game.cols(), col = cell % game.cols();
  return side == games::Side::second ? kFrame * col + row : kFrame * row + col;
}

CellSet framed(const Domineering& game, const State& state) {
  CellSet cells = 0;
  for (CellSet left = state.free; left != 0; left &= left - 1) {
    cells |= CellSet{1} << framed_square(game, state.side, lowest_bit(left));
  }
  return cells;
}

int framed_cell(const Domineering& game, Move move) {
  return framed_square(game, side_of(move), cell_of(move));
}

void write_planes(CellSet free, std::span<float> planes) {
  assert(std::ssize(planes) == kFramePlanes * kFrameCells);
  const CellSet own = free & free >> kFrame, other = free & free >> 1 & kAllButLastColumn;
  const CellSet own_cells = own | own << kFrame, other_cells = other | other << 1;
  const CellSet only_own = own_cells & ~other_cells, only_other = other_cells & ~own_cells;
  float* out = planes.data();
  for (const CellSet plane : {free, own, other, only_own, only_other}) {
    for (int cell = 0; cell < kFrameCells; ++cell) {
      *out++ = static_cast<float>(plane >> cell & 1);
    }
  }
  const int safe = packed_dominoes(only_own, ~CellSet{0}, kFrame) -
                   packed_dominoes(only_other, kAllButLastColumn, 1);
  const int places = bit_count(own) - bit_count(other);
  out = std::fill_n(out, kFrameCells, static_cast<float>(safe) / 8.0f);
  std::fill_n(out, kFrameCells, static_cast<float>(places) / 32.0f);
}

}  // namespace damier::model::domineering
