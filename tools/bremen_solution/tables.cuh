// The solved states of Brême in the memory of a graphics card, and what kernels read there.
#pragma once

#include <cstdint>

#include "damier/exact/bremen/moves.h"

namespace damier::exact::bremen::gpu {

// What a position is worth to the side to move, in one number: a win in d plies is kMate - d, a
// loss in d plies d - kMate, a draw 0.
inline constexpr int kMate = 1000;
inline constexpr int kNoMove = -2 * kMate;  // an action that is no legal move

// What the state before is worth to the other side, which moves here.
DAMIER_HOST_DEVICE inline int score_before(int score) {
  return score < 0 ? -score - 1 : score > 0 ? -score + 1 : 0;
}

template <class B>
struct Tables {
  Planes<B> won, lost;
  // Half the distance of each state: wins have odd distances, losses even ones.
  std::uint8_t* half_distances[Numbering<B>::kPlanes] = {};

  __device__ int score_of(const State<B>& state) const {
    const bool is_won = won.has(state);
    if (!is_won && !lost.has(state)) return 0;
    const int half = half_distances[state.duty][Numbering<B>::number_of(state)];
    return is_won ? kMate - (2 * half + 1) : 2 * half - kMate;
  }
};

}  // namespace damier::exact::bremen::gpu
