// How the strips are solved. For a strip X and a set of switches m, best[m] is the greatest number
// n with X >= n + m, that is: Vertical wins X - (n + m) when Horizontal moves first. first[m] is
// the greatest n with which Vertical wins moving first. Both follow from the strips that one move
// leaves, which are smaller numbers.

#include <algorithm>
#include <limits>
#include <memory>
#include <mutex>

#include "damier/exact/domineering/bounds.h"

namespace damier::exact::domineering {

namespace {

constexpr int kNone = -1000;
constexpr int kMinValue = -120;  // below the value of any strip, so always a true bound

// The number that Vertical's only canonical move in the number n leads to, or kNone.
int vertical_option(int n) {
  if (n % kQuarters == 0) return n > 0 ? n - kQuarters : kNone;
  return n % 2 == 0 ? n - 2 : n - 1;
}

// What the set is worth to the side that moves first, when both always take the largest.
int worth_to_first(unsigned switches) {
  int worth = 0, sign = 1;
  for (int kind = kSwitchKinds - 1; kind >= 0; --kind) {
    if ((switches >> kind & 1) == 0) continue;
    worth += sign * kSwitches[static_cast<std::size_t>(kind)];
    sign = -sign;
  }
  return worth;
}

}  // namespace

SwitchNeeds::SwitchNeeds() {
  for (unsigned set = 0; set < kSwitchSets; ++set) {
    const int worth = worth_to_first(set);
    const bool odd = bit_count(set) % 2 != 0;
    // When the switches are gone, zero wins for the side that need not move.
    needs_[true][set] = odd ? -worth : -worth + 1;
    needs_[false][set] = odd ? worth + 1 : worth;
  }
}

StripTable::StripTable(int width) : width_(std::min(width, kMaxWidth)), wide_(width > kMaxWidth) {
  dominoes_.resize(std::size_t{1} << width_);
  for (std::size_t row = 0; row < dominoes_.size(); ++row) {
    dominoes_[row] = static_cast<std::uint8_t>(wide_dominoes_in(row));
  }
  solve_strips();
}

void StripTable::solve_strips() {
  const unsigned row_cells = (1u << width_) - 1;
  const std::size_t count = std::size_t{1} << 2 * width_;
  using Numbers = std::array<std::int8_t, kSwitchSets>;
  std::vector<Numbers> best(count), first(count);
  entries_.resize(count);

  const auto mirrored = [&](unsigned row) {
    unsigned out = 0;
    for (int i = 0; i < width_; ++i) out |= (row >> i & 1) << (width_ - 1 - i);
    return out;
  };
  const auto solve_one = [&](unsigned strip, unsigned set) {
    const unsigned upper = strip & row_cells, lower = strip >> width_;
    int moving = kNone;  // the greatest n with which some move of Vertical's wins
    for (unsigned x = upper & lower; x != 0; x &= x - 1) {
      const unsigned cell = x & -x;
      moving = std::max<int>(moving, best[strip & ~(cell | cell << width_)][set]);
    }
    int n = -kMinValue;  // the greatest with which no move of Horizontal's refutes
    const unsigned right_upper = upper & upper >> 1, right_lower = lower & lower >> 1;
    for (unsigned x = right_upper | right_lower << width_; x != 0; x &= x - 1) {
      n = std::min<int>(n, first[strip & ~((x & -x) * 3)][set]);
    }
    for (unsigned kind = 0; kind < kSwitchKinds; ++kind) {
      if ((set >> kind & 1) == 0) continue;
      const unsigned rest = set ^ 1u << kind;
      moving = std::max(moving, best[strip][rest] + kSwitches[kind]);
      n = std::min(n, first[strip][rest] - kSwitches[kind]);
    }
    // Horizontal may also move in -n, which leaves Vertical to win with n's option.
    while (vertical_option(n) > moving) --n;
    n = std::max(n, kMinValue);
    best[strip][set] = static_cast<std::int8_t>(n);
    // With less than n there is a quarter to spare, so Vertical wins moving first as well.
    first[strip][set] = static_cast<std::int8_t>(std::max({moving, n - 1, kMinValue}));
  };
  // Among the bounds of one strip, a high number is good and so is little to lose by moving second.
  const auto most_useful = [](const Numbers& numbers) {
    unsigned chosen = 0;
    int chosen_rank = std::numeric_limits<int>::min();
    for (unsigned set = 0; set < kSwitchSets; ++set) {
      const int rank = kQuarters * numbers[set] - worth_to_first(set);
      if (rank > chosen_rank) {
        chosen = set;
        chosen_rank = rank;
      }
    }
    return Entry{numbers[chosen], static_cast<std::uint8_t>(chosen), numbers[0]};
  };

  for (unsigned strip = 0; strip < count; ++strip) {
    const unsigned upper = strip & row_cells, lower = strip >> width_;
    const unsigned twin =
        std::min({lower | upper << width_, mirrored(upper) | mirrored(lower) << width_,
                  mirrored(lower) | mirrored(upper) << width_});
    if (twin < strip) {
      best[strip] = best[twin];
      first[strip] = first[twin];
      entries_[strip] = entries_[twin];
      continue;
    }
    for (unsigned set = 0; set < kSwitchSets; ++set) solve_one(strip, set);
    entries_[strip] = most_useful(best[strip]);
  }
}

int StripTable::wide_dominoes_in(std::uint64_t row) {
  int count = 0;
  while (row != 0) {
    const std::uint64_t start = row & (0 - row);
    const std::uint64_t beyond = row + start;  // carries through the run; 0 at the very top
    const std::uint64_t run = row & ~beyond;
    count += bit_count(run) / 2;
    row &= beyond;
  }
  return count;
}

// A strip comes apart between two columns that no horizontal domino can join. A part wider than the
// table is bounded by Horizontal's dominoes alone.
StripTable::Entry StripTable::wide_strip(std::uint64_t upper, std::uint64_t lower) const {
  int quarters = 0, cold_quarters = 0;
  unsigned switches = 0;
  std::uint64_t columns = upper | lower;
  const std::uint64_t joined = (upper & upper >> 1) | (lower & lower >> 1);
  while (columns != 0) {
    const int from = lowest_bit(columns);
    int width = 1;
    while (joined >> (from + width - 1) & 1) ++width;
    const std::uint64_t part = (std::uint64_t{1} << width) - 1;
    columns &= ~(part << from);
    const std::uint64_t part_upper = upper >> from & part, part_lower = lower >> from & part;
    if (width <= width_) {
      const Entry entry = entries_[part_upper | part_lower << width_];
      quarters += entry.quarters;
      cold_quarters += entry.cold_quarters;
      switches ^= entry.switches;
    } else {
      const int lost = kQuarters * (wide_dominoes_in(part_upper) + wide_dominoes_in(part_lower));
      quarters -= lost;
      cold_quarters -= lost;
    }
  }
  return {static_cast<std::int8_t>(quarters), static_cast<std::uint8_t>(switches),
          static_cast<std::int8_t>(cold_quarters)};
}

const StripTable& strip_table(int width) {
  struct Slot {
    std::once_flag once;
    std::unique_ptr<const StripTable> table;
  };
  static std::array<Slot, StripTable::kMaxWidth + 2> slots;  // the last serves all greater widths
  Slot& slot = slots[static_cast<std::size_t>(std::min(width, StripTable::kMaxWidth + 1))];
  std::call_once(slot.once, [&] { slot.table = std::make_unique<const StripTable>(width); });
  return *slot.table;
}

}  // namespace damier::exact::domineering
