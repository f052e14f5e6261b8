// The experiment on domineering: a report's players by random games, the bandit that teaches its
// networks, and those networks, each measured as it should be and, where that explains a figure, as
// the report's own program did it.
//
// Four things in that program decide what its tables say. Its players by random games never try
// the last move of their list (`last=untried`). Its bandit plays the move of the greatest bound,
// not the one tried most, and tries no move first (`choice=bound,mean=zero`). Sides are not
// swapped. And its data show the board after the move that is to be learnt.
#pragma once

#include <string>
#include <vector>

#include "damier/lab/experiment.h"
#include "damier/learn/train/recipe.h"

namespace damier::lab {

// A player by random games as the report calls it, "1K", and how many it plays for every move; none
// for one that moves at random.
struct PlayoutPlayer {
  std::string name;
  std::int64_t playouts = 0;
};
void describe(auto& fields, Is<PlayoutPlayer> auto& player) {
  fields("name", player.name);
  fields("playouts", player.playouts);
}

// How much of it is done; the tests do little.
struct DomineeringPlan {
  std::vector<std::string> networks;   // rows of the published table
  learn::Settings settings;            // of every training
  std::string player;                  // the network that plays
  std::vector<PlayoutPlayer> players;  // the weakest first
  std::vector<double> exploration;     // values of c
  std::int64_t playouts = 0;           // of the bandit, and of the player that it meets
  std::int64_t games = 0;              // of every match
  std::int64_t long_games = 0;         // where one side plays thousands of random games a move
};
void describe(auto& fields, Is<DomineeringPlan> auto& plan) {
  fields("networks", plan.networks);
  fields("settings", plan.settings);
  fields("player", plan.player);
  fields("players", plan.players);
  fields("exploration", plan.exploration);
  fields("playouts", plan.playouts);
  fields("games", plan.games);
  fields("long_games", plan.long_games);
}

// The recipe of a network of the published table.
Result<learn::Recipe> domineering_recipe(const Published& published, const DomineeringPlan& plan,
                                         const std::string& network);

Result<Json> study_domineering(const Published& published, const DomineeringPlan& plan,
                               const ExperimentOptions& options, const ExperimentContext& context);

}  // namespace damier::lab
