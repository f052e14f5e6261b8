// How strong the players of a game are. A tournament found it, and strength/GAME.json is the one
// place that holds it: who is the strongest, and which players are the levels of `play`.
// The command `strength` plays the tournament that the file plans and writes it anew.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "damier/base/result.h"

namespace damier::play {

class Toolkit;

inline constexpr int kLevels = 10;
inline constexpr int kUsualLevel = 5;

// The tournament: its players, about the weakest first.
struct StrengthPlan {
  std::vector<std::string> players;
  std::int64_t games = 100;
  int neighbours = 4;
  int opening = 4;
  std::uint64_t seed = 1;
};

// What it found of a player.
struct StrengthRow {
  std::string player;
  double elo = 0;  // above `random`
  double low = 0;  // the 95 % interval
  double high = 0;
  std::int64_t games = 0;
  double score = 0;
  std::optional<double> seconds;  // of one core, a move in the mean
};

struct Strength {
  std::string game;
  StrengthPlan plan;
  std::string rules;                 // under which it was measured
  std::vector<StrengthRow> ratings;  // the weakest first; none: not measured yet
  std::vector<std::string> levels;   // from easy to the best
  std::string strongest;

  // null when there is none
  const StrengthRow* find(std::string_view player) const {
    const auto row = std::ranges::find(ratings, player, &StrengthRow::player);
    return row == ratings.end() ? nullptr : &*row;
  }
};

// A file of strength/; `source` names it in errors.
Result<Strength> read_strength(std::string_view text, std::string_view source);
std::string strength_text(const Strength& strength);

// Takes over what a tournament found, and chooses the levels: steps as equal as the players allow
// from the weakest but `random` to the strongest of those who take no longer than kMaxMoveSeconds.
// An error where there are fewer than kLevels of these.
inline constexpr double kMaxMoveSeconds = 2.5;  // seconds, in the mean
Status set_ratings(Strength& strength, std::vector<StrengthRow> ratings);

// What ships, by game.
std::span<const std::pair<std::string_view, std::string_view>> builtin_strengths();
// Null where nothing was measured of the game.
const Strength* strength_of(std::string_view game);

struct Level {
  int number = 0;  // from 1 on
  std::string player;
  std::optional<StrengthRow> measured;  // none: nobody has measured it
};
// The levels of a game of two players. A game that nobody measured has those that suit most games.
std::vector<Level> levels_of(const Toolkit& toolkit);
// "610 Elo above random, 590 below the strongest"; nothing of a player that nobody has measured.
std::optional<Text> strength_in_words(std::string_view player, const Toolkit& toolkit);

// Who gives advice, where nobody has measured it.
std::string presumed_strongest(bool is_solved);

}  // namespace damier::play
