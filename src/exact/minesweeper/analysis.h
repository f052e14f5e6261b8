// The probability of a bomb in every unknown cell: the front's components and the cells that no
// number touches ("the sea"), tied together by the number of bombs left.
//
// Components only meet through that number, so each is counted alone, by its bombs, and the counts
// are multiplied.
#pragma once

#include <vector>

#include "damier/exact/minesweeper/count.h"

namespace damier::exact::minesweeper {

template <class Number>
class Analysis {
 public:
  void set_state_limit(std::size_t limit);

  // Everything about a board; only the total when `probabilities` is false. The rest holds after
  // `yes`.
  Counted run(const Board& board, bool probabilities = true);
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
  int failed_component() const { return counter_.failed_component(); }

  // What follows if an unknown cell were opened and showed a number; the board must have the cell
  // tried (Board::try_open), and run() must have been called before that.
  struct Glimpse {
    bool counted = true;  // false when the counting grew too wide
    double share = 0;     // of all arrangements: that the cell is safe and shows the number
    double least_probability = 1;  // of the cells around there, afterwards
    int safe_cells = 0;            // of them, afterwards
    double sea_probability = 1;    // of the sea, afterwards; 1 if there is none
    int sea_cells = 0;
  };
  // To be called once for every cell to be tried, before it is tried.
  void prepare_glimpses(const Board& board, Cell cell);
  // Only the share when `probabilities` is false.
  Glimpse glimpse(const Board& board, bool probabilities);
  // The lowest probability among the groups of components that the cell does not touch.
  double least_probability_elsewhere() const { return elsewhere_probability_; }

 private:
  const BinomialRow<Number>& binomials(int n, int most);
  static void multiply(const ByBombs<Number>& a, const ByBombs<Number>& b, ByBombs<Number>& out);
  // Fills rest_[c]: rest_[c][j] counts the ways of the components from c on and of the sea, when
  // j bombs lie in the components before c.
  void combine(const std::vector<ByBombs<Number>>& counts, const ByBombs<Number>& start,
               int sea_cells, int bombs);
  void outside(const ByBombs<Number>& count, std::size_t component);
  double probability_in_sea(const ByBombs<Number>& front, int sea_cells, int bombs);

  Front front_;
  Counter<Number> counter_;
  std::vector<double> probabilities_;
  Number total_ = Number();
  Number total_here_ = Number();  // of the last combine()
  double sea_probability_ = 0;
  int sea_cells_ = 0;
  std::vector<BinomialRow<Number>> binomials_;  // by n
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
