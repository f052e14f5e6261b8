// A board as a small drawing for a page.
#pragma once

#include <string>

#include "damier/games/picture.h"

namespace damier::pages {

// An SVG element; its colours are those of the page (report/page.h).
std::string board_drawing(const games::Picture& picture);

}  // namespace damier::pages
