// Candidates and their worth.

#include "damier/solve/minesweeper_guess.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <utility>

namespace damier::solve::minesweeper {

namespace {

constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Two values closer than this are equal: rounding must not decide.
constexpr double kTie = 1e-9;
// Cells that are less safe than this part of the safest are no candidates.
constexpr double kNearlySafest = 0.9;
// How much a sure zero would lift a cell in the order of candidates.
constexpr double kZeroBonus = 0.3;
// A guess after a guess is worth a little less than its safety: it may need another one.
constexpr double kNoProgress = 0.95;
constexpr int kNextCandidates = 4;

}  // namespace

template <class Number>
void Guesser<Number>::list_candidates(const Board& board, const Analysis<Number>& analysis,
                                      int most, std::vector<Candidate>& candidates) {
  candidates.clear();
  double safest = analysis.sea_cells() > 0 ? 1 - analysis.sea_chance() : 0;
  for (const double chance : analysis.group_chances()) safest = std::max(safest, 1 - chance);
  std::array<bool, 9> seen_deep = {};
  for (int row = 0; row < board.rows(); ++row) {
    Cell cell = board.cell(row, 0);
    for (int col = 0; col < board.cols(); ++col, ++cell) {
      if (board.known(cell) != Known::unknown) continue;
      Candidate candidate{.cell = cell, .safe = 1 - analysis.chance(cell)};
      if (candidate.safe < kNearlySafest * safest) continue;
      // About the chance of a zero, which opens most.
      double zero = 1;
      bool deep = analysis.front().group_of(cell) == Front::kNone;
      for (const int offset : board.neighbours()) {
        const auto next = static_cast<Cell>(cell + offset);
        if (board.known(next) == Known::bomb) zero = 0;
        if (board.known(next) != Known::unknown) continue;
        zero *= 1 - analysis.chance(next);
        deep = deep && analysis.front().group_of(next) == Front::kNone;
      }
      // Deep in the sea, cells with as many neighbours are alike.
      if (deep && std::exchange(seen_deep[at(board.unknown_around(cell))], true)) continue;
      candidate.order = candidate.safe * (1 + kZeroBonus * zero);
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

template <class Number>
double Guesser<Number>::look_ahead(Board& board, Analysis<Number>& analysis,
                                   const Candidate& candidate, bool deep, double to_beat) {
  analysis.prepare_glimpses(board, candidate.cell);
  const int around = board.unknown_around(candidate.cell);
  double value = 0, unseen = candidate.safe;
  for (int number = 0; number <= around && unseen > kTie; ++number) {
    if (value + unseen < to_beat) break;
    board.try_open(candidate.cell, number);
    const auto seen = analysis.glimpse(board, true);
    if (seen.share > 0) {
      double next = 1;
      if (seen.safe_cells == 0) {
        next = deep ? next_guess(board)
                    : kNoProgress * (1 - std::min({seen.least_risk, seen.sea_risk,
                                                   analysis.least_risk_elsewhere()}));
      }
      value += seen.share * next;
      unseen -= seen.share;
    }
    board.take_back(candidate.cell);
  }
  return value;
}

template <class Number>
double Guesser<Number>::next_guess(Board& board) {
  if (deeper_.run(board) != Counted::yes) return 0.5;
  list_candidates(board, deeper_, kNextCandidates, next_candidates_);
  double best = 0;
  for (const Candidate& candidate : next_candidates_) {
    if (candidate.safe <= best) continue;
    best = std::max(best, look_ahead(board, deeper_, candidate, false, best));
  }
  return best;
}

template <class Number>
Cell Guesser<Number>::guess(Board& board, Analysis<Number>& analysis) {
  list_candidates(board, analysis, options_.candidates, candidates_);
  assert(!candidates_.empty());
  const bool deep = options_.deep_candidates > 1;
  const double margin = deep ? options_.deep_margin : 0;
  double best_value = 0;
  for (Candidate& candidate : candidates_) {
    const double to_beat = best_value - margin;
    if (candidate.safe <= to_beat) continue;
    candidate.value = look_ahead(board, analysis, candidate, false, to_beat);
    best_value = std::max(best_value, candidate.value);
  }
  std::stable_sort(candidates_.begin(), candidates_.end(),
                   [](const Candidate& a, const Candidate& b) { return a.value > b.value + kTie; });
  if (!deep || candidates_.size() == 1) return candidates_[0].cell;
  Cell best = candidates_[0].cell;
  double best_deep = 0;
  for (std::size_t i = 0; i < std::min(candidates_.size(), at(options_.deep_candidates)); ++i) {
    Candidate& candidate = candidates_[i];
    if (candidate.value < best_value - margin) break;
    const double value = look_ahead(board, analysis, candidate, true, best_deep);
    if (value > best_deep + kTie) {
      best_deep = value;
      best = candidate.cell;
    }
  }
  return best;
}

template class Guesser<double>;
template class Guesser<Wide>;

}  // namespace damier::solve::minesweeper
