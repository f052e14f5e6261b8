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
#include "damier/lab/matches.h"
#include "damier/learn/train/recipe.h"

namespace damier::lab {

// A player by random games as the report calls it, "1K", and how many it plays for every move; none
// for one that moves at random.
struct PlayoutPlayer {
  std::string name;
  std::int64_t playouts = 0;
};

// How much of it is done; the tests do little.
struct DomineeringPlan {
  std::vector<std::string> networks;   // rows of the published table
  learn::Settings settings = {};       // of every training
  std::string player = "4";            // the network that plays
  std::vector<PlayoutPlayer> players;  // the weakest first
  std::vector<double> exploration;     // values of c
  std::int64_t playouts = 100;         // of the bandit, and of the player that it meets
  std::int64_t games = 400;            // of every match
  std::int64_t long_games = 200;       // where one side plays thousands of random games a move
};
DomineeringPlan domineering_plan(const Published& published, bool quick);

// The recipe of a network of the published table.
Result<learn::Recipe> domineering_recipe(const Published& published, const DomineeringPlan& plan,
                                         const std::string& network);

// How often the label is named; by a network with the greatest of all outputs, legal or not.
struct ClassAccuracy {
  std::int64_t right = 0, n = 0;

  Estimate share() const { return share_estimate(right, n); }
};
void describe(auto& fields, Is<ClassAccuracy> auto& accuracy) {
  fields("right", accuracy.right);
  fields("n", accuracy.n);
}

struct DomineeringNetwork {
  std::string name;
  TrainedNetwork trained;
  ClassAccuracy on_test;  // on boards as its data show them
};

// Two players by random games.
struct PlayoutPair {
  std::string player, opponent;  // the weaker one first
  MatchFindings match;
  MatchFindings untried;  // the last move untried
};

// What was played with a value of c.
struct ExplorationPoint {
  double x = 0;
  MatchFindings ucb;            // against as many random games spread evenly
  MatchFindings bound;          // the same, both as the report's program has them
  MatchFindings network;        // against ucb
  MatchFindings network_bound;  // against ucb as the report's program has it
};

// All that was measured.
struct DomineeringFindings {
  DomineeringPlan plan;
  std::vector<DomineeringNetwork> networks;  // as plan.networks
  ClassAccuracy again;                       // the teacher, by other random games
  DomineeringNetwork after;                  // plan.player, taught boards after the move
  std::vector<PlayoutPair> pairs;
  std::vector<ExplorationPoint> exploration;

  const DomineeringNetwork& player() const;
};

Result<DomineeringFindings> study_domineering(const Published& published,
                                              const DomineeringPlan& plan,
                                              const ExperimentOptions& options,
                                              const ExperimentContext& context);

// The findings by the names of experiments/domineering.json.
Measured measured_domineering(const DomineeringFindings& findings);

// The findings as tables and as a page (report.cc).
Result<ExperimentResult> present_domineering(const Published& published,
                                             const DomineeringFindings& findings,
                                             const ExperimentOptions& options);

Result<ExperimentResult> run_domineering(const Published& published,
                                         const ExperimentOptions& options,
                                         const ExperimentContext& context);

}  // namespace damier::lab
