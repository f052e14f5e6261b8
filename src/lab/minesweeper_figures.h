// The drawings of the report on minesweeper.
//
// The one thing to know: what the report drew is drawn here from our own measurements; its own
// figures stand beside them only where it prints numbers.
#pragma once

#include <string>

#include "damier/lab/minesweeper_experiment.h"
#include "damier/lab/minesweeper_tables.h"
#include "damier/lab/plot.h"

namespace damier::lab {

// Win rates of the report's players, theirs and ours.
Figure chain_figure(const MinesweeperFindings& findings);
// Shares of errors by tenths.
Figure first_errors_figure(const MinesweeperFindings& findings);
Figure all_errors_figure(const MinesweeperFindings& findings);
// Errors against open cells: single patches, and means.
Figure scatter_figure(const PatchNetwork& network, const std::string& whose);
Figure uncovered_figure(const MinesweeperFindings& findings);
// Scores of games.
Figure first_scores_figure(const MinesweeperFindings& findings);
Figure best_scores_figure(const MinesweeperFindings& findings);
Figure wide_figure(const MinesweeperFindings& findings);
Figure duplicates_figure(const MinesweeperFindings& findings);
Figure grid_figure(const GridFindings& tried, std::int64_t games);
// Tables 3 and 4 as lines.
Figure sizes_figure(const MinesweeperFindings& findings, BoardFigure figure);
Figure densities_figure(const MinesweeperFindings& findings, BoardFigure figure);

// The sweeps (minesweeper_sweep_figures.cc): errors and win rates.
Figure sweep_errors_figure(const std::vector<PatchPoint>& points, const std::string& title,
                           const Axis& x, const std::vector<Reference>& references);
Figure sweep_wins_figure(const std::vector<PatchPoint>& points, const std::string& title,
                         const Axis& x);
Figure order_boxes_figure(const MinesweeperFindings& findings);
Figure order_bars_figure(const MinesweeperFindings& findings);
Figure epochs_figure(const MinesweeperFindings& findings);

}  // namespace damier::lab
