// The drawings of the report on minesweeper: what the report drew, from our own measurements; its
// own figures stand beside them only where it prints numbers.
#pragma once

#include <span>
#include <string>

#include "damier/lab/minesweeper/experiment.h"
#include "damier/report/plot/plot.h"

namespace damier::lab {

// Win rates of the report's players, theirs and ours.
report::Figure chain_figure(const Published& published, const MinesweeperFindings& findings);
// Shares of errors by tenths, of the networks named.
report::Figure errors_figure(const MinesweeperFindings& findings, std::span<const PatchLink> links,
                             std::string title, std::string caption);
// Errors against open cells: single patches, and means.
report::Figure scatter_figure(const MinesweeperFindings& findings, PatchLink link,
                              const std::string& whose);
report::Figure uncovered_figure(const MinesweeperFindings& findings,
                                std::span<const PatchLink> links);
report::Figure wide_figure(const Published& published, const MinesweeperFindings& findings);
report::Figure duplicates_figure(const Published& published, const MinesweeperFindings& findings);
// A table of boards as lines; `column` is "wins" or "score".
report::Figure boards_figure(const Published& published, const MinesweeperFindings& findings,
                             const std::string& name, const std::string& column);
// A sweep: errors with their quartiles, and win rates.
report::Figure sweep_errors_figure(const MinesweeperFindings& findings,
                                   const std::vector<PatchPoint>& points, const std::string& title,
                                   const report::Axis& x,
                                   const std::vector<report::Reference>& references = {});
report::Figure sweep_wins_figure(const std::vector<PatchPoint>& points, const std::string& title,
                                 const report::Axis& x);
// The sweep over orders, which have no place on an axis.
report::Figure order_boxes_figure(const MinesweeperFindings& findings);
report::Figure order_bars_figure(const MinesweeperFindings& findings);

}  // namespace damier::lab
