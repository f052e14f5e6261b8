// Counting the arrangements of bombs on a front, by the number of bombs in each component.
//
// Groups are taken one after the other, and what is kept is, for every way that the half-counted
// numbers can stand and every number of bombs so far, how many arrangements lead there. Equal
// standings are merged, so a long front costs time in proportion to its length.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

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

template <class Number>
class Counter {
 public:
  explicit Counter(std::size_t state_limit = 2'000'000) : state_limit_(state_limit) {}
  void set_state_limit(std::size_t limit) { state_limit_ = limit; }

  // Counts every component of the front, none with more than `most` bombs. After anything but
  // `yes`, failed_component() says where.
  Counted forward(const Front& front, int most);
  int failed_component() const { return failed_component_; }
  const std::vector<ByBombs<Number>>& counts() const { return counts_; }

  // For one component, when `outside[i]` counts the arrangements of all the rest that go with
  // counts()[component].low + i bombs in it: writes the probability of a bomb in a cell of each
  // group.
  void backward(const Front& front, int component, std::span<const Number> outside,
                std::vector<double>& probabilities);

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

  // False when the states need more bits than `key_bits`.
  bool plan(const Front& front, const Component& component, int key_bits);
  template <class Key>
  Counted run(const Component& component, int most);
  template <class Key>
  std::uint32_t find_or_add(std::vector<Key>& keys, std::size_t first, Key key);

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
