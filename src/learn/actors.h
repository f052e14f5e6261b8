// How a game of two players acts for whoever learns from playing it: what a position may be said to
// be worth before the game is over.
//
// A game that has something of its own specialises ActorsOf in learn/GAME/task.h:
//   template <> struct ActorsOf<MyGame> : GenericActors<MyGame> { … };
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "damier/games/game.h"

namespace damier::learn {

template <games::Game G>
struct GenericActors {
  static std::vector<std::string> potentials() {
    if constexpr (games::HasHeuristic<G>) return {"heuristic"};
    return {};
  }
  // One of them, for the side to move.
  static double potential([[maybe_unused]] const G& game, std::string_view,
                          [[maybe_unused]] const typename G::State& state) {
    if constexpr (games::HasHeuristic<G>) return game.heuristic(state) / 100.0;
    return 0;
  }
};

template <games::Game G>
struct ActorsOf : GenericActors<G> {};

}  // namespace damier::learn
