// Some games of a run as rows of boards.
#pragma once

#include <optional>
#include <span>

#include "damier/games/any_game.h"
#include "damier/report/page.h"
#include "damier/store/store.h"

namespace damier::pages {

// A few games from the first to the last, each with a few of its positions; games that cannot be
// replayed are passed over. None when there is nothing to see.
std::optional<report::Section> games_section(const games::AnyGame& game,
                                             std::span<const GameRow> games);

}  // namespace damier::pages
