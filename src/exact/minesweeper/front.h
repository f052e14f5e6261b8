// The front: the unknown cells that touch a number, as groups of cells that touch the same numbers,
// in components that share no number.
//
// Within a component the groups stand in the order in which the counting takes them, chosen so that
// few numbers are half counted at any time.
#pragma once

#include <span>

#include "damier/exact/minesweeper/board.h"

namespace damier::exact::minesweeper {

struct Group {
  std::array<Cell, 8> cells;
  std::array<std::uint16_t, 8> numbers;  // indices into Front::numbers, by increasing cell
  std::uint8_t size = 0;
  std::uint8_t number_count = 0;

  std::span<const std::uint16_t> touched() const { return {numbers.data(), number_count}; }
};

struct FrontNumber {
  Cell cell;
  std::int8_t need;
  std::int8_t cells;  // unknown cells around
  std::uint8_t group_count = 0;
  std::array<std::uint16_t, 8> groups;
};

struct Component {
  int first_group = 0, group_count = 0;
  int first_number = 0, number_count = 0;
};

class Front {
 public:
  static constexpr std::uint16_t kNone = 0xFFFF;

  // The components that hold these numbers; other open cells are ignored.
  void build(const Board& board, std::span<const Cell> seeds);
  // All of them.
  void build(const Board& board);

  const std::vector<Group>& groups() const { return groups_; }
  const std::vector<FrontNumber>& numbers() const { return numbers_; }
  const std::vector<Component>& components() const { return components_; }
  // The groups of a component in the order of counting: indices into groups().
  std::span<const std::uint16_t> order(const Component& component) const {
    return {order_.data() + component.first_group, static_cast<std::size_t>(component.group_count)};
  }
  int cells() const { return cells_; }  // in all groups
  std::uint16_t group_of(Cell cell) const { return group_of_[cell]; }
  std::uint16_t number_at(Cell cell) const { return number_at_[cell]; }
  int component_of_number(std::uint16_t number) const { return component_of_[number]; }

 private:
  void start(const Board& board) {
    groups_.clear();
    numbers_.clear();
    components_.clear();
    order_.clear();
    component_of_.clear();
    group_of_.assign(static_cast<std::size_t>(board.size()), kNone);
    number_at_.assign(static_cast<std::size_t>(board.size()), kNone);
    cells_ = 0;
  }
  void add_component(const Board& board, Cell seed);
  std::uint16_t add_number(const Board& board, Cell cell);
  void add_cell(const Board& board, Cell cell);
  void set_order(const Component& component);

  std::vector<Group> groups_;
  std::vector<FrontNumber> numbers_;
  std::vector<Component> components_;
  std::vector<std::uint16_t> order_;
  std::vector<std::uint16_t> group_of_, number_at_;  // by cell
  std::vector<int> component_of_;                    // by number
  std::vector<std::uint8_t> taken_;                  // by group
  std::vector<std::uint16_t> active_;                // numbers half taken, oldest first
  std::vector<std::uint8_t> groups_left_;            // by number
  int cells_ = 0;
};

}  // namespace damier::exact::minesweeper
