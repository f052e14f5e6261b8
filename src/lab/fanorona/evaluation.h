// Where players and networks of fanoron-telo go wrong, told by the exact table: by the position's
// value, by how far the game has come, by how far the end is.
//
// A lost position cannot lose its value, whatever is played; there only "shortest" (resisting as
// long as possible) tells a good move from a bad one.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "damier/base/json/described.h"
#include "damier/learn/rows/data_set.h"
#include "damier/learn/task.h"
#include "damier/play/contest/contest.h"

namespace damier::lab {

// Positions that are alike, and how the chosen moves were there.
struct FanoronaCell {
  int value = 0;     // 1 win, 0 draw, -1 loss, for the side to move
  int phase = 0;     // how many pieces have moved, 0 to 6
  int distance = 0;  // plies to the end; 0 for a draw
  std::int64_t n = 0;
  std::int64_t kept = 0;      // the move keeps the value
  std::int64_t shortest = 0;  // and wins as fast, or resists as long, as possible
};
void describe(auto& fields, Is<FanoronaCell> auto& cell) {
  fields("value", cell.value);
  fields("phase", cell.phase);
  fields("distance", cell.distance);
  fields("n", cell.n);
  fields("kept", cell.kept);
  fields("shortest", cell.shortest);
}

struct FanoronaEvaluation {
  std::vector<FanoronaCell> cells;
  // What the value head said less what is true, by true value -1, 0, 1; in millionths. Empty where
  // the network has no such head.
  std::array<std::vector<int>, 3> value_errors;
};
void describe(auto& fields, Is<FanoronaEvaluation> auto& evaluation) {
  fields("cells", evaluation.cells);
  fields("value_errors", evaluation.value_errors);
}

// On the states of a split.
Result<FanoronaEvaluation> evaluate_fanorona(model::Predictor& model, const learn::DataSet& data,
                                             learn::Split split);

// A player's moves on the states that can be reached from the start and are not over, or on as many
// of them as `most` says (0: all). `stop` ends it with a void result.
Result<std::vector<FanoronaCell>> evaluate_fanorona_player(
    const play::Toolkit& toolkit, const play::OpenedPlayer& player, Seed seed, std::size_t most,
    ThreadPool& pool, const std::function<void(double)>& tell, const std::function<bool()>& stop);

}  // namespace damier::lab
