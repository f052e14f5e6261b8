// Answers of the solved tables for many states at once, and moves played in all of them. States
// cross the border as one number each (`Packed`), so that other languages can hold them too.
#pragma once

#include <cstdint>

#include "tools/bremen_solution/solver.cuh"

namespace damier::exact::bremen::gpu {

// The squares of the own animals in five bits each, from the lowest on, then those of the enemy's,
// then the duty (4: none).
using Packed = std::uint64_t;

DAMIER_HOST_DEVICE inline Packed packed(const State<FullBoard>& state) {
  Packed bits = static_cast<Packed>(state.duty) << 40;
  for (int i = 0; i < FullBoard::kAnimals; ++i) {
    bits |= static_cast<Packed>(state.own[i]) << (5 * i);
    bits |= static_cast<Packed>(state.enemy[i]) << (20 + 5 * i);
  }
  return bits;
}

DAMIER_HOST_DEVICE inline State<FullBoard> unpacked(Packed bits) {
  State<FullBoard> state;
  for (int i = 0; i < FullBoard::kAnimals; ++i) {
    state.own[i] = static_cast<int>(bits >> (5 * i) & 31);
    state.enemy[i] = static_cast<int>(bits >> (20 + 5 * i) & 31);
  }
  state.duty = static_cast<int>(bits >> 40 & 7);
  return state;
}

inline constexpr int kActions = FullBoard::kAnimals * FullBoard::kSquares;  // 25 * animal + square

// For each state what every action is worth to the side to move (kNoMove where it is not legal),
// and the state itself. Finished states have no move and are lost.
static __global__ void look_up(Tables<FullBoard> tables, Geometry<FullBoard> table,
                               const Packed* states, std::int64_t count, std::int16_t* actions,
                               std::int16_t* scores) {
  const Geometry<FullBoard>& geometry = near_copy(table);
  const std::int64_t at = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (at >= count) return;
  const State<FullBoard> state = unpacked(states[at]);
  std::int16_t* row = actions + at * kActions;
  for (int i = 0; i < kActions; ++i) row[i] = kNoMove;
  int best = -kMate;
  for_each_move(geometry, state, [&](Move move) {
    const int score = score_before(tables.score_of(after(state, move)));
    row[FullBoard::kSquares * move.animal + move.to] = static_cast<std::int16_t>(score);
    if (score > best) best = score;
    return true;
  });
  scores[at] = static_cast<std::int16_t>(best);
}

// Plays an action in each state; 1 in `finished` where the game is over then.
static __global__ void play(Geometry<FullBoard> table, Packed* states, const std::uint8_t* actions,
                            std::int64_t count, std::uint8_t* finished) {
  const Geometry<FullBoard>& geometry = near_copy(table);
  const std::int64_t at = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (at >= count) return;
  const int action = actions[at];
  const Move move{action / FullBoard::kSquares, action % FullBoard::kSquares};
  const State<FullBoard> next = after(unpacked(states[at]), move);
  states[at] = packed(next);
  finished[at] = is_finished(geometry, next) ? 1 : 0;
}

inline unsigned int blocks_for(std::int64_t count) {
  return static_cast<unsigned int>((count + kThreads - 1) / kThreads);
}

}  // namespace damier::exact::bremen::gpu
