// The body of the playouts, included once for each instruction set by a file that is compiled with
// its own flags. Nothing here may come out as a shared inline function, or the linker could pick
// the wide version for everybody: hence plain arrays, builtins and internal linkage only (the test
// PortableObjects checks it).
#pragma once

#include <cstdint>

namespace damier::games::domineering {

inline constexpr int kLanes = 4;

struct KernelBoard {
  std::uint64_t free;
  std::uint64_t lower[2];  // of the side to move, then of the other one
  int shift[2];
};

struct KernelTally {
  std::uint64_t plies;
  std::uint64_t mover_wins;
};

struct PlayoutKernels {
  // Plays `games` games; `streams` holds kLanes states of xoshiro256++, which are moved on.
  KernelTally (*tally)(const KernelBoard& board, std::uint64_t games, std::uint64_t (*streams)[4]);
  // Plays one game with one such state: whether the side to move makes the last move.
  bool (*mover_wins)(const KernelBoard& board, std::uint64_t* stream);
};

extern const PlayoutKernels k_playouts_plain;
extern const PlayoutKernels k_playouts_bmi2;

namespace {

// RandomStream's generator, without its class.
inline std::uint64_t next_random(std::uint64_t* s) {
  const std::uint64_t sum = s[0] + s[3];
  const std::uint64_t result = ((sum << 23) | (sum >> 41)) + s[0];
  const std::uint64_t t = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= t;
  s[3] = (s[3] << 45) | (s[3] >> 19);
  return result;
}

// One ply of one game. A side that cannot move ends the game: no cell is free any more, and all
// later plies of this game do nothing.
template <class Bits>
inline void step(const KernelBoard& board, int side, std::uint64_t& free, std::uint64_t& plies,
                 std::uint64_t random32) {
  const std::uint64_t moves = free & (free >> board.shift[side]) & board.lower[side];
  const std::uint64_t choice = (random32 * Bits::count(moves)) >> 32;
  const std::uint64_t cell = Bits::nth_bit(moves, choice);
  const std::uint64_t after = free & ~(cell | cell << board.shift[side]);
  free = moves != 0 ? after : 0;
  plies += moves != 0;
}

template <class Bits>
inline KernelTally tally_of(const KernelBoard& board, std::uint64_t games,
                            std::uint64_t (*streams)[4]) {
  KernelTally tally = {0, 0};
  for (std::uint64_t first = 0; first < games; first += kLanes) {
    std::uint64_t free[kLanes], plies[kLanes];
    for (int lane = 0; lane < kLanes; ++lane) {
      free[lane] = board.free;
      plies[lane] = 0;
    }
    std::uint64_t any_free = board.free;
    while (any_free != 0) {
      any_free = 0;
      std::uint64_t random[kLanes];
      for (int lane = 0; lane < kLanes; ++lane) random[lane] = next_random(streams[lane]);
      for (int lane = 0; lane < kLanes; ++lane) {
        step<Bits>(board, 0, free[lane], plies[lane], random[lane] >> 32);
      }
      for (int lane = 0; lane < kLanes; ++lane) {
        step<Bits>(board, 1, free[lane], plies[lane], random[lane] & 0xFFFFFFFFu);
        any_free |= free[lane];
      }
    }
    for (int lane = 0; lane < kLanes && first + static_cast<unsigned>(lane) < games; ++lane) {
      tally.plies += plies[lane];
      tally.mover_wins += plies[lane] & 1;  // the last to move wins
    }
  }
  return tally;
}

// For searches, which need a single result at a time.
template <class Bits>
inline bool mover_wins(const KernelBoard& board, std::uint64_t* stream) {
  std::uint64_t words[4] = {stream[0], stream[1], stream[2], stream[3]};  // kept in registers
  std::uint64_t free = board.free;
  bool won = false;
  for (;;) {
    const std::uint64_t random = next_random(words);
    const std::uint64_t moves = free & (free >> board.shift[0]) & board.lower[0];
    if (moves == 0) break;
    std::uint64_t cell = Bits::nth_bit(moves, ((random >> 32) * Bits::count(moves)) >> 32);
    free &= ~(cell | cell << board.shift[0]);
    const std::uint64_t answers = free & (free >> board.shift[1]) & board.lower[1];
    won = answers == 0;
    if (won) break;
    cell = Bits::nth_bit(answers, ((random & 0xFFFFFFFFu) * Bits::count(answers)) >> 32);
    free &= ~(cell | cell << board.shift[1]);
  }
  for (int i = 0; i < 4; ++i) stream[i] = words[i];
  return won;
}

template <class Bits>
constexpr PlayoutKernels playout_kernels() {
  return {tally_of<Bits>, mover_wins<Bits>};
}

}  // namespace

}  // namespace damier::games::domineering
