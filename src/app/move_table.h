// What a player thinks of the moves, for people and for programs.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "damier/app/terminal.h"
#include "damier/arena/player.h"
#include "damier/base/json.h"

namespace damier::app {

// One line a move, the best first; at most `most` of them. Ends with the best line, if there is
// one.
std::vector<std::string> move_table(const games::Session& session, const arena::View& view,
                                    std::size_t most, const Look& look);

Json moves_json(const games::Session& session, const arena::View& view);
Json line_json(const games::Session& session, const arena::View& view);

}  // namespace damier::app
