// The report on Les Tacticiens de Brême: its system as its public code has it and corrected, what
// each fault costs, and the extensions that the report proposes, all learnt from as many moves and
// measured alike.
#pragma once

#include <string>
#include <vector>

#include "damier/lab/experiment.h"
#include "damier/learn/train/recipe.h"

namespace damier::lab {

// A recipe with settings of its own.
struct BremenVariant {
  std::string name;
  std::string recipe;
  learn::Settings settings;
};
void describe(auto& fields, Is<BremenVariant> auto& variant) {
  fields("name", variant.name);
  fields("recipe", variant.recipe);
  fields.optional("settings", variant.settings);
}

struct BremenPlan {
  std::vector<BremenVariant> ways;    // corrected, and as published: with every seed
  std::vector<BremenVariant> faults;  // corrected but for one
  std::vector<BremenVariant> extensions;
  learn::Settings settings;  // of all
  int seeds = 0;
  std::vector<std::string> opponents;  // the weakest first
  std::int64_t games = 0;              // of a match
  std::size_t positions = 0;           // with exact answers, by which moves are judged
  std::vector<std::string> others;     // players whose moves are judged too; the weakest first
  std::int64_t tournament_games = 0;   // of a pairing
  int opening_plies = 0;               // random placements: networks alone repeat themselves
};
void describe(auto& fields, Is<BremenPlan> auto& plan) {
  fields("ways", plan.ways);
  fields("faults", plan.faults);
  fields("extensions", plan.extensions);
  fields("settings", plan.settings);
  fields("seeds", plan.seeds);
  fields("opponents", plan.opponents);
  fields("games", plan.games);
  fields("positions", plan.positions);
  fields("others", plan.others);
  fields("tournament_games", plan.tournament_games);
  fields("opening_plies", plan.opening_plies);
}

Result<Json> study_bremen(const Published& published, const BremenPlan& plan,
                          const ExperimentOptions& options, const ExperimentContext& context);

}  // namespace damier::lab
