// Random games from a position, as a measure of it. A game that declares random_outcome() or
// random_playouts() beside its class has them used instead of playing move by move.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>

#include "damier/base/files/interrupt.h"
#include "damier/games/playout.h"

namespace damier::search {

// A playout that goes on for longer is taken for a draw.
inline constexpr int kPlayoutPlies = 400;

// Many playouts at once take a part of a second.
inline constexpr std::uint64_t kGamesBetweenLooks = std::uint64_t{1} << 18;

// A game that plays one random game, or many at once, faster than move by move.
template <class G>
concept HasFastPlayout = games::Rules<G> &&
    requires(const G game, const typename G::State state, RandomStream random) {
  { random_outcome(game, state, random) } -> std::same_as<games::Outcome>;
};
template <class G>
concept HasManyPlayouts = games::Rules<G> && requires(const G game, const typename G::State state) {
  { random_playouts(game, state, std::uint64_t{}, Seed{}) } -> std::same_as<games::PlayoutTally>;
};

// One game played at random to its end. Never `ongoing`.
template <games::Rules G>
games::Outcome playout(const G& game, const typename G::State& state, RandomStream& random,
                       int max_plies = kPlayoutPlies) {
  if constexpr (HasFastPlayout<G>) {
    return random_outcome(game, state, random);
  } else {
    return games::random_playout(game, state, random, max_plies).outcome;
  }
}

// `count` games, or fewer after an interrupt, but at least one.
template <games::Rules G>
games::PlayoutTally playouts(const G& game, const typename G::State& state, std::uint64_t games,
                             RandomStream& random, int max_plies = kPlayoutPlies) {
  if constexpr (HasManyPlayouts<G>) {
    games::PlayoutTally tally;
    while (tally.games < games && !(tally.games > 0 && interrupted())) {
      const std::uint64_t more =
          interrupted() ? 1 : std::min(games - tally.games, kGamesBetweenLooks);
      tally += random_playouts(game, state, more, Seed{random()});
    }
    return tally;
  } else {
    games::PlayoutTally tally;
    while (tally.games < games && !(tally.games > 0 && interrupted())) {
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
