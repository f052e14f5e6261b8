// `damier data games.pgn`: what is in a file of chess games.
#pragma once

#include "damier/app/game_commands.h"

namespace damier::app {

// Nothing where the request is not for a PGN file.
std::optional<Result<int>> pgn_data(const DataRequest& request);

}  // namespace damier::app
