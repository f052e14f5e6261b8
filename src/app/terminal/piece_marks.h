// How pieces look where there are only characters: the one table from their roles to signs and
// colours.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "damier/app/terminal/terminal.h"
#include "damier/games/picture.h"

namespace damier::app {

struct PieceMark {
  std::string sign;        // one column wide
  std::string_view joint;  // what stands between it and the rest of the piece to its right
  std::string codes;       // of its colour
  bool is_tile = false;    // has a body: a ground of its colour, three columns wide
};

// Of roles that the table does not have: their first letter, small for the second side.
PieceMark mark_of(const games::Token& token, const std::array<games::Colour, 2>& colours,
                  const Look& look);

Ink ink_of(games::Colour colour);

}  // namespace damier::app
