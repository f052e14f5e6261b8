// Games of Domineering as a graphics card plays them: one thread a game, the players of weak games
// among them search/monte_carlo.h's bandit. The same text compiles for the processor, which the
// tests use.
//
// A position is its free cells in a frame of 8x8 as the side to move sees it (encoders.h), so after
// a move the board is transposed.
#pragma once

#include <cmath>
#include <cstdint>

#if defined(__CUDACC__)
#define DAMIER_BOTH __host__ __device__
#else
#define DAMIER_BOTH
#endif

namespace damier::learn::domineering::gpu {

using Cells = std::uint64_t;

inline constexpr Cells kAllButLastColumn = 0x7F7F7F7F7F7F7F7Fu;
inline constexpr int kMaxMoves = 56;

DAMIER_BOTH inline int count(std::uint32_t bits) {
#if defined(__CUDA_ARCH__)
  return __popc(bits);
#else
  return __builtin_popcount(bits);
#endif
}
DAMIER_BOTH inline int count(Cells cells) {
  return count(static_cast<std::uint32_t>(cells)) + count(static_cast<std::uint32_t>(cells >> 32));
}
DAMIER_BOTH inline int lowest(Cells cells) {
#if defined(__CUDA_ARCH__)
  return __ffsll(static_cast<long long>(cells)) - 1;
#else
  return __builtin_ctzll(cells);
#endif
}

// Where the mover's domino can begin, and the other side's.
DAMIER_BOTH inline Cells upright(Cells free) { return free & free >> 8; }
DAMIER_BOTH inline Cells flat(Cells free) { return free & free >> 1 & kAllButLastColumn; }

DAMIER_BOTH inline Cells transposed(Cells x) {
  Cells t = (x ^ x >> 7) & 0x00AA00AA00AA00AAu;
  x ^= t ^ t << 7;
  t = (x ^ x >> 14) & 0x0000CCCC0000CCCCu;
  x ^= t ^ t << 14;
  t = (x ^ x >> 28) & 0x00000000F0F0F0F0u;
  return x ^ t ^ t << 28;
}

DAMIER_BOTH inline Cells after_move(Cells free, int cell) {
  const Cells upper = Cells{1} << cell;
  return transposed(free & ~(upper | upper << 8));
}

// xoroshiro64*: two words, since a thread has few registers.
struct Random {
  std::uint32_t a, b;

  DAMIER_BOTH Random(std::uint64_t seed, std::uint64_t number) {
    std::uint64_t x = seed + 0x9E3779B97F4A7C15u * (number + 1);
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    x ^= x >> 31;
    a = static_cast<std::uint32_t>(x) | 1u;
    b = static_cast<std::uint32_t>(x >> 32);
  }
  DAMIER_BOTH std::uint32_t next() {
    const std::uint32_t result = a * 0x9E3779BBu;
    const std::uint32_t mixed = a ^ b;
    a = (a << 26 | a >> 6) ^ mixed ^ mixed << 9;
    b = mixed << 13 | mixed >> 19;
    return result;
  }
  DAMIER_BOTH int below(int n) {
    return static_cast<int>(static_cast<std::uint64_t>(next()) * static_cast<std::uint32_t>(n) >>
                            32);
  }
};

// The place of the n-th set bit: counts of 2, 4, 8 and 16 bits side by side, then down the halves.
DAMIER_BOTH inline int nth_of_word(std::uint32_t word, int n) {
  const std::uint32_t twos = word - (word >> 1 & 0x55555555u);
  const std::uint32_t fours = (twos & 0x33333333u) + (twos >> 2 & 0x33333333u);
  const std::uint32_t eights = (fours + (fours >> 4)) & 0x0F0F0F0Fu;
  const std::uint32_t half = (eights + (eights >> 8)) & 0xFFu;
  std::uint32_t left = static_cast<std::uint32_t>(n), at = 0, here = half;
  if (left >= here) left -= here, at = 16;
  here = eights >> at & 0xFFu;
  if (left >= here) left -= here, at += 8;
  here = fours >> at & 0xFu;
  if (left >= here) left -= here, at += 4;
  here = twos >> at & 3u;
  if (left >= here) left -= here, at += 2;
  if (left >= (word >> at & 1u)) at += 1;
  return static_cast<int>(at);
}

DAMIER_BOTH inline int any_of(Cells cells, Random& random) {
  const auto low = static_cast<std::uint32_t>(cells),
             high = static_cast<std::uint32_t>(cells >> 32);
  const int in_low = count(low), n = random.below(in_low + count(high));
  return n < in_low ? nth_of_word(low, n) : 32 + nth_of_word(high, n - in_low);
}

// A random game: whether the side to move makes the last move.
DAMIER_BOTH inline bool mover_wins(Cells free, Random& random) {
  for (;;) {
    Cells moves = upright(free);
    if (moves == 0) return false;
    Cells cell = Cells{1} << any_of(moves, random);
    free &= ~(cell | cell << 8);
    moves = flat(free);
    if (moves == 0) return true;
    cell = Cells{1} << any_of(moves, random);
    free &= ~(cell | cell << 1);
  }
}

// Who plays: at random with `games` 0, so many random games after each move in turn, or as many in
// all by a bandit.
struct Player {
  int games = 100;
  float c = 0.4f;  // less than 0: no bandit
};

// search::flat and search::bandit with their defaults, the moves in the order of the board of the
// side that is `second` or not. There must be a move; its upper cell.
DAMIER_BOTH inline int chosen_move(Cells free, bool second, Player player, Random& random) {
  if (player.games == 0) return any_of(upright(free), random);
  std::uint8_t cells[kMaxMoves];
  std::uint16_t visits[kMaxMoves], wins[kMaxMoves];
  float means[kMaxMoves], widths[kMaxMoves];
  int moves = 0;
  Cells places = upright(free);
  if (second) places = transposed(places);
  for (; places != 0; places &= places - 1) {
    const int place = lowest(places);
    cells[moves] = static_cast<std::uint8_t>(second ? (place & 7) << 3 | place >> 3 : place);
    visits[moves] = wins[moves] = 0;
    means[moves] = 0;
    widths[moves++] = 1;
  }
  const int total = player.games * moves;
  for (int t = 0; t < total; ++t) {
    int at = player.c < 0 ? t / player.games : t;
    if (t >= moves && player.c >= 0) {
      const float wide = player.c * sqrtf(logf(static_cast<float>(t)));
      float best = -1e30f;
      for (int i = 0; i < moves; ++i) {
        const float bound = means[i] + wide * widths[i];
        if (bound > best) {
          best = bound;
          at = i;
        }
      }
    }
    // A game that the move ends needs no playing: mover_wins() sees it at once.
    wins[at] =
        static_cast<std::uint16_t>(wins[at] + !mover_wins(after_move(free, cells[at]), random));
    ++visits[at];
    const float n = static_cast<float>(visits[at]);
    means[at] = 2.0f * static_cast<float>(wins[at]) / n - 1.0f;
    widths[at] = 1.0f / sqrtf(n);
  }
  int best = 0, equal = 1;
  for (int i = 1; i < moves; ++i) {
    if (player.c < 0) {  // by lot among equals
      if (wins[i] > wins[best]) {
        best = i;
        equal = 1;
      } else if (wins[i] == wins[best] && random.below(++equal) == 0) {
        best = i;
      }
    } else if (visits[i] != visits[best] ? visits[i] > visits[best] : wins[i] > wins[best]) {
      best = i;
    }
  }
  return cells[best];
}

// What the network sees of a position (encoders.h).

DAMIER_BOTH inline int packed_dominoes(Cells cells, Cells can_begin, int step) {
  int dominoes = 0;
  for (;;) {
    const Cells starts = cells & cells >> step & can_begin;
    const Cells firsts = starts & ~(starts << step);
    if (firsts == 0) return dominoes;
    dominoes += count(firsts);
    cells &= ~(firsts | firsts << step);
  }
}

// The seven planes' numbers at one cell.
DAMIER_BOTH inline void planes_at(Cells free, int cell, float* out, int step) {
  const Cells own = upright(free), other = flat(free);
  const Cells own_cells = own | own << 8, other_cells = other | other << 1;
  const Cells only_own = own_cells & ~other_cells, only_other = other_cells & ~own_cells;
  const Cells planes[5] = {free, own, other, only_own, only_other};
  for (int i = 0; i < 5; ++i) out[i * step] = static_cast<float>(planes[i] >> cell & 1);
  const int safe =
      packed_dominoes(only_own, ~Cells{0}, 8) - packed_dominoes(only_other, kAllButLastColumn, 1);
  out[5 * step] = static_cast<float>(safe) / 8.0f;
  out[6 * step] = static_cast<float>(count(own) - count(other)) / 32.0f;
}

// Left to right with bit 0 of `turn`, upside down with bit 1.
DAMIER_BOTH inline Cells turned(Cells x, int turn) {
  if (turn & 1) {
    x = (x >> 1 & 0x5555555555555555u) | (x & 0x5555555555555555u) << 1;
    x = (x >> 2 & 0x3333333333333333u) | (x & 0x3333333333333333u) << 2;
    x = (x >> 4 & 0x0F0F0F0F0F0F0F0Fu) | (x & 0x0F0F0F0F0F0F0F0Fu) << 4;
  }
  if (turn & 2) {
    x = (x >> 8 & 0x00FF00FF00FF00FFu) | (x & 0x00FF00FF00FF00FFu) << 8;
    x = (x >> 16 & 0x0000FFFF0000FFFFu) | (x & 0x0000FFFF0000FFFFu) << 16;
    x = x >> 32 | x << 32;
  }
  return x;
}

}  // namespace damier::learn::domineering::gpu
