// Chooses a guess: of the cells that are most probably safe, the one after which the game is most
// likely to go on.
//
// A cell is worth the probability that it is safe and that afterwards a safe cell is known or else
// the next guess succeeds; the best are looked at one guess deeper. On crowded boards a safe cell
// is worth less, and cells that would end in a bare guess are worth more.
#pragma once

#include <cassert>
#include <utility>

#include "damier/exact/minesweeper/analysis.h"

namespace damier::exact::minesweeper {

struct GuessOptions {
  int candidates = 24;      // cells to look ahead on
  int deep_candidates = 8;  // of them, to look at one guess deeper; 0: none
};

template <class Number>
class Guesser {
 public:
  explicit Guesser(std::size_t state_limit, const GuessOptions& options = {})
      : options_(options), deeper_(state_limit) {}

  // The analysis must be that of the board, which is the same again afterwards. No cell is safe.
  Cell guess(Board& board, Analysis<Number>& analysis) {
    const double density = static_cast<double>(board.bombs_left()) / board.unknown_cells();
    crowded_ = std::clamp((density - kSparse) / (kCrowded - kSparse), 0.0, 1.0);
    if (crowded_ > 0) find_lifts(board, analysis);
    list_candidates(board, analysis, options_.candidates, crowded_ > 0, candidates_);
    assert(!candidates_.empty());
    const bool deep = options_.deep_candidates > 1;
    const double margin = deep ? kDeepMargin : 0;
    double best_value = 0;
    for (Candidate& candidate : candidates_) {
      const double to_beat = best_value - margin;
      if (candidate.safe * candidate.lift <= to_beat) continue;
      candidate.value =
          candidate.lift * look_ahead(board, analysis, candidate, false, to_beat / candidate.lift);
      best_value = std::max(best_value, candidate.value);
    }
    std::ranges::stable_sort(candidates_, [](const Candidate& a, const Candidate& b) {
      return a.value > b.value + kTie;
    });
    if (!deep || candidates_.size() == 1) return candidates_[0].cell;
    Cell best = candidates_[0].cell;
    double best_deep = 0;
    for (std::size_t i = 0; i < std::min(candidates_.size(), at(options_.deep_candidates)); ++i) {
      Candidate& candidate = candidates_[i];
      if (candidate.value < best_value - margin) break;
      const double value =
          candidate.lift * look_ahead(board, analysis, candidate, true, best_deep / candidate.lift);
      if (value > best_deep + kTie) {
        best_deep = value;
        best = candidate.cell;
      }
    }
    return best;
  }

 private:
  // Two values closer than this are equal: rounding must not decide.
  static constexpr double kTie = 1e-9;
  // The constants below were chosen by playing the same games of 6x6/4, 10x10/10 and 16x30/99 with
  // others; most make little difference.

  // Cells that are less safe than this part of the safest are no candidates.
  static constexpr double kNearlySafest = 0.8;
  // How much a sure zero would lift a cell in the order of candidates.
  static constexpr double kZeroBonus = 0.3;
  // A guess after a guess is worth a little less than its safety: it may need another one. The more
  // so on crowded boards, where one safe cell is no sure progress either.
  static constexpr double kNoProgress = 0.95, kNoProgressCrowded = 0.9;
  static constexpr double kLoneSafeCell = 0.08;
  // The part of the probability of a bare guess that counts: some are avoided in other ways.
  static constexpr double kBareGuess = 0.6;
  // Below this probability, it does not count.
  static constexpr double kNegligible = 1e-4;
  // Bombs per unknown cell: where boards begin to be crowded, and where they fully are.
  static constexpr double kSparse = 0.12, kCrowded = 0.2;
  // Cells to look ahead on for the guess after a guess, and how far behind the best a cell may be
  // for that.
  static constexpr int kNextCandidates = 8;
  static constexpr double kDeepMargin = 0.05;

  struct Candidate {
    Cell cell = 0;
    double safe = 0;   // the probability that it is
    double order = 0;  // the most promising first
    double value = 0;
    double lift = 1;  // what opening it saves later: a factor of its worth
  };

  // With `lifts`, lifts_ must be that of the board.
  void list_candidates(const Board& board, const Analysis<Number>& analysis, int most, bool lifts,
                       std::vector<Candidate>& candidates) const {
    candidates.clear();
    double safest = analysis.sea_cells() > 0 ? 1 - analysis.sea_probability() : 0;
    for (const double probability : analysis.group_probabilities()) {
      safest = std::max(safest, 1 - probability);
    }
    std::array<bool, 9> seen_deep = {};
    for (int row = 0; row < board.rows(); ++row) {
      Cell cell = board.cell(row, 0);
      for (int col = 0; col < board.cols(); ++col, ++cell) {
        if (board.known(cell) != Known::unknown) continue;
        Candidate candidate{.cell = cell, .safe = 1 - analysis.probability(cell)};
        if (lifts) candidate.lift = std::exp(lifts_[cell]);
        if (candidate.safe * candidate.lift < kNearlySafest * safest) continue;
        // About the probability of a zero, which opens most.
        double zero = 1;
        bool deep = analysis.front().group_of(cell) == Front::kNone;
        for (const int offset : board.neighbours()) {
          const auto next = static_cast<Cell>(cell + offset);
          if (board.known(next) == Known::bomb) zero = 0;
          if (board.known(next) != Known::unknown) continue;
          zero *= 1 - analysis.probability(next);
          deep = deep && analysis.front().group_of(next) == Front::kNone;
        }
        // Deep in the sea, cells with as many neighbours are alike.
        if (deep && std::exchange(seen_deep[at(board.unknown_around(cell))], true)) continue;
        candidate.order = candidate.safe * candidate.lift * (1 + kZeroBonus * zero);
        candidates.push_back(candidate);
      }
    }
    const auto before = [](const Candidate& a, const Candidate& b) {
      return std::abs(a.order - b.order) > kTie ? a.order > b.order : a.cell < b.cell;
    };
    const auto kept = std::min(candidates.size(), at(most));
    std::partial_sort(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(kept),
                      candidates.end(), before);
    candidates.resize(kept);
  }

  // Fills lifts_: two neighbours, one of them a bomb, end in a bare guess when all cells that touch
  // only one of them are bombs. Opening one of these cells now avoids that guess.
  void find_lifts(const Board& board, const Analysis<Number>& analysis) {
    lifts_.assign(at(board.size()), 0);
    const int down = board.cell(1, 0) - board.cell(0, 0);
    for (const Cell a : board.unknown()) {
      for (const auto& [along, across] : {std::pair(1, down), std::pair(down, 1)}) {
        const auto b = static_cast<Cell>(a + along);
        if (board.known(b) != Known::unknown) continue;
        // The cells that touch only one of the two; there is a rim, so all exist.
        const std::array<int, 6> ends = {a - along - across, a - along, a - along + across,
                                         b + along - across, b + along, b + along + across};
        double probability = 1;
        for (const int end : ends) {
          const auto cell = static_cast<Cell>(end);
          const Known known = board.known(cell);
          if (known == Known::open || known == Known::safe) probability = 0;
          if (known == Known::unknown) probability *= analysis.probability(cell);
        }
        if (probability < kNegligible) continue;
        const double in_a = analysis.probability(a), in_b = analysis.probability(b);
        double one = in_a * (1 - in_b) + in_b * (1 - in_a);
        for (const int beside : {a - across, a + across, b - across, b + across}) {
          const auto cell = static_cast<Cell>(beside);
          if (board.known(cell) == Known::open && board.need(cell) == 1) {
            one = std::min(1.0, in_a + in_b);
          }
        }
        const double lift = -std::log(1 - 0.5 * kBareGuess * crowded_ * probability * one);
        lifts_[a] += lift;
        lifts_[b] += lift;
        for (const int end : ends) lifts_[at(end)] += lift;
      }
    }
  }

  // The worth of opening a cell; anything lower when it is less than `to_beat`.
  double look_ahead(Board& board, Analysis<Number>& analysis, const Candidate& candidate, bool deep,
                    double to_beat) {
    analysis.prepare_glimpses(board, candidate.cell);
    const int around = board.unknown_around(candidate.cell);
    const double no_progress = kNoProgress + crowded_ * (kNoProgressCrowded - kNoProgress);
    const bool beside_bomb = std::ranges::any_of(board.neighbours(), [&](const int offset) {
      return board.known(moved(candidate.cell, offset)) == Known::bomb;
    });
    double value = 0, unseen = candidate.safe;
    for (int number = 0; number <= around && unseen > kTie; ++number) {
      if (value + unseen < to_beat) break;
      board.try_open(candidate.cell, number);
      const auto seen = analysis.glimpse(board, true);
      if (seen.share > 0) {
        double next = 1;
        if (seen.safe_cells == 0) {
          next = deep ? next_guess(board)
                      : no_progress * (1 - std::min({seen.least_probability, seen.sea_probability,
                                                     analysis.least_probability_elsewhere()}));
        } else if (number > 0 || beside_bomb) {
          next -= crowded_ * kLoneSafeCell / seen.safe_cells;
        }
        value += seen.share * next;
        unseen -= seen.share;
      }
      board.take_back(candidate.cell);
    }
    return value;
  }

  // The worth of the best cell of a board on which none is safe.
  double next_guess(Board& board) {
    if (deeper_.run(board) != Counted::yes) return 0.5;
    list_candidates(board, deeper_, kNextCandidates, false, next_candidates_);
    double best = 0;
    for (const Candidate& candidate : next_candidates_) {
      if (candidate.safe <= best) continue;
      best = std::max(best, look_ahead(board, deeper_, candidate, false, best));
    }
    return best;
  }

  GuessOptions options_;
  Analysis<Number> deeper_;
  std::vector<Candidate> candidates_, next_candidates_;
  std::vector<double> lifts_;  // by cell: the logarithm of the factor
  double crowded_ = 0;         // 0: few bombs; 1: as many as on the densest common boards
};

extern template class Guesser<double>;
extern template class Guesser<Wide>;

}  // namespace damier::exact::minesweeper
