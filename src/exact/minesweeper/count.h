// Counting the arrangements of bombs on a front, by the number of bombs in each component.
//
// Groups are taken one after the other, and what is kept is, for every way that the half-counted
// numbers can stand and every number of bombs so far, how many arrangements lead there. Equal
// standings are merged, so a long front costs time in proportion to its length.
#pragma once

#include <algorithm>
#include <type_traits>

#include "damier/base/numbers/random.h"
#include "damier/exact/minesweeper/front.h"
#include "damier/exact/minesweeper/numbers.h"

namespace damier::exact::minesweeper {

// How many arrangements have each number of bombs: values[i] for low + i bombs.
template <class Number>
struct ByBombs {
  int low = 0;
  std::vector<Number> values;

  int high() const { return low + static_cast<int>(values.size()) - 1; }
};

enum class Counted {
  yes,
  none,      // no arrangement
  too_wide,  // more states than the limit
};

namespace detail {

constexpr auto choose_table() {
  std::array<std::array<double, 9>, 9> table = {};
  for (std::size_t n = 0; n < 9; ++n) {
    table[n][0] = 1;
    for (std::size_t k = 1; k <= n; ++k) table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
  }
  return table;
}
inline constexpr auto kChoose = choose_table();

}  // namespace detail

// The states of the counting: the number of bombs so far in the low bits, and four bits for what
// each half-counted number still needs.
template <class Number>
class Counter {
 public:
  explicit Counter(std::size_t state_limit) : state_limit_(state_limit) {}

  // Counts every component of the front, none with more than `most` bombs. After anything but
  // `yes`, failed_component() says where.
  Counted forward(const Front& front, int most) {
    counts_.clear();
    places_.clear();
    steps_.clear();
    branches_.clear();
    targets_.clear();
    ways_.clear();
    end_bombs_.clear();
    for (const FrontNumber& number : front.numbers()) {
      if (number.need < 0 || number.need > number.cells) {
        failed_component_ = front.component_of_number(front.number_at(number.cell));
        return Counted::none;
      }
    }
    for (std::size_t i = 0; i < front.components().size(); ++i) {
      const Component& component = front.components()[i];
      failed_component_ = static_cast<int>(i);
      const std::size_t first_step = steps_.size();
      Counted counted = Counted::too_wide;
      if (plan(front, component, 64)) {
        counted = run<std::uint64_t>(component, most);
      } else {
        steps_.resize(first_step);
        if (plan(front, component, 128)) counted = run<WideKey>(component, most);
      }
      if (counted != Counted::yes) return counted;
    }
    failed_component_ = -1;
    return Counted::yes;
  }

  int failed_component() const { return failed_component_; }
  const std::vector<ByBombs<Number>>& counts() const { return counts_; }

  // For one component, when `outside[i]` counts the arrangements of all the rest that go with
  // counts()[component].low + i bombs in it: writes the probability of a bomb in a cell of each
  // group.
  void backward(const Front& front, int component_index, std::span<const Number> outside,
                std::vector<double>& probabilities) {
    const auto c = static_cast<std::size_t>(component_index);
    const Component& component = front.components()[c];
    const Place& place = places_[c];
    after_.resize(ways_.size());
    for (std::uint32_t i = place.first_end; i < place.first_end + place.end_count; ++i) {
      after_[i] = outside[end_bombs_[i]];
    }
    const auto order = front.order(component);
    for (std::size_t s = order.size(); s-- > 0;) {
      const Step& step = steps_[static_cast<std::size_t>(place.first_step) + s];
      Number bombs_here = Number(), safe_here = Number();
      for (std::uint32_t state = step.first_state; state < step.end_state; ++state) {
        const Branch& branch = branches_[state];
        Number total = Number(), bombs_total = Number(), safe_total = Number();
        for (std::size_t i = 0; i < branch.count; ++i) {
          const std::size_t bombs = branch.low + i;
          const Number weight =
              times(after_[targets_[branch.first_target + i]], detail::kChoose[step.size][bombs]);
          total += weight;
          bombs_total += times(weight, static_cast<double>(bombs));
          safe_total += times(weight, static_cast<double>(step.size - bombs));
        }
        after_[state] = total;
        bombs_here += ways_[state] * bombs_total;
        safe_here += ways_[state] * safe_total;
      }
      Number all = bombs_here;
      all += safe_here;
      // Certainty is told exactly.
      probabilities[order[s]] = is_zero(bombs_here)  ? 0.0
                                : is_zero(safe_here) ? 1.0
                                                     : ratio(bombs_here, all);
    }
  }

 private:
  // One group being taken.
  struct Step {
    std::uint8_t size;
    std::uint8_t number_count;
    std::array<std::uint8_t, 8> shift;     // of each number's part in the state
    std::array<std::uint8_t, 8> room;      // cells of the number in later groups
    std::array<std::int8_t, 8> opening;    // its need when the step opens it, or 0
    std::uint32_t first_state, end_state;  // the states before the step
  };
  // From a state: `count` states with `low`, low + 1, ... bombs in the group.
  struct Branch {
    std::uint32_t first_target = 0;
    std::uint8_t low = 0, count = 0;
  };
  struct Place {
    int first_step = 0;
    std::uint32_t first_end = 0;  // the states at the end, one a number of bombs
    std::uint32_t end_count = 0;
  };

  static constexpr int kBombBits = 13;
  static constexpr int kSlotBits = 4;
  static constexpr std::uint8_t kNoSlot = 0xFF;

  template <class Key>
  static std::uint64_t hash_of(Key key) {
    if constexpr (sizeof(Key) == 16) {
      return mix64(static_cast<std::uint64_t>(key) +
                   static_cast<std::uint64_t>(key >> 64) * 0x9E3779B97F4A7C15u);
    } else {
      const std::uint64_t product = key * 0x9E3779B97F4A7C15u;
      return product ^ product >> 32;
    }
  }

  static Number times(const Number& value, double factor) {
    if constexpr (std::is_same_v<Number, double>) {
      return value * factor;
    } else {
      return value * Number(factor);
    }
  }

  // False when the states need more bits than `key_bits`.
  bool plan(const Front& front, const Component& component, int key_bits) {
    const auto& numbers = front.numbers();
    slot_of_.assign(numbers.size(), kNoSlot);
    groups_left_.resize(numbers.size());
    cells_left_.resize(numbers.size());
    for (int i = 0; i < component.number_count; ++i) {
      const auto id = static_cast<std::size_t>(component.first_number + i);
      groups_left_[id] = numbers[id].group_count;
      cells_left_[id] = static_cast<std::uint8_t>(numbers[id].cells);
    }
    const int slots = (key_bits - kBombBits) / kSlotBits;
    std::uint32_t free_slots = (1u << slots) - 1;
    for (const std::uint16_t id : front.order(component)) {
      const Group& group = front.groups()[id];
      Step& step = steps_.emplace_back();
      step.size = group.size;
      step.number_count = group.number_count;
      for (std::size_t i = 0; i < group.number_count; ++i) {
        const std::uint16_t number = group.numbers[i];
        step.opening[i] = 0;
        if (slot_of_[number] == kNoSlot) {
          if (free_slots == 0) return false;
          slot_of_[number] = static_cast<std::uint8_t>(__builtin_ctz(free_slots));
          free_slots &= free_slots - 1;
          step.opening[i] = numbers[number].need;
        }
        step.shift[i] = static_cast<std::uint8_t>(kBombBits + kSlotBits * slot_of_[number]);
        cells_left_[number] = static_cast<std::uint8_t>(cells_left_[number] - group.size);
        step.room[i] = cells_left_[number];
      }
      // Freed only now: the slots of one step are all different.
      for (const std::uint16_t number : group.touched()) {
        if (--groups_left_[number] == 0) free_slots |= 1u << slot_of_[number];
      }
    }
    return true;
  }

  template <class Key>
  Counted run(const Component& component, int most) {
    Place place;
    place.first_step = static_cast<int>(steps_.size()) - component.group_count;
    const auto [keys, next_keys] = [&]() -> std::pair<std::vector<Key>&, std::vector<Key>&> {
      if constexpr (sizeof(Key) == 16) {
        return {wide_keys_, wide_next_keys_};
      } else {
        return {keys_, next_keys_};
      }
    }();
    keys.assign(1, Key{0});
    std::size_t first = ways_.size();
    ways_.push_back(Number(1.0));
    for (int s = 0; s < component.group_count; ++s) {
      Step& step = steps_[static_cast<std::size_t>(place.first_step + s)];
      step.first_state = static_cast<std::uint32_t>(first);
      step.end_state = static_cast<std::uint32_t>(first + keys.size());
      branches_.resize(step.end_state);
      next_keys.clear();
      Key opened = 0, unit = 0;
      for (std::size_t i = 0; i < step.number_count; ++i) {
        opened += static_cast<Key>(static_cast<std::uint8_t>(step.opening[i])) << step.shift[i];
        unit += Key{1} << step.shift[i];
      }
      for (std::size_t index = 0; index < keys.size(); ++index) {
        const Key key = keys[index] + opened;
        int low = 0, high = step.size;
        for (std::size_t i = 0; i < step.number_count; ++i) {
          const int need = static_cast<int>(key >> step.shift[i]) & ((1 << kSlotBits) - 1);
          low = std::max(low, need - step.room[i]);
          high = std::min(high, need);
        }
        const int so_far = static_cast<int>(key) & ((1 << kBombBits) - 1);
        high = std::min(high, most - so_far);
        Branch branch;
        branch.first_target = static_cast<std::uint32_t>(targets_.size());
        if (low <= high) {
          branch.low = static_cast<std::uint8_t>(low);
          branch.count = static_cast<std::uint8_t>(high - low + 1);
          Key next = key + static_cast<Key>(low) * (Key{1} - unit);
          for (int bombs = low; bombs <= high; ++bombs, next += Key{1} - unit) {
            const std::uint32_t target = find_or_add(next_keys, step.end_state, next);
            targets_.push_back(target);
            ways_[target] += times(ways_[first + index],
                                   detail::kChoose[step.size][static_cast<std::size_t>(bombs)]);
          }
        }
        branches_[first + index] = branch;
      }
      if (next_keys.empty()) return Counted::none;
      if (ways_.size() > state_limit_) return Counted::too_wide;
      first = step.end_state;
      std::swap(keys, next_keys);
    }
    place.first_end = static_cast<std::uint32_t>(first);
    place.end_count = static_cast<std::uint32_t>(keys.size());
    branches_.resize(first + keys.size());
    end_bombs_.resize(first + keys.size());
    // At the end no number is half counted: a state is its number of bombs.
    ByBombs<Number>& counts = counts_.emplace_back();
    const auto [least, greatest] = std::minmax_element(keys.begin(), keys.end());
    counts.low = static_cast<int>(*least);
    counts.values.assign(static_cast<std::size_t>(*greatest - *least + 1), Number());
    for (std::size_t i = 0; i < keys.size(); ++i) {
      end_bombs_[first + i] = static_cast<std::uint16_t>(keys[i] - *least);
      counts.values[static_cast<std::size_t>(keys[i] - *least)] = ways_[first + i];
    }
    places_.push_back(place);
    return Counted::yes;
  }

  template <class Key>
  std::uint32_t find_or_add(std::vector<Key>& keys, std::size_t first, Key key) {
    // Few states: looking through them is quicker than a table.
    constexpr std::size_t kFew = 8;
    if (keys.size() <= kFew) {
      for (std::size_t i = 0; i < keys.size(); ++i) {
        if (keys[i] == key) return static_cast<std::uint32_t>(first + i);
      }
      if (keys.size() < kFew) {
        keys.push_back(key);
        ways_.push_back(Number());
        return static_cast<std::uint32_t>(first + keys.size() - 1);
      }
    }
    const auto place = [&](Key wanted) {
      std::size_t i = static_cast<std::size_t>(hash_of(wanted)) & (table_.size() - 1);
      while (table_[i] != 0 && keys[table_[i] - 1] != wanted) i = (i + 1) & (table_.size() - 1);
      return i;
    };
    if (keys.size() == kFew || 2 * keys.size() >= table_.size()) {
      std::size_t size = 64;
      while (size < 4 * keys.size()) size *= 2;
      table_.assign(size, 0);
      for (std::size_t i = 0; i < keys.size(); ++i) {
        table_[place(keys[i])] = static_cast<std::uint32_t>(i + 1);
      }
    }
    const std::size_t i = place(key);
    if (table_[i] == 0) {
      keys.push_back(key);
      ways_.push_back(Number());
      table_[i] = static_cast<std::uint32_t>(keys.size());
    }
    return static_cast<std::uint32_t>(first + table_[i] - 1);
  }

  std::size_t state_limit_;
  int failed_component_ = -1;
  std::vector<ByBombs<Number>> counts_;
  std::vector<Place> places_;
  std::vector<Step> steps_;
  std::vector<Branch> branches_;        // by state
  std::vector<std::uint32_t> targets_;  // of branches
  std::vector<Number> ways_;            // by state: arrangements that lead there
  std::vector<Number> after_;           // by state: arrangements of the rest from there
  std::vector<std::uint16_t> end_bombs_;
  std::vector<std::uint64_t> keys_, next_keys_;
  __extension__ typedef unsigned __int128 WideKey;
  std::vector<WideKey> wide_keys_, wide_next_keys_;
  std::vector<std::uint32_t> table_;  // open addressing: state index + 1, or 0
  std::vector<std::uint8_t> slot_of_, groups_left_, cells_left_;  // by number
};

extern template class Counter<double>;
extern template class Counter<Wide>;

}  // namespace damier::exact::minesweeper
