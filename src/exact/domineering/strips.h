// Exact knowledge of strips: two rows of a domineering board, cut off from the rest.
//
// Cutting a board between two rows takes moves from Vertical only, so the board is worth at least
// the sum of its strips to Vertical. Every strip is bounded from below by a game simple enough to
// add: a number plus a set of switches. A switch of t is a place where the side that moves there
// first gains t moves and the other loses t; two equal switches cancel, so sets of switches add by
// exclusive or.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

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

}  // namespace damier::exact::domineering
