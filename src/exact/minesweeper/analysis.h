// The probability of a bomb in every unknown cell: the front's components and the cells that no
// number touches ("the sea"), tied together by the number of bombs left.
//
// Components only meet through that number, so each is counted alone, by its bombs, and the counts
// are multiplied.
#pragma once

#include "damier/exact/minesweeper/count.h"

namespace damier::exact::minesweeper {

template <class Number>
class Analysis {
 public:
  // The limit of the counting.
  explicit Analysis(std::size_t state_limit) : counter_(state_limit), near_counter_(state_limit) {}

  // Everything about a board; only the total when `probabilities` is false. The rest holds after
  // `yes`.
  Counted run(const Board& board, bool probabilities = true) {
    const int bombs = board.bombs_left();
    if (bombs < 0) return Counted::none;
    front_.build(board);
    const Counted counted = counter_.forward(front_, bombs);
    if (counted != Counted::yes) return counted;
    sea_cells_ = board.unknown_cells() - front_.cells();
    ByBombs<Number> nothing;
    nothing.values.assign(1, Number(1.0));
    combine(counter_.counts(), nothing, sea_cells_, bombs);
    total_ = total_here_;
    if (is_zero(total_)) return Counted::none;
    if (!probabilities) return Counted::yes;
    probabilities_.assign(front_.groups().size(), 0);
    for (std::size_t c = 0; c < front_.components().size(); ++c) {
      outside(counter_.counts()[c], c);
      counter_.backward(front_, static_cast<int>(c), outside_, probabilities_);
    }
    sea_probability_ = sea_cells_ == 0 ? 1
                                       : probability_in_sea(before_[front_.components().size()],
                                                            sea_cells_, bombs);
    return Counted::yes;
  }

  const Front& front() const { return front_; }
  const std::vector<double>& group_probabilities() const { return probabilities_; }
  double sea_probability() const { return sea_probability_; }
  int sea_cells() const { return sea_cells_; }
  // All arrangements.
  const Number& total() const { return total_; }
  double probability(Cell cell) const {
    const std::uint16_t group = front_.group_of(cell);
    return group == Front::kNone ? sea_probability_ : probabilities_[group];
  }

  // What follows if an unknown cell were opened and showed a number; the board must have the cell
  // tried (Board::try_open), and run() must have been called before that.
  struct Glimpse {
    double share = 0;  // of all arrangements: that the cell is safe and shows the number
    double least_probability = 1;  // of the cells around there, afterwards
    int safe_cells = 0;            // of them, afterwards
    double sea_probability = 1;    // of the sea, afterwards; 1 if there is none
    int sea_cells = 0;
  };
  // To be called once for every cell to be tried, before it is tried.
  void prepare_glimpses(const Board& board, Cell cell) {
    touched_.assign(front_.components().size(), 0);
    seeds_.assign(1, cell);
    const auto touch = [&](Cell around) {
      const std::uint16_t number = front_.number_at(around);
      if (number != Front::kNone) touched_[at(front_.component_of_number(number))] = 1;
    };
    for (const int offset : board.neighbours()) {
      const auto next = static_cast<Cell>(cell + offset);
      if (board.known(next) == Known::open) {
        touch(next);
        seeds_.push_back(next);
      } else if (const std::uint16_t group = front_.group_of(next); group != Front::kNone) {
        touch(front_.numbers()[front_.groups()[group].numbers[0]].cell);
      }
    }
    elsewhere_.low = 0;
    elsewhere_.values.assign(1, Number(1.0));
    elsewhere_cells_ = 0;
    elsewhere_probability_ = 1;
    for (std::size_t c = 0; c < touched_.size(); ++c) {
      if (touched_[c] != 0) continue;
      multiply(elsewhere_, counter_.counts()[c], scratch_);
      std::swap(elsewhere_, scratch_);
      for (const std::uint16_t group : front_.order(front_.components()[c])) {
        elsewhere_cells_ += front_.groups()[group].size;
        elsewhere_probability_ = std::min(elsewhere_probability_, probabilities_[group]);
      }
    }
  }

  // Only the share when `probabilities` is false.
  Glimpse glimpse(const Board& board, bool probabilities) {
    Glimpse seen;
    for (const Cell seed : seeds_) {
      if (board.unknown_around(seed) == 0 && board.need(seed) != 0) return seen;
    }
    near_front_.build(board, seeds_);
    const int bombs = board.bombs_left();
    if (near_counter_.forward(near_front_, bombs) != Counted::yes) return seen;
    seen.sea_cells = board.unknown_cells() - near_front_.cells() - elsewhere_cells_;
    combine(near_counter_.counts(), elsewhere_, seen.sea_cells, bombs);
    if (is_zero(total_here_)) return seen;
    seen.share = ratio(total_here_, total_);
    if (!probabilities) return seen;
    near_probabilities_.assign(near_front_.groups().size(), 0);
    const std::size_t size = near_front_.components().size();
    for (std::size_t c = 0; c < size; ++c) {
      outside(near_counter_.counts()[c], c);
      near_counter_.backward(near_front_, static_cast<int>(c), outside_, near_probabilities_);
    }
    for (std::size_t g = 0; g < near_probabilities_.size(); ++g) {
      seen.least_probability = std::min(seen.least_probability, near_probabilities_[g]);
      if (near_probabilities_[g] == 0) seen.safe_cells += near_front_.groups()[g].size;
    }
    if (seen.sea_cells > 0) {
      seen.sea_probability = probability_in_sea(before_[size], seen.sea_cells, bombs);
      if (seen.sea_probability == 0) seen.safe_cells += seen.sea_cells;
    }
    return seen;
  }

  // The lowest probability among the groups of components that the cell does not touch.
  double least_probability_elsewhere() const { return elsewhere_probability_; }

 private:
  // The binomial coefficients C(n, k) for k from 0 to `most` at least.
  const std::vector<Number>& binomials(int n, int most) {
    if (binomials_.size() <= at(n)) binomials_.resize(at(n) + 1);
    std::vector<Number>& row = binomials_[at(n)];
    if (row.empty()) row.push_back(Number(1.0));
    for (int k = static_cast<int>(row.size()) - 1; k < most; ++k) {
      const int factor = std::max(0, n - k);
      if constexpr (std::numeric_limits<Number>::is_integer) {
        row.push_back(row.back() * factor / (k + 1));
      } else {
        row.push_back(row.back() * Number(static_cast<double>(factor) / (k + 1)));
      }
    }
    return row;
  }

  static void multiply(const ByBombs<Number>& a, const ByBombs<Number>& b, ByBombs<Number>& out) {
    out.low = a.low + b.low;
    out.values.assign(a.values.size() + b.values.size() - 1, Number());
    for (std::size_t i = 0; i < a.values.size(); ++i) {
      for (std::size_t j = 0; j < b.values.size(); ++j) {
        out.values[i + j] += a.values[i] * b.values[j];
      }
    }
  }

  // Fills rest_[c]: rest_[c][j] counts the ways of the components from c on and of the sea, when
  // j bombs lie in the components before c.
  void combine(const std::vector<ByBombs<Number>>& counts, const ByBombs<Number>& start,
               int sea_cells, int bombs) {
    const std::size_t size = counts.size();
    if (before_.size() <= size) before_.resize(size + 1);
    if (rest_.size() <= size) rest_.resize(size + 1);
    before_[0] = start;
    for (std::size_t c = 0; c < size; ++c) multiply(before_[c], counts[c], before_[c + 1]);
    const ByBombs<Number>& all = before_[size];
    const std::vector<Number>& row = binomials(sea_cells, std::max(0, bombs));
    rest_[size].assign(all.values.size(), Number());
    for (std::size_t j = 0; j < all.values.size(); ++j) {
      const int left = bombs - all.low - static_cast<int>(j);
      if (left >= 0 && left <= sea_cells) rest_[size][j] = row[at(left)];
    }
    for (std::size_t c = size; c-- > 0;) {
      rest_[c].assign(before_[c].values.size(), Number());
      for (std::size_t j = 0; j < rest_[c].size(); ++j) {
        for (std::size_t i = 0; i < counts[c].values.size(); ++i) {
          rest_[c][j] += counts[c].values[i] * rest_[c + 1][j + i];
        }
      }
    }
    total_here_ = Number();
    for (std::size_t j = 0; j < rest_[0].size(); ++j) {
      total_here_ += before_[0].values[j] * rest_[0][j];
    }
  }

  void outside(const ByBombs<Number>& count, std::size_t component) {
    outside_.assign(count.values.size(), Number());
    const ByBombs<Number>& before = before_[component];
    const std::vector<Number>& rest = rest_[component + 1];
    for (std::size_t i = 0; i < outside_.size(); ++i) {
      for (std::size_t j = 0; j < before.values.size(); ++j) {
        outside_[i] += before.values[j] * rest[i + j];
      }
    }
  }

  double probability_in_sea(const ByBombs<Number>& front, int sea_cells, int bombs) {
    const std::vector<Number>& row = binomials(sea_cells - 1, std::max(0, bombs));
    Number with_bomb = Number(), without = Number();
    for (std::size_t j = 0; j < front.values.size(); ++j) {
      const int left = bombs - front.low - static_cast<int>(j);
      if (left < 0 || left > sea_cells) continue;
      if (left > 0) with_bomb += front.values[j] * row[at(left - 1)];
      if (left < sea_cells) without += front.values[j] * row[at(left)];
    }
    if (is_zero(with_bomb)) return 0;
    if (is_zero(without)) return 1;
    Number all = with_bomb;
    all += without;
    return ratio(with_bomb, all);
  }

  Front front_;
  Counter<Number> counter_;
  std::vector<double> probabilities_;
  Number total_ = Number();
  Number total_here_ = Number();  // of the last combine()
  double sea_probability_ = 0;
  int sea_cells_ = 0;
  std::vector<std::vector<Number>> binomials_;  // by n
  std::vector<ByBombs<Number>> before_;         // products of the components before each
  std::vector<std::vector<Number>> rest_;
  std::vector<Number> outside_;

  // Glimpses.
  Front near_front_;
  Counter<Number> near_counter_;
  std::vector<double> near_probabilities_;
  ByBombs<Number> elsewhere_, scratch_;  // the product of the untouched components
  int elsewhere_cells_ = 0;
  double elsewhere_probability_ = 1;
  std::vector<Cell> seeds_;
  std::vector<std::uint8_t> touched_;
};

extern template class Analysis<double>;
extern template class Analysis<Wide>;

}  // namespace damier::exact::minesweeper
