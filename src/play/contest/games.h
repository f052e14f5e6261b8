// The games of a contest, played by this process and by those that it shares work with.
#pragma once

#include <functional>
#include <string_view>

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

}  // namespace damier::play
