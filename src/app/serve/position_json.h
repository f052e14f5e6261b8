// Positions as the pages see them: what stands where, whose turn it is, what can be played.
#pragma once

#include "damier/app/game_commands.h"
#include "damier/base/json/json.h"
#include "damier/games/saved_game.h"

namespace damier::app::serve {

Json picture_json(const games::Picture& picture);

// {"game", "state": a saved game, "position", "side", "outcome", "ending", "legal": […], …}
Json position_json(const games::SavedGame& saved, const GameCommands& own);

}  // namespace damier::app::serve
