// The experiment on minesweeper: a report's networks of 5 x 5 patches from its first player to its
// best one, each trained as it says, and our own network on the same boards.
//
// The report chose its best player on the games it prints; ours chooses on one set of games and is
// measured on another, every win rate stands with its interval, and the networks that decide most
// are trained with several seeds.
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "damier/lab/experiment.h"
#include "damier/lab/minesweeper/games.h"
#include "damier/learn/minesweeper/patch_task.h"
#include "damier/learn/rows/data_set.h"
#include "damier/learn/train/recipe.h"

namespace damier::lab {

// How far a network of patches is off, in the words of the report: mean errors, their shares by
// size, and against the number of open cells.
//
// An error is the distance of the predicted probability from what is under the centre, 0 or 1; ten
// masks of one patch are alike, and the intervals know it.
inline constexpr std::size_t kErrorBins = 10;  // of a tenth each, as the report has them
inline constexpr std::size_t kMaxUncovered = 25;

struct PatchErrors {
  struct Point {
    int uncovered = 0;  // safe cells that are open
    double error = 0;
  };

  Estimate absolute, squared;                                      // means
  Estimate below_01, from_01_to_02, above_02, above_06, above_09;  // shares
  std::array<std::int64_t, kErrorBins> bins = {};
  std::array<double, 3> quartiles = {};
  // By open cells: how many patches, and the mean error of those.
  std::array<std::int64_t, kMaxUncovered> count = {};
  std::array<double, kMaxUncovered> mean = {};
  std::vector<Point> sample;  // some of them, for drawings
};
void describe(auto& fields, Is<PatchErrors::Point> auto& point) {
  fields("uncovered", point.uncovered);
  fields("error", point.error);
}
void describe(auto& fields, Is<PatchErrors> auto& errors) {
  fields("absolute", errors.absolute);
  fields("squared", errors.squared);
  fields("below_01", errors.below_01);
  fields("from_01_to_02", errors.from_01_to_02);
  fields("above_02", errors.above_02);
  fields("above_06", errors.above_06);
  fields("above_09", errors.above_09);
  fields("bins", errors.bins);
  fields("quartiles", errors.quartiles);
  fields("count", errors.count);
  fields("mean", errors.mean);
  fields("sample", errors.sample);
}

PatchErrors errors_of(std::vector<learn::EvaluatedPatch> patches);

// The report's test sets: `fresh` masked patches, the same with flags, or the rows that a training
// kept apart.
enum class PatchTest : std::uint8_t { fresh, fresh_flags, held_out };
// Of the network in a model file; `data` are the rows that it was trained with, where they are
// asked.
Result<PatchErrors> evaluate_patches(const std::string& model, const learn::DataSet* data,
                                     PatchTest test, std::uint64_t fresh);

// Of that many patches by the report's generator, the share that an earlier one equals.
double duplicate_share(bool bomb, std::uint64_t patches, Seed seed);

// The networks that are trained, in the order of the report's chapters; the tuned player has the
// last one's but one, and the last one learns from patches of real play instead.
enum PatchLink : std::size_t { kFirst, kMany, kTrained, kWide, kDistinct, kFlags, kPlay, kLinks };

// What the report varies one at a time.
enum PatchSweep : std::size_t { kShares, kOrders, kPatches, kBatches, kSweeps };

// A training; the recipe says the rest.
struct PatchTraining {
  std::uint64_t rows = 0;  // masked patches to learn from
  int batch = 0;
  int epochs = 0;
  int seeds = 1;  // how many times it is trained
};
void describe(auto& fields, Is<PatchTraining> auto& training) {
  fields("rows", training.rows);
  fields("batch", training.batch);
  fields("epochs", training.epochs);
  fields.optional("seeds", training.seeds);
}

// A training of a sweep and the points at which it is done; what is varied takes the place of the
// training's own (the patches: ten rows each).
struct PatchSweepPlan {
  PatchTraining training;
  std::vector<Json> values;
};
void describe(auto& fields, Is<PatchSweepPlan> auto& sweep) {
  fields("training", sweep.training);
  fields("values", sweep.values);
}

// Settings of the player with flags: all pairs of these are tried.
struct FlagSettings {
  std::vector<double> playful, threshold;
};
void describe(auto& fields, Is<FlagSettings> auto& settings) {
  fields("playful", settings.playful);
  fields("threshold", settings.threshold);
}

// How much of it is done; the tests do little.
struct MinesweeperPlan {
  std::array<PatchTraining, kLinks> links;
  std::vector<int> wide;  // hidden layers of the wide network
  // Rows that the last networks do not learn from; the test of the one without duplicates.
  std::uint64_t held_out = 0;
  // Distinct patches of each kind that the networks without duplicates draw theirs from.
  std::uint64_t pool = 0;
  std::uint64_t fresh = 0;  // masked patches of the test of all others
  std::array<PatchSweepPlan, kSweeps> sweeps;
  PatchTraining epochs;
  std::uint64_t duplicates_of = 0;  // patches of each kind
  std::vector<FlagSettings> grids;
  std::int64_t grid_games = 0;         // for each setting
  std::int64_t games = 0;              // of every win rate
  std::int64_t player_games = 0;       // but of our network's, which looks at whole boards
  std::vector<std::string> sizes;      // boards: "6x6x4"
  std::vector<std::string> densities;  // the same
  std::string player;
};
void describe(auto& fields, Is<MinesweeperPlan> auto& plan) {
  fields("links", plan.links);
  fields("wide", plan.wide);
  fields("held_out", plan.held_out);
  fields("pool", plan.pool);
  fields("fresh", plan.fresh);
  fields("sweeps", plan.sweeps);
  fields("epochs", plan.epochs);
  fields("duplicates_of", plan.duplicates_of);
  fields("grids", plan.grids);
  fields("grid_games", plan.grid_games);
  fields("games", plan.games);
  fields("player_games", plan.player_games);
  fields("sizes", plan.sizes);
  fields("densities", plan.densities);
  fields("player", plan.player);
}

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
// A network of the chain or of a sweep: its training, and what was measured of it.
struct PatchNetwork {
  std::string name;  // of a point of a sweep: "0.25", "alternate 5"
  std::string task;  // what its steps are called
  learn::Recipe recipe;
  Seed seed = Seed{1};
  PatchTest test = PatchTest::fresh;
  TrainedNetwork trained = {};
  PatchLook look = {};   // of other seeds the games alone
  GameTally tuned = {};  // with flags, at the report's setting
};

struct Duplicates {
  double safe = 0, bomb = 0;  // shares
};
void describe(auto& fields, Is<Duplicates> auto& duplicates) {
  fields("safe", duplicates.safe);
  fields("bomb", duplicates.bomb);
}

// A sweep over two settings: successes[i][j] of `trials` each with rows[i] and columns[j].
struct Grid {
  std::vector<double> rows, columns;
  std::int64_t trials = 0;
  std::vector<std::vector<std::int64_t>> successes;
};
void describe(auto& fields, Is<Grid> auto& grid) {
  fields("rows", grid.rows);
  fields("columns", grid.columns);
  fields("trials", grid.trials);
  fields("successes", grid.successes);
}
// The setting of the most successes; of as many, the first.
struct GridChoice {
  double row = 0, column = 0;
  std::int64_t successes = -1;
};

struct BoardFindings {
  games::minesweeper::Minesweeper game;
  GameTally copy;  // the report's network, trained here, with flags
  GameTally ours;
};

// All that was measured.
struct MinesweeperFindings {
  GameTally random;
  std::array<std::vector<PatchNetwork>, kLinks> links;  // by seed
  std::array<std::vector<PatchNetwork>, kSweeps> sweeps;
  learn::Recipe epochs_recipe;
  TrainedNetwork epochs;
  Duplicates duplicates;
  std::vector<Grid> grids;
  GridChoice chosen;                            // of the most wins in the grids
  std::map<std::string, BoardFindings> boards;  // by their text

  const BoardFindings& usual() const { return boards.at("10x10x10"); }
};

// The findings as one document (findings.cc).
Json document_of(const MinesweeperFindings& findings, const MinesweeperPlan& plan);

Result<Json> study_minesweeper(const Published& published, const MinesweeperPlan& plan,
                               const ExperimentOptions& options, const ExperimentContext& context);

}  // namespace damier::lab
