// The two sides, and how a game ends.
#pragma once

#include <cstdint>
#include <string_view>

namespace damier::games {

enum class Side : std::uint8_t { first, second };

constexpr int index(Side side) { return static_cast<int>(side); }
constexpr Side opponent(Side side) { return side == Side::first ? Side::second : Side::first; }

// The result for the two sides; a game of one player is won or lost by Side::first.
enum class Outcome : std::uint8_t { ongoing, first_wins, second_wins, draw };

constexpr Outcome win_of(Side side) {
  return side == Side::first ? Outcome::first_wins : Outcome::second_wins;
}
constexpr Outcome with_sides_swapped(Outcome outcome) {
  if (outcome == Outcome::first_wins) return Outcome::second_wins;
  if (outcome == Outcome::second_wins) return Outcome::first_wins;
  return outcome;
}

// As it is kept in the store and shown to pages: "first", "second", "draw" or "ongoing".
constexpr std::string_view outcome_word(Outcome outcome) {
  constexpr std::string_view kWords[] = {"ongoing", "first", "second", "draw"};
  return kWords[static_cast<int>(outcome)];
}

// How a game of one player with hidden information ended.
struct HiddenResult {
  bool won = false;
  int score = 0;  // as the game counts it: safe cells opened, in minesweeper
};

}  // namespace damier::games
