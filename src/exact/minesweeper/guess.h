// Chooses a guess: of the cells that are most probably safe, the one after which the game is most
// likely to go on.
//
// A cell is worth the probability that it is safe and that afterwards a safe cell is known or else
// the next guess succeeds; the best are looked at one guess deeper. On crowded boards a safe cell
// is worth less, and cells that would end in a bare guess are worth more.
#pragma once

#include <vector>

#include "damier/exact/minesweeper/analysis.h"

namespace damier::exact::minesweeper {

struct GuessOptions {
  int candidates = 24;      // cells to look ahead on
  int deep_candidates = 8;  // of them, to look at one guess deeper; 0: none
};

template <class Number>
class Guesser {
 public:
  explicit Guesser(const GuessOptions& options = {}) : options_(options) {}
  void set_state_limit(std::size_t limit) { deeper_.set_state_limit(limit); }

  // The analysis must be that of the board, which is the same again afterwards. No cell is safe.
  Cell guess(Board& board, Analysis<Number>& analysis);

 private:
  struct Candidate {
    Cell cell = 0;
    double safe = 0;   // the probability that it is
    double order = 0;  // the most promising first
    double value = 0;
    double lift = 1;  // what opening it saves later: a factor of its worth
  };

  // With `lifts`, lifts_ must be that of the board.
  void list_candidates(const Board& board, const Analysis<Number>& analysis, int most, bool lifts,
                       std::vector<Candidate>& candidates) const;
  // Fills lifts_: two neighbours, one of them a bomb, end in a bare guess when all cells that touch
  // only one of them are bombs. Opening one of these cells now avoids that guess.
  void find_lifts(const Board& board, const Analysis<Number>& analysis);
  // The worth of opening a cell; anything lower when it is less than `to_beat`.
  double look_ahead(Board& board, Analysis<Number>& analysis, const Candidate& candidate, bool deep,
                    double to_beat);
  // The worth of the best cell of a board on which none is safe.
  double next_guess(Board& board);

  GuessOptions options_;
  Analysis<Number> deeper_;
  std::vector<Candidate> candidates_, next_candidates_;
  std::vector<double> lifts_;  // by cell: the logarithm of the factor
  double crowded_ = 0;         // 0: few bombs; 1: as many as on the densest common boards
};

extern template class Guesser<double>;
extern template class Guesser<Wide>;

}  // namespace damier::exact::minesweeper
