// Positions as the pages see them: what stands where, whose turn it is, what can be played.
#pragma once

#include "damier/base/json/json.h"
#include "damier/games/saved_game.h"

namespace damier::app::serve {

// {"game", "state": a saved game, "position", "side", "outcome", "ending", "legal": […], …}
Json position_json(const games::SavedGame& saved);

}  // namespace damier::app::serve
