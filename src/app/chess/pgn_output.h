// Games of chess as PGN, for other chess programs.
#pragma once

#include <string>
#include <string_view>

#include "damier/games/any_game.h"

namespace damier::app {

struct PgnNames {
  std::string_view event;
  std::string_view white;
  std::string_view black;
  std::string_view round = "-";
};

// The text of a game that is over or was left; `session` must be one of chess.
std::string session_pgn(const games::Session& session, const PgnNames& names);

}  // namespace damier::app
