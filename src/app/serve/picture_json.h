// Boards as the pages see them: what stands where, by meaning.
#pragma once

#include "damier/base/json/json.h"
#include "damier/base/text/language.h"
#include "damier/games/picture.h"

namespace damier::app::serve {

Json token_json(const games::Token& token);
Json picture_json(const games::Picture& picture);
// A text in the languages besides English, by their codes.
Json translations(const Text& text);

// {"move": its text, "kind", "cells", and "piece" where there is a choice}
Json legal_move_json(std::string move, const games::Gesture& gesture);

}  // namespace damier::app::serve
