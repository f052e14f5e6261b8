// The steps of the experiment on minesweeper before they are done: trainings with their recipes,
// names, and about how long each takes.
//
// The one thing to know: all recipes are read here, so that a study with a fault does no work.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "damier/lab/minesweeper/experiment.h"

namespace damier::lab {

// One training: the name of its step, its recipe, and what it is tested on.
struct PatchTask {
  std::string step;
  learn::Recipe recipe;
  PatchTest test = PatchTest::fresh;
};

// A point of a sweep.
struct SweepTask {
  PatchTask task;
  std::string name;
  double x = 0;
};

struct MinesweeperTasks {
  std::vector<PatchTask> chain;  // as MinesweeperPlan::networks
  std::vector<SweepTask> shares, orders, patches, batches;
  PatchTask epochs;
};
Result<MinesweeperTasks> minesweeper_tasks(const MinesweeperPlan& plan, Seed seed);

// The board of the report's players.
inline constexpr published::Board kUsualBoard = published::kSizes[2];
std::string board_text(const published::Board& board);  // "10x10x10"
games::minesweeper::Minesweeper board_of(const published::Board& board);

// Names of steps.
inline constexpr const char* kRandomStep = "random player";
inline constexpr const char* kDuplicatesStep = "duplicates";
inline constexpr const char* kReportSettingStep = "flags at the report's setting";
std::string grid_step(std::size_t grid);
std::string copy_step(const published::Board& board);
std::string ours_step(const MinesweeperPlan& plan, const published::Board& board);

std::vector<PlannedStep> planned_steps(const MinesweeperPlan& plan, const MinesweeperTasks& tasks);

}  // namespace damier::lab
