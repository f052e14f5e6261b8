// Perft: the number of move sequences of a given length, the classic check of move generation. The
// last ply is counted, not played, where the game can count.
#pragma once

#include <concepts>
#include <cstdint>

#include "damier/base/files/interrupt.h"
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

// A game in which a position can be drawn although its side has moves (chess without the material
// to mate) offers the same rules without such draws.
template <class G>
concept DrawsByRule = Rules<G> && requires(const G game) {
  { game.without_draws() } -> std::same_as<G>;
};

// The rules that perft walks by: everybody counts moves alone, and draws end nothing. A game that
// is won or lost is over all the same.
template <Rules G>
decltype(auto) moves_alone(const G& game) {
  if constexpr (DrawsByRule<G>) {
    return game.without_draws();
  } else {
    return (game);
  }
}

template <bool kInBulk = true, Rules G>
std::uint64_t count_lines(const G& game, const typename G::State& state, int depth) {
  if (depth <= 0) return 1;
  if (kInBulk && depth == 1) return count_legal_moves(game, state);
  constexpr int kDepthBetweenLooks = 5;
  if (depth >= kDepthBetweenLooks && interrupted()) return 0;
  std::uint64_t nodes = 0;
  for (const typename G::Move move : game.legal_moves(state)) {
    typename G::State next = state;
    game.play(next, move);
    nodes += count_lines<kInBulk>(game, next, depth - 1);
  }
  return nodes;
}

// After an interrupt the count ends early and is void.
template <Rules G>
std::uint64_t perft(const G& game, const typename G::State& state, int depth) {
  return count_lines(moves_alone(game), state, depth);
}

// The plain twin: every node is played, nothing is counted in bulk.
template <Rules G>
std::uint64_t perft_plain(const G& game, const typename G::State& state, int depth) {
  return count_lines<false>(moves_alone(game), state, depth);
}

}  // namespace damier::games
