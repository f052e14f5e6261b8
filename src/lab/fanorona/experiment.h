// The experiment on fanoron-telo: a report's network and the extensions it names, trained as it
// says and evaluated by the exact solution; then ours, on positions it never saw, and in games.
#pragma once

#include <string>
#include <vector>

#include "damier/lab/experiment.h"
#include "damier/learn/train/recipe.h"

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

Result<Json> study_fanorona(const Published& published, const FanoronaPlan& plan,
                            const ExperimentOptions& options, const ExperimentContext& context);

}  // namespace damier::lab
