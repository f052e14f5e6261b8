// Playing weaker on purpose, so that people can win: fewer nodes, and now and then a move that is
// only nearly the best.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "damier/search/chess/engine.h"

namespace damier::search::chess {

inline constexpr int kMinElo = 600;
inline constexpr int kMaxElo = 2700;

struct Handicap {
  std::uint64_t nodes = 0;  // at most; 0: no limit
  int lines = 1;            // to choose from
  double noise = 0;         // hundredths of a pawn: how far the score of a move is misjudged
};

// None for a player that is not limited.
Handicap handicap_of(std::optional<int> elo);

// Puts the move first that a player with this handicap takes for the best. The same position and
// lines always give the same choice.
void choose_weaker(std::vector<Line>& lines, const Handicap& handicap, const State& root);

}  // namespace damier::search::chess
