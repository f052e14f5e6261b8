// The tables of the report on minesweeper, and our figures beside the published ones.
//
// The one thing to know: a win rate is "reached" when ours is at least the published one, and an
// error when ours is at most that; where neither way is better, there is no verdict.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "damier/lab/minesweeper/experiment.h"
#include "damier/report/plot_table.h"

namespace damier::lab {

std::vector<Comparison> minesweeper_comparisons(const MinesweeperFindings& findings);

// What each network learnt from, and how long it took.
report::Table trainings_table(const MinesweeperFindings& findings);
// Means and quartiles of the scores on 10x10 with 10 bombs.
report::Table scores_table(const MinesweeperFindings& findings);
// The report's tables 3 and 4, each in two.
enum class BoardFigure : std::uint8_t { wins, scores };
report::Table sizes_table(const MinesweeperFindings& findings, BoardFigure figure);
report::Table densities_table(const MinesweeperFindings& findings, BoardFigure figure);

}  // namespace damier::lab
