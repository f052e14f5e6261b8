// The rows of the run store as values. A store is data from outside: a cell that holds another type
// or a number that cannot be is an error which names the column ("its seed cannot be read").
#pragma once

#include <string>
#include <string_view>

#include "damier/base/result.h"
#include "damier/store/sqlite.h"
#include "damier/store/store.h"

namespace damier {

// What is selected for the readers below, in their order.
inline constexpr std::string_view kRunColumns =
    "id, name, kind, game, options, config, seed, version, started, finished, status, summary";
inline constexpr std::string_view kGameColumns =
    "number, first, second, pair, opening, outcome, plies, moves, seconds, start, ending, notes";
inline constexpr std::string_view kMetricColumns = "step, name, value";
inline constexpr std::string_view kRatingColumns = "game, player, elo, low, high, games, run";

// Its status is as it was written: whether a running one has a living process is not in the row.
Result<Run> run_of(const sqlite::Statement& row);
Result<GameRow> game_of(const sqlite::Statement& row);
Result<MetricRow> metric_of(const sqlite::Statement& row);
Result<RatingRow> rating_of(const sqlite::Statement& row);

}  // namespace damier
