// What the games of a match or a tournament come to, as it is printed with --json and kept as the
// summary of its run.
#pragma once

#include <optional>
#include <vector>

#include "damier/arena/contest.h"
#include "damier/base/json.h"
#include "damier/base/store.h"

namespace damier::app {

// `test` is null where there was no sequential test.
Json match_json(const arena::ContestPlan& contest, const arena::Score& score,
                const arena::SequentialTest* test);

// [{"player", "elo", "interval", "games", "score"}, …], the strongest first.
Json ratings_json(const arena::RatingTable& table);

Json tournament_json(const arena::ContestPlan& contest, const arena::RatingTable& table);
// The same for the store.
std::vector<RatingRow> rating_rows(const arena::ContestPlan& contest,
                                   const arena::RatingTable& table, RunId run);

}  // namespace damier::app
