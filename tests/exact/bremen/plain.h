// Brême on a board of any size solved the plain way, to check the solver with: stacks as texts,
// steps in loops, and sweeps over all positions until nothing changes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "damier/exact/state_space.h"

namespace damier::exact::bremen {

// A stack is its animals from bottom to top: D, G, C, R of the side to move, whose home row is the
// last one, and d, g, c, r of its opponent.
struct PlainPosition {
  std::vector<std::string> stacks;  // row by row
  char duty = ' ';                  // the animal that must retreat, D, G, C or R
};

class PlainSolution {
 public:
  PlainSolution(int rows, int columns, int animals)
      : rows_(rows), columns_(columns), animals_(animals), values_(keys()) {
    solve();
  }

  // Calls visit(position, value) for every placing of the animals with every duty that it allows.
  template <class Visit>
  void for_each_position(Visit visit) const {
    std::vector<std::string> stacks(static_cast<std::size_t>(rows_ * columns_));
    place_from(0, stacks, [&](const PlainPosition& position) {
      visit(position, known(values_[key(position)]));
    });
  }

 private:
  static constexpr std::string_view kOwn = "DGCR", kEnemy = "dgcr";

  static bool is_own(char animal) { return animal < 'a'; }
  static char other_side(char animal) { return static_cast<char>(animal ^ ('a' - 'A')); }
  static int order(char animal) {
    switch (is_own(animal) ? animal : other_side(animal)) {
      case 'D':
        return 0;
      case 'G':
        return 1;
      case 'C':
        return 2;
      default:
        return 3;
    }
  }

  // The lowest animal of the side to move, when the stack holds both sides' animals.
  static char lowest_of_mixed(const std::string& stack) {
    const std::size_t first_own = stack.find_first_of(kOwn);
    const bool mixed = first_own != stack.npos && stack.find_first_of(kEnemy) != stack.npos;
    return mixed ? stack[first_own] : ' ';
  }

  // Both sides' animals of one order after the other, so that every stack grows upwards.
  template <class Visit>
  void place_from(int animal, std::vector<std::string>& stacks, Visit visit) const {
    if (animal == animals_) {
      visit(PlainPosition{stacks, ' '});
      for (int column = 0; column < columns_; ++column) {
        const char duty = lowest_of_mixed(stacks[static_cast<std::size_t>(column)]);
        if (duty != ' ') visit(PlainPosition{stacks, duty});
      }
      return;
    }
    for (std::string& own : stacks) {
      own += kOwn[static_cast<std::size_t>(animal)];
      for (std::string& enemy : stacks) {
        if (&enemy == &own) continue;
        enemy += kEnemy[static_cast<std::size_t>(animal)];
        place_from(animal + 1, stacks, visit);
        enemy.pop_back();
      }
      own.pop_back();
    }
  }

  std::size_t keys() const {
    std::size_t count = static_cast<std::size_t>(animals_ + 1);
    for (int i = 0; i < 2 * animals_; ++i) count *= static_cast<std::size_t>(rows_ * columns_);
    return count;
  }

  std::size_t key(const PlainPosition& position) const {
    const std::size_t squares = position.stacks.size();
    std::size_t weights[4] = {1, squares * squares};
    for (std::size_t i = 2; i < 4; ++i) weights[i] = weights[i - 1] * squares * squares;
    std::size_t result = 0;
    for (std::size_t square = 0; square < squares; ++square) {
      for (const char animal : position.stacks[square]) {
        const std::size_t weight = weights[static_cast<std::size_t>(order(animal))];
        result += square * weight * (is_own(animal) ? 1 : squares);
      }
    }
    const int duty = position.duty == ' ' ? animals_ : order(position.duty);
    return result * static_cast<std::size_t>(animals_ + 1) + static_cast<std::size_t>(duty);
  }

  // The keys of the positions after all moves of one animal.
  void add_moves(const PlainPosition& position, char animal,
                 std::vector<std::uint32_t>& found) const {
    static const std::vector<std::pair<int, int>> kSteps[] = {
        {{0, 1}, {0, -1}, {1, 0}, {-1, 0}},
        {{1, 1}, {1, -1}, {-1, 1}, {-1, -1}},
        {{1, 2}, {1, -2}, {2, 1}, {2, -1}, {-1, 2}, {-1, -2}, {-2, 1}, {-2, -1}},
        {{0, 1}, {0, -1}, {1, 0}, {-1, 0}, {1, 1}, {1, -1}, {-1, 1}, {-1, -1}}};
    const auto at =
        std::find_if(position.stacks.begin(), position.stacks.end(),
                     [&](const std::string& stack) { return stack.find(animal) != stack.npos; });
    const int from = static_cast<int>(at - position.stacks.begin());
    for (const auto& [down, right] : kSteps[order(animal)]) {
      int row = from / columns_ + down, column = from % columns_ + right;
      while (row >= 0 && row < rows_ && column >= 0 && column < columns_) {
        const int to = columns_ * row + column;
        const std::string& there = position.stacks[static_cast<std::size_t>(to)];
        if (there.empty() || order(there.back()) < order(animal)) {
          PlainPosition next = position;
          move(next, animal, from, to);
          found.push_back(static_cast<std::uint32_t>(key(next)));
        }
        if (!there.empty() || order(animal) == 2) break;
        row += down;
        column += right;
      }
    }
  }

  // Moves, and turns the board to the opponent.
  void move(PlainPosition& position, char animal, int from, int to) const {
    std::vector<std::string>& stacks = position.stacks;
    std::string& left = stacks[static_cast<std::size_t>(from)];
    stacks[static_cast<std::size_t>(to)] += left.substr(left.find(animal));
    left.erase(left.find(animal));
    std::reverse(stacks.begin(), stacks.end());
    for (std::string& stack : stacks) {
      for (char& each : stack) each = other_side(each);
    }
    const bool at_home = to / columns_ == rows_ - 1;
    const std::string& reached = stacks[stacks.size() - 1 - static_cast<std::size_t>(to)];
    position.duty = at_home ? lowest_of_mixed(reached) : ' ';
  }

  std::vector<std::uint32_t> children(const PlainPosition& position) const {
    std::vector<std::uint32_t> found;
    for (const std::string& stack : position.stacks) {
      if (stack.size() == static_cast<std::size_t>(animals_)) return found;
    }
    if (position.duty != ' ') add_moves(position, position.duty, found);
    if (!found.empty()) return found;
    for (int i = 0; i < animals_; ++i) {
      add_moves(position, kOwn[static_cast<std::size_t>(i)], found);
    }
    return found;
  }

  struct Open {
    std::size_t key;
    std::vector<std::uint32_t> children;
  };

  // After sweep n every result within n plies is known.
  void solve() {
    std::vector<Open> open;
    std::vector<std::string> stacks(static_cast<std::size_t>(rows_ * columns_));
    place_from(0, stacks, [&](const PlainPosition& position) {
      Open here{key(position), children(position)};
      if (here.children.empty()) {
        values_[here.key] = -1;
      } else {
        open.push_back(std::move(here));
      }
    });
    std::vector<std::pair<std::size_t, int>> found;
    for (int distance = 1; distance == 1 || !found.empty(); ++distance) {
      found.clear();
      std::erase_if(open, [&](const Open& here) {
        const auto is_loss = [&](std::uint32_t child) { return values_[child] < 0; };
        const auto is_win = [&](std::uint32_t child) { return values_[child] > 0; };
        const bool wins = std::any_of(here.children.begin(), here.children.end(), is_loss);
        const bool loses = std::all_of(here.children.begin(), here.children.end(), is_win);
        if (wins || loses) found.emplace_back(here.key, wins ? distance + 1 : -(distance + 1));
        return wins || loses;
      });
      for (const auto& [at, value] : found) values_[at] = static_cast<std::int16_t>(value);
    }
  }

  static Known known(int value) {
    if (value == 0) return {Verdict::draw};
    return value > 0 ? Known{Verdict::win, value - 1} : Known{Verdict::loss, -value - 1};
  }

  int rows_, columns_, animals_;
  std::vector<std::int16_t> values_;  // distance + 1 of a win, -(distance + 1) of a loss, or 0
};

}  // namespace damier::exact::bremen
