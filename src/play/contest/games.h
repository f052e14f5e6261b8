// The games of a contest, played by this process and by those that it shares work with.
#pragma once

#include "damier/base/parallel/ranks.h"
#include "damier/play/contest/contest.h"
#include "damier/play/registry.h"

namespace damier::play {

// As play_contest(). An error when another rank cannot open a player, for instance.
Status share_contest(const Contest& contest, GameRows& rows, ThreadPool& pool,
                     const std::function<bool(const GameRow&)>& on_game, Ranks& ranks);

// The kind of work, for Ranks::serve().
inline constexpr std::string_view kContestWork = "contest";
Result<Worker> contest_worker(std::string_view order, const Registry& registry, ThreadPool& pool);

// A table for other programs: number,first,second,opening,outcome,plies,moves, then a line a game;
// games that were not played are left out. The opening is a part of the moves.
std::string games_csv(const GameRows& rows);

}  // namespace damier::play
