// The legal moves of a position, by the fastest kernel that this processor can run.
//
// These are the moves by the laws of movement alone. Draws by material or by length are decided by
// the game (chess.h).
#pragma once

#include "damier/base/parallel/isa.h"
#include "damier/games/chess/state.h"

namespace damier::games::chess {

struct AttackTables;

// What a kernel (move_kernel.h) offers, compiled for one instruction set.
struct MoveKernel {
  int (*count)(const AttackTables&, const State&);
  Move* (*list_some)(const AttackTables&, const State&, Bitboard, Bitboard, Move*);
  Bitboard (*checkers)(const AttackTables&, const State&);
  bool (*can_take_en_passant)(const AttackTables&, const State&, Square);
};

extern const MoveKernel kPlainKernel;
extern const MoveKernel kBmi2Kernel;

// bmi2 where it can be run, else plain: there is code for these two.
Isa chess_isa();

class Generator {
 public:
  Generator() : Generator(chess_isa()) {}
  explicit Generator(Isa isa);

  int count(const State& state) const { return kernel_->count(*tables_, state); }
  MoveList list(const State& state) const { return list_some(state, ~Bitboard{0}, ~Bitboard{0}); }
  // Only the moves from and to the given squares; castling goes to the rook's.
  MoveList list_some(const State& state, Bitboard from, Bitboard to) const {
    MoveList moves;
    moves.fill_with([&](Move* out) { return kernel_->list_some(*tables_, state, from, to, out); });
    return moves;
  }
  // The pieces that give check to the side to move.
  Bitboard checkers(const State& state) const { return kernel_->checkers(*tables_, state); }
  // Whether the side to move has a legal en passant capture on the square behind a double step.
  bool can_take_en_passant(const State& state, Square square) const {
    return kernel_->can_take_en_passant(*tables_, state, square);
  }

 private:
  const MoveKernel* kernel_;
  const AttackTables* tables_;
};

}  // namespace damier::games::chess
