// Scores of the engine: hundredths of a pawn for the side to move. A mate n plies from the root is
// kWinScore - n (search/answer.h).
#pragma once

#include "damier/games/chess/state.h"
#include "damier/search/answer.h"
#include "damier/search/chess/engine.h"

namespace damier::search::chess {

inline constexpr int kMaxPly = 120;
inline constexpr int kInfiniteScore = 31'000;
inline constexpr int kNoScore = 32'000;

constexpr int mated_in(int ply) { return -kWinScore + ply; }
constexpr int mate_in(int ply) { return kWinScore - ply; }

// What becomes of games with such a score and so much material.
WinDrawLoss expected_results(int score, const games::chess::State& state);

// A line with the score, the mate and the expected results; the moves stay empty.
Line line_with_score(int score, Bound bound, const games::chess::State& root);

}  // namespace damier::search::chess
