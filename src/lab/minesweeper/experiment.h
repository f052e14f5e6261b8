// The experiment on minesweeper: a report's networks of 5 x 5 patches from its first player to its
// best one, each trained as it says, and our own network on the same boards.
//
// The one thing to know: the report chose its best player on the games it prints; ours chooses on
// one set of games and is measured on another, and every win rate stands with its interval.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "damier/lab/experiment.h"
#include "damier/lab/minesweeper/errors.h"
#include "damier/lab/minesweeper/games.h"
#include "damier/lab/minesweeper/published.h"
#include "damier/lab/trained_step.h"
#include "damier/learn/training/recipe.h"

namespace damier::lab {

const Experiment& minesweeper_experiment();

// The networks that are trained in the report's chain; the tuned player has the last one's.
inline constexpr std::size_t kMinesweeperNetworks = published::kFlags + 1;

// A training of the chain; the recipe says the rest.
struct PatchTraining {
  std::uint64_t rows = 0;  // masked patches to learn from
  int batch = 0;
  int epochs = 0;
};

// How much of it is done; the tests do little.
struct MinesweeperPlan {
  std::array<PatchTraining, kMinesweeperNetworks> networks = {{{1'000'000, 10, 1},
                                                               {10'000'000, 10, 1},
                                                               {10'000'000, 2000, 6},
                                                               {10'000'000, 2000, 6},
                                                               {10'000'000, 2000, 6},
                                                               {10'000'000, 2000, 6}}};
  // Of the wide network's hidden layers.
  std::vector<int> wide = {600, 1024, 512, 256};
  // Rows that the last two networks do not learn from; the test of the one without duplicates.
  std::uint64_t held_out = 100'000;

  std::uint64_t fresh = 100'000;  // masked patches of the test of all others

  // The sweeps: what is varied, and the training in which it is.
  std::vector<double> shares = {0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75};
  PatchTraining share_training = {1'000'000, 10, 1};
  std::vector<std::string> orders = {"safe-first",   "bombs-first",  "alternate:1", "alternate:5",
                                     "alternate:10", "alternate:15", "mixed"};
  PatchTraining order_training = {1'000'000, 10, 1};
  std::vector<std::uint64_t> patches = {1000,   2000,    5000,    10'000,  20'000,
                                        50'000, 100'000, 200'000, 500'000, 1'000'000};
  PatchTraining patches_training = {0, 10, 1};  // ten rows a patch
  std::vector<int> batches = {10, 30, 100, 300, 1000, 2000, 5000, 10'000};
  PatchTraining batch_training = {10'000'000, 0, 1};
  PatchTraining epoch_training = {10'000'000, 2000, 10};

  std::uint64_t duplicates_of = 500'000;  // patches of each kind

  // The player with flags: settings tried, each on so many games.
  struct Grid {
    std::vector<double> playful;
    std::vector<double> threshold;
  };
  std::vector<Grid> grids = {{{0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2},
                              {0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1}},
                             {{1, 1.05, 1.1, 1.15, 1.2, 1.25, 1.3, 1.4},
                              {0.9, 0.92, 0.94, 0.95, 0.96, 0.97, 0.98, 0.99, 1}}};
  std::int64_t grid_games = 2000;

  std::int64_t games = 4000;         // of every win rate
  std::int64_t player_games = 1000;  // but of our network's, which looks at whole boards
  std::vector<published::Board> sizes = {published::kSizes.begin(), published::kSizes.end()};
  std::vector<published::Board> densities = {published::kDensities.begin(),
                                             published::kDensities.end()};
  std::string player = "net";  // the model that ships
};

MinesweeperPlan minesweeper_plan(bool quick);

// The recipe of a network of the chain.
Result<learn::Recipe> patch_recipe(const MinesweeperPlan& plan, published::Player player,
                                   Seed seed);
// Of the points of the sweeps.
Result<learn::Recipe> share_recipe(const MinesweeperPlan& plan, double share, Seed seed);
Result<learn::Recipe> order_recipe(const MinesweeperPlan& plan, const std::string& order,
                                   Seed seed);
Result<learn::Recipe> patches_recipe(const MinesweeperPlan& plan, std::uint64_t patches, Seed seed);
Result<learn::Recipe> batch_recipe(const MinesweeperPlan& plan, int batch, Seed seed);
Result<learn::Recipe> epoch_recipe(const MinesweeperPlan& plan, Seed seed);

// A network of patches, trained and looked at.
struct PatchNetwork {
  TrainedNetwork network;
  PatchErrors errors;
  GameTally games;  // 10x10x10; the one with flags plays with 1 and 0
};

struct PatchPoint {
  std::string name;  // of the point: "0.25", "alternate 5"
  double x = 0;
  PatchNetwork trained;
};

// wins[p][t]: of the games with playful[p] and threshold[t].
struct GridFindings {
  MinesweeperPlan::Grid grid;
  std::vector<std::vector<std::int64_t>> wins;
};

struct BoardFindings {
  published::Board board;
  GameTally copy;  // the report's network, trained here, with flags
  GameTally ours;
};

// All that was measured.
struct MinesweeperFindings {
  MinesweeperPlan plan;
  bool quick = false;
  Seed seed = Seed{1};
  std::string command;
  GameTally random;
  std::array<PatchNetwork, kMinesweeperNetworks> networks;
  std::vector<PatchPoint> shares, orders, patches, batches;
  TrainedNetwork epochs;
  double safe_duplicates = 0, bomb_duplicates = 0;  // shares
  std::vector<GridFindings> grids;
  double playful = 0, threshold = 0;  // of the most wins in the grids
  std::int64_t chosen_wins = 0;       // there
  GameTally report_setting;           // the report's own setting, on other games
  GameTally tuned;                    // ours, on other games
  GameTally ours;                     // our network there
  std::vector<BoardFindings> sizes, densities;
};

Result<MinesweeperFindings> study_minesweeper(const MinesweeperPlan& plan,
                                              const ExperimentOptions& options,
                                              const ExperimentContext& context);

// The findings as tables and as a page (minesweeper_report.cc).
ExperimentResult present_minesweeper(const MinesweeperFindings& findings);

}  // namespace damier::lab
