// The drawings of the report on minesweeper.
//
// The one thing to know: what the report drew is drawn here from our own measurements; its own
// figures stand beside them only where it prints numbers.
#pragma once

#include <string>

#include "damier/lab/minesweeper/experiment.h"
#include "damier/lab/minesweeper/tables.h"
#include "damier/report/plot.h"

namespace damier::lab {

// Win rates of the report's players, theirs and ours.
report::Figure chain_figure(const MinesweeperFindings& findings);
// Shares of errors by tenths.
report::Figure first_errors_figure(const MinesweeperFindings& findings);
report::Figure all_errors_figure(const MinesweeperFindings& findings);
// Errors against open cells: single patches, and means.
report::Figure scatter_figure(const PatchNetwork& network, const std::string& whose);
report::Figure uncovered_figure(const MinesweeperFindings& findings);
// Scores of games.
report::Figure first_scores_figure(const MinesweeperFindings& findings);
report::Figure best_scores_figure(const MinesweeperFindings& findings);
report::Figure wide_figure(const MinesweeperFindings& findings);
report::Figure duplicates_figure(const MinesweeperFindings& findings);
report::Figure grid_figure(const GridFindings& tried, std::int64_t games);
// Tables 3 and 4 as lines.
report::Figure sizes_figure(const MinesweeperFindings& findings, BoardFigure figure);
report::Figure densities_figure(const MinesweeperFindings& findings, BoardFigure figure);

// The sweeps (minesweeper_sweep_figures.cc): errors and win rates.
report::Figure sweep_errors_figure(const std::vector<PatchPoint>& points, const std::string& title,
                                   const report::Axis& x,
                                   const std::vector<report::Reference>& references);
report::Figure sweep_wins_figure(const std::vector<PatchPoint>& points, const std::string& title,
                                 const report::Axis& x);
report::Figure order_boxes_figure(const MinesweeperFindings& findings);
report::Figure order_bars_figure(const MinesweeperFindings& findings);
report::Figure epochs_figure(const MinesweeperFindings& findings);

}  // namespace damier::lab
