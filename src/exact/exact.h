// Exact answers: what a solved position is worth, and which games have a solver or a table.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "damier/games/verdict.h"

namespace damier::search {
class Watch;
}

namespace damier::exact {

using games::Verdict;

struct SolveLimits {
  std::uint64_t nodes = 0;  // 0: none
  double seconds = 0;       // 0: none
  search::Watch* watch = nullptr;
};

struct Solution {
  Verdict value = Verdict::unknown;   // for the side to move
  std::optional<int> distance;        // plies, with best play of both
  std::vector<std::string> best;      // the moves that keep the value (and the distance, if known)
  bool best_is_complete = false;      // `best` holds all of them
  std::optional<std::string> so_far;  // where the value is unknown: what looks best
  int depth = 0;                      // and how many plies decide nothing; 0: not known
  std::uint64_t nodes = 0;
  double seconds = 0;
  std::optional<std::string> winner;  // of an empty domineering board, whoever begins
};

// A count over a whole state space, with its name for people and for JSON.
struct SpaceFigure {
  std::string name;  // "states"
  std::string text;  // "states (board and side to move)"
  std::uint64_t value = 0;
};

// A game that is too large for exact answers to every position, and has no solver.
struct NotSolved {
  static constexpr bool kAvailable = false;
  static constexpr bool kHasTable = false;
};

// A game of which some positions are known exactly: its Exact says which, and answers for them.
template <class E>
concept KnowsSome = requires {
  E::kKnowsSome;
};

// Where a game's exact answers come from. A game of two players is listed whole if it is small
// enough (exact/reachable.h), unless its folder here has a specialisation.
template <class G>
class Exact;

}  // namespace damier::exact
