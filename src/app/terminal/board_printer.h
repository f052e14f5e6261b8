// A game's picture as lines of text for a terminal.
#pragma once

#include <string>

#include "damier/app/terminal/terminal.h"
#include "damier/games/picture.h"

namespace damier::app {

// In lines of at most `columns` columns; a wide board takes a tighter form or comes in parts. Ends
// with a line break.
std::string board_text(const games::Picture& picture, const Look& look, int columns);

// The line under the board alone; empty where there is none.
std::string caption_text(const games::Picture& picture, const Look& look);

// One cell of it, one column wide.
std::string cell_text(const games::Picture& picture, const games::Cell& cell, const Look& look);

// As the one who sits opposite sees it.
games::Picture turned(games::Picture picture);

}  // namespace damier::app
