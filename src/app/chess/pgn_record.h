// One game of chess as Portable Game Notation, out and in.
#pragma once

#include "damier/app/game_commands.h"

namespace damier::app {

std::string pgn_of(const games::Session& session, const GameFormat::Names& names);
Result<GameFormat::Record> read_pgn_record(std::istream& in, const std::string& source,
                                           std::int64_t number);

}  // namespace damier::app
