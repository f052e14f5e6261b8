// Games as pages send and see them: what a request says of one, what stands where, what can be
// played, and boards put together by hand.
#pragma once

#include <string>
#include <string_view>

#include "damier/base/json/json.h"
#include "damier/games/saved_game.h"

namespace damier::app::serve {

// The body of a request about a game: {"state": a saved game, "player": …, "move": …}. What a state
// has no need to say may be left out.
struct GameRequest {
  games::SavedGame saved;
  std::string player;  // empty: the strongest
  std::string move;    // to be played; empty: none
  std::string page;    // who asks, and for what (serve/searches.h)
  std::string task;
  std::string model;  // of a question about a network
  std::string layer;
  std::size_t from = 0;  // the first move that is asked about
};

Result<GameRequest> parse_game_request(const games::Registry& registry, std::string_view body);

// Plays a move as people write it.
Status play_written(games::SavedGame& saved, std::string_view move);

// {"game", "state": a saved game, "position", "side", "outcome", "ending", "legal": […], …}
Json position_json(const games::SavedGame& saved);

// A board put together by hand. The request: {"state": a saved game, "board": {"cells": [[piece,
// …], …], "to_move": 0 or 1}, "cell", "piece"}. Without a board it is that of the game; the piece
// is put on the cell of it, or taken away if it stands there; without a cell nothing changes.
//
// The answer: {"game", "pieces": what can be put, "board": as it is now, "picture", "position": its
// text, "error": why it is no position of the game, or null}.
Result<Json> edited_board(const games::Registry& registry, std::string_view body);

}  // namespace damier::app::serve
