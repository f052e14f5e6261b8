// A domineering position as the solver keeps it, and what it knows of one without search.
//
// Each side looks at the board in its own view, where its dominoes stand upright, so that all code
// is written for Vertical and serves both.
//
// Exact knowledge of strips: two rows of a domineering board, cut off from the rest.
//
// Cutting a board between two rows takes moves from Vertical only, so the board is worth at least
// the sum of its strips to Vertical. Every strip is bounded from below by a game simple enough to
// add: a number plus a set of switches. A switch of t is a place where the side that moves there
// first gains t moves and the other loses t; two equal switches cancel, so sets of switches add by
// exclusive or.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "damier/base/numbers/bits.h"
#include "damier/games/domineering/domineering.h"

namespace damier::exact::domineering {

// Numbers are in quarters of a move.
inline constexpr int kQuarters = 4;
inline constexpr int kSwitchKinds = 5;
inline constexpr unsigned kSwitchSets = 1u << kSwitchKinds;
inline constexpr std::array<int, kSwitchKinds> kSwitches = {2, 3, 4, 5, 6};

// A sum of strips is at least `quarters` plus the switches, and at least `cold_quarters`.
struct StripSum {
  int quarters = 0;
  unsigned switches = 0;
  int cold_quarters = 0;
};

// The least number that wins for Vertical together with a set of switches, by who moves next.
class SwitchNeeds {
 public:
  SwitchNeeds();

  bool vertical_wins(const StripSum& sum, bool vertical_moves) const {
    const auto& needs = needs_[vertical_moves];
    return sum.quarters >= needs[sum.switches] || sum.cold_quarters >= needs[0];
  }

 private:
  std::array<std::array<int, kSwitchSets>, 2> needs_ = {};
};

// Bounds of all strips of one width, from Vertical's side. Rows are sets of free cells.
class StripTable {
 public:
  static constexpr int kMaxWidth =
      8;  // 4^8 strips; wider ones are taken apart where they come apart

  explicit StripTable(int width);

  // How many horizontal dominoes a row holds.
  int dominoes_in(std::uint64_t row) const {
    return wide_ ? wide_dominoes_in(row) : dominoes_[row];
  }

  struct Entry {
    std::int8_t quarters = 0;
    std::uint8_t switches = 0;
    std::int8_t cold_quarters = 0;
  };

  Entry strip(std::uint64_t upper, std::uint64_t lower) const {
    return wide_ ? wide_strip(upper, lower) : entries_[upper | lower << width_];
  }

 private:
  void solve_strips();
  static int wide_dominoes_in(std::uint64_t row);
  Entry wide_strip(std::uint64_t upper, std::uint64_t lower) const;

  int width_;  // of the table: at most kMaxWidth
  bool wide_;
  std::vector<std::uint8_t> dominoes_;
  std::vector<Entry> entries_;
};

// The table of that width, built on the first call.
const StripTable& strip_table(int width);

using games::Side;
using games::domineering::CellSet;

constexpr std::size_t slot(Side side) { return static_cast<std::size_t>(games::index(side)); }

// Dominoes that fit into lines of cells, `step` apart; `can_begin` are cells that a domino may
// begin at.
inline int packed_dominoes(CellSet cells, CellSet can_begin, int step) {
  int count = 0;
  for (;;) {
    const CellSet starts = cells & cells >> step & can_begin;
    const CellSet firsts = starts & ~(starts << step);
    if (firsts == 0) return count;
    count += bit_count(firsts);
    cells &= ~(firsts | firsts << step);
  }
}

// The board as one side sees it: rows of `width` cells, the side's own dominoes upright.
struct View {
  View(int row_count, int row_width);

  int rows;
  int width;
  int stride;         // from a cell to the one below it; 1 where there is none
  CellSet row_cells;  // the first row
  CellSet upper = 0;  // cells that have one below
  CellSet left = 0;   // cells that have one to the right
  const StripTable* strips;

  CellSet own_placements(CellSet free) const { return free & free >> stride & upper; }
  CellSet other_placements(CellSet free) const { return free & free >> 1 & left; }
  CellSet own_cells(CellSet free) const {
    const CellSet placements = own_placements(free);
    return placements | placements << stride;
  }
  CellSet other_cells(CellSet free) const {
    const CellSet placements = other_placements(free);
    return placements | placements << 1;
  }
  CellSet row(CellSet cells, int r) const { return cells >> r * width & row_cells; }
  int row_of(int cell) const { return cell / width; }
};

// A lower bound of a position for the side whose view it is, and how it came about.
struct Bound {
  StripSum sum;
  CellSet open = 0;              // the free cells without the safe dominoes, which are counted
  std::uint64_t strip_tops = 0;  // bit r: rows r and r + 1 make a strip

  void add(int quarters) {
    sum.quarters += quarters;
    sum.cold_quarters += quarters;
  }
  bool is_top(int row) const { return row >= 0 && (strip_tops >> row & 1) != 0; }
};

inline Bound lower_bound(const View& view, CellSet free) {
  Bound bound;
  bound.open = free;
  int safe = 0;
  // A domino on cells that the other side cannot use is a move in hand, whenever it is played.
  CellSet only_own = free & ~view.other_cells(free);
  if (view.own_placements(only_own) != 0) {
    for (int r = 0; r + 1 < view.rows; ++r) {
      const CellSet tops = view.row(only_own, r) & view.row(only_own, r + 1);
      if (tops == 0) continue;
      safe += bit_count(tops);
      const CellSet taken = (tops | tops << view.width) << r * view.width;
      only_own &= ~taken;
      bound.open &= ~taken;
    }
  }
  // The rest is cut into strips and single rows in the way that gives the greatest number.
  StripSum before, here;  // the sums of the rows up to the one before the last, and to the last
  CellSet last = view.row(bound.open, 0);
  here.quarters = here.cold_quarters = -kQuarters * view.strips->dominoes_in(last);
  std::uint64_t pairs_with_last = 0;  // bit r: the best cut of rows 0 to r ends with a strip
  for (int r = 1; r < view.rows; ++r) {
    const CellSet row = view.row(bound.open, r);
    const StripTable::Entry strip = view.strips->strip(last, row);
    const int single = -kQuarters * view.strips->dominoes_in(row);
    StripSum next;
    if (before.quarters + strip.quarters >= here.quarters + single) {
      next.quarters = before.quarters + strip.quarters;
      next.switches = before.switches ^ strip.switches;
      pairs_with_last |= std::uint64_t{1} << r;
    } else {
      next.quarters = here.quarters + single;
      next.switches = here.switches;
    }
    next.cold_quarters =
        std::max(before.cold_quarters + strip.cold_quarters, here.cold_quarters + single);
    before = here;
    here = next;
    last = row;
  }
  for (int r = view.rows - 1; r > 0; --r) {
    if ((pairs_with_last >> r & 1) == 0) continue;
    --r;
    bound.strip_tops |= std::uint64_t{1} << r;
  }
  here.quarters += kQuarters * safe;
  here.cold_quarters += kQuarters * safe;
  bound.sum = here;
  return bound;
}

// What follows changes a bound by one move, looking up only the strips that the move touches. Safe
// dominoes that come about by the move are not counted.

// The number and switches of a strip, or of a row that stands alone, that has row r.
inline StripSum part_of_row(const View& view, const Bound& bound, CellSet open, int r) {
  if (!bound.is_top(r) && !bound.is_top(r - 1)) {
    return {-kQuarters * view.strips->dominoes_in(view.row(open, r)), 0, 0};
  }
  const int top = bound.is_top(r) ? r : r - 1;
  const StripTable::Entry strip = view.strips->strip(view.row(open, top), view.row(open, top + 1));
  return {strip.quarters, strip.switches, 0};
}

constexpr int kRefuted = -(1 << 20);  // a cold number that never wins

// The other side, which lies flat in this view, takes two cells of a row.
inline StripSum without_flat(const View& view, const Bound& bound, CellSet taken) {
  const int r = view.row_of(lowest_bit(taken));
  const StripSum before = part_of_row(view, bound, bound.open, r);
  const StripSum now = part_of_row(view, bound, bound.open & ~taken, r);
  return {bound.sum.quarters - before.quarters + now.quarters,
          bound.sum.switches ^ before.switches ^ now.switches, kRefuted};
}

// The side whose view it is takes two cells of a column. A move on cells that are counted as safe
// is not bounded here: it gets kRefuted.
inline StripSum without_upright(const View& view, const Bound& bound, CellSet taken) {
  if ((taken & ~bound.open) != 0) return {kRefuted, 0, kRefuted};
  const int r = view.row_of(lowest_bit(taken));
  const CellSet open = bound.open & ~taken;
  StripSum sum = bound.sum;
  const auto replace_part = [&](int row) {
    const StripSum before = part_of_row(view, bound, bound.open, row);
    const StripSum now = part_of_row(view, bound, open, row);
    sum.quarters += now.quarters - before.quarters;
    sum.switches ^= before.switches ^ now.switches;
  };
  replace_part(r);
  if (!bound.is_top(r)) replace_part(r + 1);
  sum.cold_quarters = kRefuted;
  return sum;
}

}  // namespace damier::exact::domineering
