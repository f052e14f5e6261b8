// A stored run as a page: the curves and the figures of a training, the score of a match, the
// ratings of a tournament.
#pragma once

#include <string>
#include <vector>

#include "damier/base/store.h"
#include "damier/report/page.h"

namespace damier::lab {

// The players of a match, a tournament or an evaluation, as they were asked for.
std::vector<std::string> players_of(const Run& run);

// `metrics` are those of the run; `games` says how many finished games it has.
report::Page run_page(const Run& run, const std::vector<MetricRow>& metrics, std::size_t games);

}  // namespace damier::lab
