// The recipes of the points of the sweeps on minesweeper, each at one value of what is varied.
#pragma once

#include "damier/lab/minesweeper/experiment.h"

namespace damier::lab {

Result<learn::Recipe> share_recipe(const MinesweeperPlan& plan, double share, Seed seed);
Result<learn::Recipe> order_recipe(const MinesweeperPlan& plan, const std::string& order, Seed seed);
Result<learn::Recipe> patches_recipe(const MinesweeperPlan& plan, double patches, Seed seed);
Result<learn::Recipe> batch_recipe(const MinesweeperPlan& plan, double batch, Seed seed);
Result<learn::Recipe> epoch_recipe(const MinesweeperPlan& plan, Seed seed);

}  // namespace damier::lab
