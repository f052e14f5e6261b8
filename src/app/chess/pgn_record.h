// Games of chess as Portable Game Notation, out and in.
#pragma once

#include "damier/app/game_commands.h"
#include "damier/play/contest/terms.h"

namespace damier::app {

std::string pgn_of(const games::Session& session, const GameFormat::Names& names);
Result<GameFormat::Record> read_pgn_record(std::istream& in, const std::string& source,
                                           std::int64_t number);

Result<std::string> annotated_pgn(const games::Session& session, const GameFormat::Names& names,
                                  const std::optional<std::string>& file, std::int64_t number,
                                  const GameFormat::Annotations& annotations);

// Games as PGN, or positions as EPD, one a line.
Result<std::vector<play::Opening>> read_chess_book(std::istream& in, const std::string& source,
                                                   int plies);

// `damier data games.pgn`: what is in a file of games (chess/pgn_data.cc). Nothing where the
// request is not for a PGN file.
std::optional<Result<int>> pgn_data(const DataRequest& request);

}  // namespace damier::app
