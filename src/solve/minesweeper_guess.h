// Guessing well: of the cells of low risk, the one after which the game is likeliest to go on.
//
// The one thing to know: a cell is worth the chance that it is safe and that afterwards a safe cell
// is known or, failing that, the next guess succeeds; the few best are looked at one guess deeper.
#pragma once

#include <vector>

#include "damier/solve/minesweeper_analysis.h"

namespace damier::solve::minesweeper {

struct GuessOptions {
  int candidates = 16;        // cells to look ahead on
  int deep_candidates = 3;    // of them, to look at one guess deeper; 0: none
  double deep_margin = 0.02;  // how far behind the best such a cell may be
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
    double safe = 0;   // the chance that it is
    double order = 0;  // the most promising first
    double value = 0;
  };

  static void list_candidates(const Board& board, const Analysis<Number>& analysis, int most,
                              std::vector<Candidate>& candidates);
  // The worth of opening a cell; anything lower when it is less than `to_beat`.
  double look_ahead(Board& board, Analysis<Number>& analysis, const Candidate& candidate, bool deep,
                    double to_beat);
  // The worth of the best cell of a board on which none is safe.
  double next_guess(Board& board);

  GuessOptions options_;
  Analysis<Number> deeper_;
  std::vector<Candidate> candidates_, next_candidates_;
};

extern template class Guesser<double>;
extern template class Guesser<Wide>;

}  // namespace damier::solve::minesweeper
