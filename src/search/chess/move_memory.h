// What a thread has learnt about moves while searching: which quiet moves, captures and answers cut
// off, and how far the static evaluation was off. Orders moves and decides reductions.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "damier/games/chess/state.h"

namespace damier::search::chess {

inline constexpr int kPieceSquares = 12 * games::chess::kSquares;
inline constexpr int kNoPieceSquare = kPieceSquares;  // before the game's first move

// A piece and the square that it goes to.
inline int piece_square(games::Side side, games::chess::Move move) {
  return (6 * games::index(side) + index(mover_of(move))) * games::chess::kSquares +
         index(to_of(move));
}

// A number that moves towards ±kMax with every bonus, the slower the nearer it is.
class Tendency {
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

class MoveMemory {
 public:
  using Move = games::chess::Move;
  using Row = std::array<Tendency, kPieceSquares>;

  MoveMemory() : continuations_(kPieceSquares + 1) {}

  void clear() {
    quiets_ = {};
    captures_ = {};
    answers_ = {};
    corrections_ = {};
    std::fill(continuations_.begin(), continuations_.end(), Row{});
  }

  Tendency& quiet(games::Side side, Move move) {
    return quiets_[static_cast<std::size_t>(games::index(side))]
                  [static_cast<std::size_t>(move) & 0xFFF];
  }
  Tendency& capture(int moved_to, int taken_kind) {
    return captures_[static_cast<std::size_t>(moved_to)][static_cast<std::size_t>(taken_kind)];
  }
  // The moves that follow a move of that piece to that square.
  Row& after(int moved_to) { return continuations_[static_cast<std::size_t>(moved_to)]; }
  Move& answer(int moved_to) { return answers_[static_cast<std::size_t>(moved_to)]; }

  // What the evaluation of such positions has to be corrected by, and a lesson about it.
  int correction(const games::chess::State& state) const;
  void correct(const games::chess::State& state, int error, int depth);

 private:
  static constexpr std::size_t kCorrections = 1 << 14;
  static constexpr int kCorrectionGrain = 256;
  struct CorrectionPlaces {
    std::size_t pawns, first, second;
  };
  static CorrectionPlaces places(const games::chess::State& state);

  std::array<std::array<Tendency, 4096>, 2> quiets_ = {};
  std::array<std::array<Tendency, 6>, kPieceSquares> captures_ = {};
  std::array<Move, kPieceSquares + 1> answers_ = {};
  std::array<std::array<std::array<std::int16_t, kCorrections>, 3>, 2> corrections_ = {};
  std::vector<Row> continuations_;
};

}  // namespace damier::search::chess
