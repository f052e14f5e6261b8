// How a game ended, as it is kept in the store: "first", "second" or "draw".
#pragma once

#include <string_view>

#include "damier/games/game.h"

namespace damier::games {

// Of a game that is over.
constexpr std::string_view outcome_word(Outcome outcome) {
  if (outcome == Outcome::draw) return "draw";
  return outcome == Outcome::first_wins ? "first" : "second";
}

}  // namespace damier::games
