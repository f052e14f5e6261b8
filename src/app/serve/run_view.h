// The runs of the store as pages look on.
#pragma once

#include <stop_token>
#include <string>

#include "damier/app/serve/events.h"
#include "damier/app/serve/jobs.h"

namespace damier::app::serve {

// The finished games of a run but for the first ones, with the ratings that follow from all.
Result<Json> run_games_json(const std::string& name, std::size_t from);

// Tells the pages of runs that have moved on.
void watch_runs(EventLog& events, Jobs& jobs, std::stop_token stop);

}  // namespace damier::app::serve
