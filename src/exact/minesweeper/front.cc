// Building the front, and the order of its groups.

#include "damier/exact/minesweeper/front.h"

#include <algorithm>

namespace damier::exact::minesweeper {

void Front::build(const Board& board, std::span<const Cell> seeds) {
  start(board);
  for (const Cell seed : seeds) {
    if (number_at_[seed] == kNone && board.unknown_around(seed) > 0) add_component(board, seed);
  }
}

void Front::build(const Board& board) {
  start(board);
  for (int row = 0; row < board.rows(); ++row) {
    Cell cell = board.cell(row, 0);
    for (int col = 0; col < board.cols(); ++col, ++cell) {
      if (board.known(cell) != Known::open || board.unknown_around(cell) == 0) continue;
      if (number_at_[cell] == kNone) add_component(board, cell);
    }
  }
}

std::uint16_t Front::add_number(const Board& board, Cell cell) {
  const auto id = static_cast<std::uint16_t>(numbers_.size());
  FrontNumber& number = numbers_.emplace_back();
  number.cell = cell;
  number.need = static_cast<std::int8_t>(board.need(cell));
  number.cells = static_cast<std::int8_t>(board.unknown_around(cell));
  number_at_[cell] = id;
  component_of_.push_back(static_cast<int>(components_.size()));
  return id;
}

void Front::add_cell(const Board& board, Cell cell) {
  Group group = {};
  for (const int offset : board.neighbours()) {
    const Cell next = moved(cell, offset);
    if (board.known(next) != Known::open) continue;
    std::uint16_t id = number_at_[next];
    if (id == kNone) id = add_number(board, next);
    group.numbers[group.number_count++] = id;
  }
  // A group with the same numbers, if there is one, is known to the first of them.
  const FrontNumber& first = numbers_[group.numbers[0]];
  for (int i = 0; i < first.group_count; ++i) {
    Group& other = groups_[first.groups[at(i)]];
    if (std::ranges::equal(group.touched(), other.touched())) {
      other.cells[other.size++] = cell;
      group_of_[cell] = first.groups[at(i)];
      return;
    }
  }
  group.cells[0] = cell;
  group.size = 1;
  const auto id = static_cast<std::uint16_t>(groups_.size());
  group_of_[cell] = id;
  for (const std::uint16_t touched : group.touched()) {
    FrontNumber& number = numbers_[touched];
    number.groups[number.group_count++] = id;
  }
  groups_.push_back(group);
}

void Front::add_component(const Board& board, Cell seed) {
  Component component{static_cast<int>(groups_.size()), 0, static_cast<int>(numbers_.size()), 0};
  add_number(board, seed);
  for (std::size_t i = numbers_.size() - 1; i < numbers_.size(); ++i) {
    const Cell cell = numbers_[i].cell;
    for (const int offset : board.neighbours()) {
      const Cell next = moved(cell, offset);
      if (board.known(next) != Known::unknown || group_of_[next] != kNone) continue;
      add_cell(board, next);
      ++cells_;
    }
  }
  component.group_count = static_cast<int>(groups_.size()) - component.first_group;
  component.number_count = static_cast<int>(numbers_.size()) - component.first_number;
  components_.push_back(component);
  set_order(component);
}

// Takes, again and again, the group that leaves the fewest numbers half counted, starting at the
// number that the search above reached last: an end of the front.
void Front::set_order(const Component& component) {
  const std::size_t first = static_cast<std::size_t>(component.first_number);
  const std::size_t last = first + static_cast<std::size_t>(component.number_count);
  taken_.assign(groups_.size(), 0);
  groups_left_.resize(numbers_.size());
  for (std::size_t i = first; i < last; ++i) groups_left_[i] = numbers_[i].group_count;
  active_.clear();
  active_.push_back(static_cast<std::uint16_t>(last - 1));
  for (int step = 0; step < component.group_count; ++step) {
    int best_growth = 100;
    std::uint16_t best = kNone;
    for (const std::uint16_t number : active_) {
      for (int i = 0; i < numbers_[number].group_count; ++i) {
        const std::uint16_t id = numbers_[number].groups[at(i)];
        if (taken_[id] != 0) continue;
        int growth = 0;
        for (const std::uint16_t other : groups_[id].touched()) {
          growth += groups_left_[other] == numbers_[other].group_count;  // opened
          growth -= groups_left_[other] == 1;                            // and finished
        }
        if (growth < best_growth) {
          best_growth = growth;
          best = id;
        }
      }
      if (best_growth < 0) break;
    }
    taken_[best] = 1;
    order_.push_back(best);
    for (const std::uint16_t other : groups_[best].touched()) {
      if (groups_left_[other]-- == numbers_[other].group_count && other != last - 1) {
        active_.push_back(other);
      }
    }
    std::erase_if(active_, [&](std::uint16_t number) { return groups_left_[number] == 0; });
  }
}

}  // namespace damier::exact::minesweeper
