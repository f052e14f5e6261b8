// What the report on minesweeper prints, as numbers.
//
// The one thing to know: its win rates come from 1,000 games each, so that one of them is known to
// about three percent, and its best one is the best of all settings tried on such games.
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace damier::lab::published {

// The players, in the order of the report's chapters.
enum Player : std::size_t { kFirst, kMany, kTrained, kWide, kDistinct, kFlags, kTuned, kPlayers };

struct Scores {
  std::string_view name;
  double wins = 0;  // percent
  double mean = 0;  // safe cells opened, of 90
  std::string_view quartiles;
};
inline constexpr std::array<Scores, kPlayers> kScores = {{
    {"first", 18.2, 68, "61 / 82 / 88"},
    {"more patches", 19.3, 67, ""},
    {"batch and epochs", 58.6, 76, "79 / 90 / 90"},
    {"wider network", 58.4, 75, ""},
    {"no duplicates", 62.5, 76, "80 / 90 / 90"},
    {"flags", 67, 69, "62 / 90 / 90"},
    {"flags, tuned", 86.6, 82, ""},
}};
inline constexpr Scores kRandom = {"random", 0.1, 61, "55 / 71 / 78"};

// Its best setting of the player with flags.
inline constexpr double kPlayful = 1.15;
inline constexpr double kThreshold = 0.96;

// Shares of patches that come twice, of 500,000 of each kind.
inline constexpr double kSafeDuplicates = 47;
inline constexpr double kBombDuplicates = 66;

// A row of its tables 3 and 4.
struct Board {
  int side = 0;
  int bombs = 0;
  double wins = 0;   // percent
  double score = 0;  // mean score, in percent of the highest
};
inline constexpr std::array<Board, 10> kSizes = {{{6, 4, 83.5, 88.2},
                                                  {8, 6, 86, 90.9},
                                                  {10, 10, 86.6, 91.3},
                                                  {12, 14, 80, 89.7},
                                                  {14, 20, 73.7, 88.2},
                                                  {16, 26, 69.3, 86.7},
                                                  {18, 32, 67.3, 87.4},
                                                  {20, 40, 61.5, 86.2},
                                                  {22, 48, 54.9, 83.8},
                                                  {24, 58, 48.8, 81.7}}};
inline constexpr std::array<Board, 11> kDensities = {{{10, 4, 98, 98},
                                                      {10, 6, 95.2, 95.8},
                                                      {10, 8, 90, 92.8},
                                                      {10, 10, 86.6, 91.3},
                                                      {10, 12, 68.3, 81.8},
                                                      {10, 14, 51.9, 74},
                                                      {10, 16, 35, 66.7},
                                                      {10, 18, 18.8, 56.1},
                                                      {10, 20, 7.9, 43.9},
                                                      {10, 22, 3.4, 32.3},
                                                      {10, 24, 0.4, 28.1}}};

}  // namespace damier::lab::published
