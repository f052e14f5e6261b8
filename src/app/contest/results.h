// What the games of a match or a tournament come to, as it is printed with --json and kept as the
// summary of its run.
#pragma once

#include <optional>
#include <vector>

#include "damier/base/json/json.h"
#include "damier/play/contest/contest.h"
#include "damier/store/store.h"

namespace damier::app {

// `test` is null where there was no sequential test.
Json match_json(const play::ContestPlan& contest, const play::Score& score,
                const play::SequentialTest* test);

// [{"player", "elo", "interval", "games", "score"}, …], the strongest first.
Json ratings_json(const play::RatingTable& table);

Json tournament_json(const play::ContestPlan& contest, const play::RatingTable& table);
// The same for the store.
std::vector<RatingRow> rating_rows(const play::ContestPlan& contest, const play::RatingTable& table,
                                   RunId run);

}  // namespace damier::app
