// Random games from a position, as a measure of it.
//
// The one thing to know: a game may know a faster way to play many at once; where it has a
// random_playouts() beside it (domineering), that is used.
#pragma once

#include <concepts>
#include <cstdint>

#include "damier/games/domineering/domineering.h"
#include "damier/games/domineering/playouts.h"
#include "damier/games/playout.h"

namespace damier::search {

// A playout that goes on for longer is taken for a draw.
inline constexpr int kPlayoutPlies = 400;

// One game played at random to its end. Never `ongoing`.
template <games::Rules G>
games::Outcome playout(const G& game, const typename G::State& state, RandomStream& random,
                       int max_plies = kPlayoutPlies) {
  return games::random_playout(game, state, random, max_plies).outcome;
}

// The same without move lists: a move is the n-th set bit of the placements.
games::Outcome playout(const games::domineering::Domineering& game,
                       const games::domineering::State& state, RandomStream& random,
                       int max_plies = kPlayoutPlies);

// The same again with or without PDEP, for the tests and to measure what it buys.
games::Outcome domineering_playout_with(games::domineering::PlayoutKernel kernel,
                                        const games::domineering::Domineering& game,
                                        const games::domineering::State& state,
                                        RandomStream& random);

template <class G>
concept HasManyPlayouts = games::Rules<G> && requires(const G game, const typename G::State state) {
  { random_playouts(game, state, std::uint64_t{}, Seed{}) } -> std::same_as<games::PlayoutTally>;
};

template <games::Rules G>
games::PlayoutTally playouts(const G& game, const typename G::State& state, std::uint64_t games,
                             RandomStream& random, int max_plies = kPlayoutPlies) {
  if constexpr (HasManyPlayouts<G>) {
    return random_playouts(game, state, games, Seed{random()});
  } else {
    games::PlayoutTally tally;
    for (std::uint64_t i = 0; i < games; ++i) {
      const games::Playout one = games::random_playout(game, state, random, max_plies);
      tally += {.games = 1,
                .first_wins = one.outcome == games::Outcome::first_wins,
                .draws = one.outcome == games::Outcome::draw,
                .plies = static_cast<std::uint64_t>(one.plies)};
    }
    return tally;
  }
}

// The sum of the results for `side`: 1 a win, -1 a loss.
inline double result_for(games::Side side, const games::PlayoutTally& tally) {
  const double first = 2.0 * static_cast<double>(tally.first_wins) +
                       static_cast<double>(tally.draws) - static_cast<double>(tally.games);
  return side == games::Side::first ? first : -first;
}

inline double result_for(games::Side side, games::Outcome outcome) {
  if (outcome == games::Outcome::draw) return 0;
  return outcome == games::win_of(side) ? 1 : -1;
}

}  // namespace damier::search
