// The experiment on fanoron-telo: a report's network and the extensions it names, trained as it
// says and evaluated by the exact solution; then ours, on positions it never saw, and in games.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "damier/lab/experiment.h"
#include "damier/learn/rows/data_set.h"
#include "damier/learn/train/recipe.h"
#include "damier/model/predictor.h"

namespace damier::lab {

// How much of it is done; the tests do little.
struct FanoronaPlan {
  // The report's network first, then its extensions; all on the same data and the same split.
  std::vector<std::string> recipes;
  learn::Settings settings;
  std::string ours;  // a recipe
  learn::Settings ours_settings;
  std::string player;
  std::vector<std::string> opponents;
  std::int64_t games = 0;  // against each of them
  int opening_plies = 0;
  std::size_t max_states = 0;  // of the reachable ones that the player is asked about; 0: all
};
void describe(auto& fields, Is<FanoronaPlan> auto& plan) {
  fields("recipes", plan.recipes);
  fields("settings", plan.settings);
  fields("ours", plan.ours);
  fields("ours_settings", plan.ours_settings);
  fields("player", plan.player);
  fields("opponents", plan.opponents);
  fields("games", plan.games);
  fields("opening_plies", plan.opening_plies);
  fields("max_states", plan.max_states);
}

// Positions of a value, a phase of the game and a distance, and how the chosen moves were there.
//
// A lost position cannot lose its value, whatever is played; there only "shortest" (resisting as
// long as possible) tells a good move from a bad one.
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

// Where a network goes wrong, told by the exact table.
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

Result<Json> study_fanorona(const Published& published, const FanoronaPlan& plan,
                            const ExperimentOptions& options, const ExperimentContext& context);

}  // namespace damier::lab
