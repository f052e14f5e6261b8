// The sets of benchmarks that `damier bench NAME` runs. The program knows them by these facts; the
// work itself is in damier_bench, a program of its own.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "damier/base/numbers/random.h"

namespace damier::bench {

struct Suite {
  std::string_view name;
  std::string_view about;
  std::string_view peer;  // another program that it can be measured beside; empty: none
  std::size_t rows = 0;   // for each game and number of threads, where it has games
  // Games that can be measured alone; none: the suite is one whole and uses one thread.
  std::span<const std::string_view> games = {};
};

inline constexpr std::string_view kSelfPlayGames[] = {"domineering", "bremen", "fanorona"};
// The first is the default.
inline constexpr Suite kSuites[] = {
    {"games", "how fast the rules are", "", 4},
    {"search", "search and exact solvers", "", 5},
    {"chess-rules", "the rules of chess and its files", "stockfish", 6},
    {"chess", "the chess engine", "stockfish", 2},
    {"nn", "the network engine", "pytorch", 9},
    {"self-play", "networks that play against themselves", "", 2, kSelfPlayGames},
    {"scaling", "self-play on many machines", "", 8},
};

struct Effort {
  int repetitions = 7;
  double seconds = 0.25;  // of one repetition

  bool quick() const { return repetitions == 1; }  // rough figures will do
};

struct SuiteRequest {
  Seed seed = Seed{1};
  Effort effort;
  bool beside_peer = false;  // measure beside the suite's other program, in alternation
  // Of a suite that has games: those that are measured, on how many threads, and changes of their
  // recipes ("key=value").
  std::vector<std::string> games;
  std::vector<int> threads;
  std::vector<std::string> settings;
  std::function<void()> on_row = [] {};
};

}  // namespace damier::bench
