// Positions put together by hand: a piece is put on a cell, and the game says what the board is
// now.
#pragma once

#include <string_view>

#include "damier/base/json/json.h"
#include "damier/games/registry.h"

namespace damier::app::serve {

// The request: {"state": a saved game, "board": {"cells": [[piece, …], …], "to_move": 0 or 1},
// "cell", "piece"}. Without a board it is that of the game; the piece is put on the cell of it, or
// taken away if it stands there; without a cell nothing changes.
//
// The answer: {"game", "pieces": what can be put, "board": as it is now, "picture", "position": its
// text, "error": why it is no position of the game, or null}.
Result<Json> edited_board(const games::Registry& registry, std::string_view body);

}  // namespace damier::app::serve
