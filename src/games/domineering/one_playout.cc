// One random game of domineering. Unlike the kernel for many games, which plays four side by side,
// this one is for searches that need a single result at a time.

#include "damier/base/numbers/bits.h"
#include "damier/base/parallel/cpu.h"
#include "damier/games/domineering/nth_bit.h"
#include "damier/games/domineering/playouts.h"

namespace damier::games::domineering {

namespace {

struct Board {
  CellSet lower[2];  // of the side to move, then of the other one
  int shift[2];
};

// Whether the side to move makes the last move. A move is drawn with 32 random bits.
bool mover_wins_plain(const Board& board, CellSet free, RandomStream& random) {
  for (;;) {
    const std::uint64_t bits = random();
    for (const std::size_t side : {0u, 1u}) {
      const CellSet moves = free & (free >> board.shift[side]) & board.lower[side];
      if (moves == 0) return side == 1;
      const std::uint64_t half = side == 0 ? bits >> 32 : bits & 0xFFFFFFFFu;
      const CellSet cell = nth_bit(moves, (half * static_cast<unsigned>(bit_count(moves))) >> 32);
      free &= ~(cell | cell << board.shift[side]);
    }
  }
}

#if defined(__x86_64__)
// The same moves from the same stream. Only this function is compiled for the instructions.
[[gnu::target("bmi,bmi2,popcnt")]] bool mover_wins_bmi2(const Board& board, CellSet free,
                                                        RandomStream& random) {
  RandomStream own = random;  // kept in registers
  bool won = false;
  for (;;) {
    const std::uint64_t bits = own();
    CellSet moves = free & (free >> board.shift[0]) & board.lower[0];
    if (moves == 0) break;
    const auto first = static_cast<std::uint64_t>(__builtin_popcountll(moves));
    CellSet cell = __builtin_ia32_pdep_di(CellSet{1} << (((bits >> 32) * first) >> 32), moves);
    free &= ~(cell | cell << board.shift[0]);
    moves = free & (free >> board.shift[1]) & board.lower[1];
    if (moves == 0) {
      won = true;
      break;
    }
    const auto second = static_cast<std::uint64_t>(__builtin_popcountll(moves));
    cell = __builtin_ia32_pdep_di(CellSet{1} << (((bits & 0xFFFFFFFFu) * second) >> 32), moves);
    free &= ~(cell | cell << board.shift[1]);
  }
  random = own;
  return won;
}
#endif

}  // namespace

Outcome random_outcome_with([[maybe_unused]] PlayoutKernel kernel, const Domineering& game,
                            const State& state, RandomStream& random) {
  const Side other = opponent(state.side);
  const Board board = {{game.lower_cells(state.side), game.lower_cells(other)},
                       {game.shift(state.side), game.shift(other)}};
#if defined(__x86_64__)
  const bool won = kernel == PlayoutKernel::bmi2 ? mover_wins_bmi2(board, state.free, random)
                                                 : mover_wins_plain(board, state.free, random);
#else
  const bool won = mover_wins_plain(board, state.free, random);
#endif
  return win_of(won ? state.side : other);
}

Outcome random_outcome(const Domineering& game, const State& state, RandomStream& random) {
  static const bool kFastPdep = cpu_features().fast_pdep;
  return random_outcome_with(kFastPdep ? PlayoutKernel::bmi2 : PlayoutKernel::plain, game, state,
                             random);
}

}  // namespace damier::games::domineering
