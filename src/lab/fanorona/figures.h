// The drawings of the report on fanoron-telo that show where networks go wrong.
#pragma once

#include "damier/lab/fanorona/experiment.h"
#include "damier/report/plot/plot.h"

namespace damier::lab {

// How often a won position stays won, by how far the win is.
report::Figure distance_figure(const FanoronaFindings& findings);
// Best moves by value and phase, of the report's network and of ours, in the same colours.
std::vector<report::Figure> phase_figures(const FanoronaFindings& findings);
// How far the value head is off; nothing where the network has none.
std::optional<report::Figure> value_figure(const FanoronaEvaluation& evaluation);

}  // namespace damier::lab
