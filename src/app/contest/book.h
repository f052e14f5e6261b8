// Openings from a file, for matches and tournaments.
#pragma once

#include <string>
#include <vector>

#include "damier/app/context.h"
#include "damier/play/contest/terms.h"

namespace damier::app {

// The openings of a file, `plies` moves of each of its games: in a format of the game's own, or one
// position a line. An error where there is none.
Result<std::vector<play::Opening>> read_book(const GameCommands& own, const std::string& file,
                                             int plies);

}  // namespace damier::app
