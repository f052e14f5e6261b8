// The history tables of a thread: which quiet moves, captures and replies caused cutoffs, and how
// far the static evaluation was off. They order moves and decide reductions.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "damier/games/chess/state.h"

namespace damier::search::chess {

inline constexpr int kPieceToCount = 12 * games::chess::kSquares;
inline constexpr int kNoPieceTo = kPieceToCount;  // before the game's first move

// The number of a piece and the square that it goes to.
inline int piece_to_of(games::Side side, games::chess::Move move) {
  return (6 * games::index(side) + index(mover_of(move))) * games::chess::kSquares +
         index(to_of(move));
}

// A number that moves towards ±kMax with every bonus, the slower the nearer it is.
class HistoryEntry {
 public:
  static constexpr int kMax = 16'384;

  operator int() const { return value_; }
  void add(int bonus) {
    bonus = std::clamp(bonus, -kMax, kMax);
    value_ = static_cast<std::int16_t>(value_ + bonus - value_ * std::abs(bonus) / kMax);
  }

 private:
  std::int16_t value_ = 0;
};

using PieceToHistory = std::array<HistoryEntry, kPieceToCount>;

class Histories {
 public:
  using Move = games::chess::Move;

  Histories() : continuation_(kPieceToCount + 1) {}

  void clear() {
    butterfly_ = {};
    capture_ = {};
    counter_moves_ = {};
    correction_ = {};
    std::fill(continuation_.begin(), continuation_.end(), PieceToHistory{});
  }

  // Butterfly history: quiet moves by side, square of departure and of arrival.
  HistoryEntry& butterfly(games::Side side, Move move) {
    return butterfly_[static_cast<std::size_t>(games::index(side))]
                     [static_cast<std::size_t>(move) & 0xFFF];
  }
  // Capture history: by piece, square and captured kind.
  HistoryEntry& capture(int piece_to, int captured_kind) {
    return capture_[static_cast<std::size_t>(piece_to)][static_cast<std::size_t>(captured_kind)];
  }
  // Continuation history: the moves that follow a move of that piece to that square.
  PieceToHistory& continuation(int piece_to) {
    return continuation_[static_cast<std::size_t>(piece_to)];
  }
  // The quiet move that refuted the last move of that piece to that square.
  Move& counter_move(int piece_to) { return counter_moves_[static_cast<std::size_t>(piece_to)]; }

  // Correction history: by how much the static evaluation is wrong in positions with these pawns,
  // and with these other pieces of either side.
  int correction(const games::chess::State& state) const;
  void update_correction(const games::chess::State& state, int error, int depth);

 private:
  static constexpr std::size_t kCorrections = 1 << 14;
  static constexpr int kCorrectionGrain = 256;
  struct CorrectionSlots {
    std::size_t pawns, first, second;
  };
  static CorrectionSlots slots(const games::chess::State& state);

  std::array<std::array<HistoryEntry, 4096>, 2> butterfly_ = {};
  std::array<std::array<HistoryEntry, 6>, kPieceToCount> capture_ = {};
  std::array<Move, kPieceToCount + 1> counter_moves_ = {};
  std::array<std::array<std::array<std::int16_t, kCorrections>, 3>, 2> correction_ = {};
  std::vector<PieceToHistory> continuation_;
};

}  // namespace damier::search::chess
