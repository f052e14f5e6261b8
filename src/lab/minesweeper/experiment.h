// The experiment on minesweeper: a report's networks of 5 x 5 patches from its first player to its
// best one, each trained as it says, and our own network on the same boards.
//
// The report chose its best player on the games it prints; ours chooses on one set of games and is
// measured on another, every win rate stands with its interval, and the networks that decide most
// are trained with several seeds.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "damier/lab/charts.h"
#include "damier/lab/experiment.h"
#include "damier/lab/game_tally.h"
#include "damier/lab/minesweeper/errors.h"
#include "damier/learn/train/recipe.h"

namespace damier::lab {

// The networks that are trained, in the order of the report's chapters; the tuned player has the
// last one's but one, and the last one learns from patches of real play instead.
enum PatchLink : std::size_t { kFirst, kMany, kTrained, kWide, kDistinct, kFlags, kPlay, kLinks };

// What the report varies one at a time, by the names of the published sweeps.
enum PatchSweep : std::size_t { kShares, kOrders, kPatches, kBatches, kSweeps };

// A training; the recipe says the rest.
struct PatchTraining {
  std::uint64_t rows = 0;  // masked patches to learn from
  int batch = 0;
  int epochs = 0;
  int seeds = 1;  // how many times it is trained
};

// How much of it is done; the tests do little.
struct MinesweeperPlan {
  std::array<PatchTraining, kLinks> links = {{{1'000'000, 10, 1, 5},
                                              {10'000'000, 10, 1},
                                              {10'000'000, 2000, 6, 5},
                                              {10'000'000, 2000, 6},
                                              {10'000'000, 2000, 6, 5},
                                              {10'000'000, 2000, 6, 5},
                                              {10'000'000, 2000, 6, 5}}};
  // Of the wide network's hidden layers.
  std::vector<int> wide = {600, 1024, 512, 256};
  // Rows that the last networks do not learn from; the test of the one without duplicates.
  std::uint64_t held_out = 100'000;
  // Distinct patches of each kind that the networks without duplicates draw theirs from.
  std::uint64_t pool = 1'000'000;
  std::uint64_t fresh = 100'000;  // masked patches of the test of all others

  // The trainings of the sweeps and the points at which each is done; what is varied takes the
  // place of the training's own (the patches: ten rows each).
  struct SweepPlan {
    PatchTraining training;
    std::vector<Json> values;
  };
  std::array<SweepPlan, kSweeps> sweeps = {
      {{{1'000'000, 10, 1}}, {{1'000'000, 10, 1}}, {{0, 10, 1}}, {{10'000'000, 0, 1}}}};
  PatchTraining epochs = {10'000'000, 2000, 10};

  std::uint64_t duplicates_of = 500'000;  // patches of each kind

  // The player with flags: settings tried (rows: playful, columns: threshold), each on so many
  // games.
  struct Settings {
    std::vector<double> playful, threshold;
  };
  std::vector<Settings> grids;
  std::int64_t grid_games = 1000;

  std::int64_t games = 4000;           // of every win rate
  std::int64_t player_games = 1000;    // but of our network's, which looks at whole boards
  std::vector<std::string> sizes;      // boards: "6x6x4"
  std::vector<std::string> densities;  // the same
  std::string player = "net";          // the model that ships
};

// The full one has every point that was published.
MinesweeperPlan minesweeper_plan(const Published& published, bool quick);

// Its recipes.
Result<learn::Recipe> link_recipe(const MinesweeperPlan& plan, PatchLink link, Seed seed);
Result<learn::Recipe> sweep_recipe(const MinesweeperPlan& plan, PatchSweep sweep, const Json& value,
                                   Seed seed);
Result<learn::Recipe> epoch_recipe(const MinesweeperPlan& plan, Seed seed);
std::string_view link_name(PatchLink link);  // as the table "players" has it, or our own

// A network of patches, trained and looked at.
struct PatchLook {
  PatchErrors errors;
  GameTally games;  // on 10x10x10; the one with flags plays with 1 and 0
};
void describe(auto& fields, Is<PatchLook> auto& look) {
  fields("errors", look.errors);
  fields("games", look.games);
}
// The same training with another seed, and its games as in `look`.
struct OtherSeed {
  TrainedNetwork trained;
  GameTally games;
};
struct PatchNetwork {
  TrainedNetwork trained;
  PatchLook look;
  std::vector<OtherSeed> others;
  std::vector<GameTally> tuned;  // of every seed, with flags at the report's setting

  std::vector<Estimate> wins_by_seed() const;
};
std::vector<Estimate> win_rates(std::span<const GameTally> tallies);

struct PatchPoint {
  std::string name;  // of the point: "0.25", "alternate 5"
  double x = 0;
  TrainedNetwork trained;
  PatchLook look;
};

struct Duplicates {
  double safe = 0, bomb = 0;  // shares
};
void describe(auto& fields, Is<Duplicates> auto& duplicates) {
  fields("safe", duplicates.safe);
  fields("bomb", duplicates.bomb);
}

struct BoardFindings {
  GameTally copy;  // the report's network, trained here, with flags
  GameTally ours;
};

// All that was measured.
struct MinesweeperFindings {
  MinesweeperPlan plan;
  GameTally random;
  std::array<PatchNetwork, kLinks> links;
  std::array<std::vector<PatchPoint>, kSweeps> sweeps;
  TrainedNetwork epochs;
  Duplicates duplicates;
  std::vector<Grid> grids;
  GridChoice chosen;                            // of the most wins in the grids
  std::map<std::string, BoardFindings> boards;  // by their text

  const BoardFindings& usual() const { return boards.at("10x10x10"); }
};

Result<MinesweeperFindings> study_minesweeper(const Published& published,
                                              const MinesweeperPlan& plan,
                                              const ExperimentOptions& options,
                                              const ExperimentContext& context);

// The findings by the names of experiments/minesweeper.json.
Measured measured_minesweeper(const Published& published, const MinesweeperFindings& findings);

// The findings as tables and as a page (report.cc).
Result<ExperimentResult> present_minesweeper(const Published& published,
                                             const MinesweeperFindings& findings,
                                             const ExperimentOptions& options);

Result<ExperimentResult> run_minesweeper(const Published& published,
                                         const ExperimentOptions& options,
                                         const ExperimentContext& context);

}  // namespace damier::lab
