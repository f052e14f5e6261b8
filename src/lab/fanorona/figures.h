// The drawings of the report on fanoron-telo.
#pragma once

#include <string>

#include "damier/lab/fanorona/experiment.h"
#include "damier/report/plot.h"

namespace damier::lab {

// "fanorona-batch-norm" -> "batch norm", "fanorona-report" -> "the report's"
std::string short_name(const std::string& recipe);

// Loss and value kept of one training.
report::Figure training_figure(const TrainedNetwork& network);
// Bars of all networks with their intervals, and how they came there.
report::Figure extensions_figure(const FanoronaFindings& findings);
report::Figure learning_figure(const FanoronaFindings& findings);
// How often a won position stays won, by how far the win is.
report::Figure distance_figure(const FanoronaFindings& findings);
// Best moves by value and phase; the colours begin at `low` percent.
report::Figure phase_figure(const FanoronaExamination& examination, const std::string& whose,
                            double low);
double lowest_share(const FanoronaFindings& findings);
bool has_value_errors(const FanoronaExamination& examination);
report::Figure value_figure(const FanoronaExamination& examination);
report::Figure games_figure(const FanoronaFindings& findings);

}  // namespace damier::lab
