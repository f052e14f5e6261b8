// Moves as chess programs exchange them: e2e4, e7e8q. Castling is e1g1 in chess and the king taking
// its rook, e1h1, in Chess960.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "damier/games/chess/generator.h"

namespace damier::games::chess {

// Where king or rook do not stand as in chess, castling is written as in Chess960 in any case.
std::string uci_text(Move move, bool chess960);

// The legal move with that text, castling in either form; nothing if there is none.
std::optional<Move> find_uci(const Generator& generator, const State& state, std::string_view text);

// Whether the text has the form of a UCI move, legal or not.
bool looks_like_uci(std::string_view text);

}  // namespace damier::games::chess
