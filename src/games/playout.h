// One game played at random from a state: the plain version, for any game.
#pragma once

#include <cstdint>

#include "damier/games/game.h"

namespace damier::games {

struct Playout {
  Outcome outcome = Outcome::draw;  // a draw when `max_plies` were played without a result
  int plies = 0;
};

template <Rules G>
Playout random_playout(const G& game, typename G::State state, RandomStream& random,
                       int max_plies) {
  for (int plies = 0; plies < max_plies; ++plies) {
    const auto moves = game.legal_moves(state);
    if (moves.empty()) return {game.outcome(state), plies};
    game.play(state, moves[random.below(moves.size())]);
  }
  const Outcome outcome = game.outcome(state);
  return {outcome == Outcome::ongoing ? Outcome::draw : outcome, max_plies};
}

// Many playouts added up.
struct PlayoutTally {
  std::uint64_t games = 0;
  std::uint64_t first_wins = 0;
  std::uint64_t draws = 0;
  std::uint64_t plies = 0;

  bool operator==(const PlayoutTally&) const = default;
  PlayoutTally& operator+=(const PlayoutTally& other) {
    games += other.games;
    first_wins += other.first_wins;
    draws += other.draws;
    plies += other.plies;
    return *this;
  }
};

}  // namespace damier::games
