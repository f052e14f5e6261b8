// The tables of the report on minesweeper.
#pragma once

#include <string>
#include <vector>

#include "damier/lab/minesweeper/experiment.h"
#include "damier/report/plot/table.h"

namespace damier::lab {

// What each network learnt from, and how long it took.
report::Table trainings_table(const Published& published, const MinesweeperFindings& findings,
                              bool quick);
// Wins, means and quartiles of the scores on 10x10 with 10 bombs, and what the report cites.
report::Table scores_table(const Published& published, const MinesweeperFindings& findings);
// Win rates of trainings that differ in their seed alone: mean and range.
report::Table seeds_table(const Published& published, const MinesweeperFindings& findings);
// The report's tables 3 and 4, each in two: `column` is "wins" or "score".
report::Table boards_table(const Published& published, const MinesweeperFindings& findings,
                           const std::string& name, const std::string& column);

// "sizes" or "densities": the boards of that table that were played.
const std::vector<std::string>& boards_of(const MinesweeperPlan& plan, const std::string& name);

}  // namespace damier::lab
