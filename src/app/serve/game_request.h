// The body of a request about a game: {"state": a saved game, "player": …, "move": …}.
#pragma once

#include <string>
#include <string_view>

#include "damier/games/saved_game.h"

namespace damier::app::serve {

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

// The game in "state"; what it has no need to say may be left out.
Result<games::SavedGame> read_state(const games::Registry& registry, const Json* state);

// Plays a move as people write it.
Status play_written(games::SavedGame& saved, std::string_view move);

Result<GameRequest> parse_game_request(const games::Registry& registry, std::string_view body);

}  // namespace damier::app::serve
