// Perft: the number of move sequences of a given length, the classic check of move generation. The
// last ply is counted, not played, where the game can count.
#pragma once

#include <cstdint>

#include "damier/base/interrupt.h"
#include "damier/games/game.h"

namespace damier::games {

template <Rules G>
std::uint64_t count_legal_moves(const G& game, const typename G::State& state) {
  if constexpr (CountsMoves<G>) {
    return static_cast<std::uint64_t>(game.count_moves(state));
  } else {
    return game.legal_moves(state).size();
  }
}

// A finished position has no successors. After an interrupt the count ends early and is void.
template <Rules G>
std::uint64_t perft(const G& game, const typename G::State& state, int depth) {
  if (depth <= 0) return 1;
  if (depth == 1) return count_legal_moves(game, state);
  constexpr int kDepthBetweenLooks = 5;
  if (depth >= kDepthBetweenLooks && interrupted()) return 0;
  std::uint64_t nodes = 0;
  for (const typename G::Move move : game.legal_moves(state)) {
    typename G::State next = state;
    game.play(next, move);
    nodes += perft(game, next, depth - 1);
  }
  return nodes;
}

// The plain twin: every node is played, nothing is counted in bulk.
template <Rules G>
std::uint64_t perft_plain(const G& game, const typename G::State& state, int depth) {
  if (depth == 0) return 1;
  std::uint64_t nodes = 0;
  for (const typename G::Move move : game.legal_moves(state)) {
    typename G::State next = state;
    game.play(next, move);
    nodes += perft_plain(game, next, depth - 1);
  }
  return nodes;
}

}  // namespace damier::games
