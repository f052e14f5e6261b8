// Moves as people write them: standard algebraic notation (SAN), "Nbd2", "exd6", "O-O", "e8=Q#".
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "damier/base/result.h"
#include "damier/games/chess/chess.h"

namespace damier::games::chess {

// With the least that tells the move from the other legal ones, and with + or #.
std::string san_text(const Chess& game, const State& state, Move move);

// What a text in SAN says, before it is looked for among the legal moves.
struct SanPattern {
  static constexpr std::int8_t kAny = -1;

  Kind kind = Kind::pawn;
  std::int8_t from_file = kAny;
  std::int8_t from_rank = kAny;
  Square to = Square::none;  // none: castling
  std::optional<Kind> promotion = {};
  bool castles_short = false;

  bool matches(Move move) const;
};

// Also takes 0-0, a missing or wrong x, + or #, "e8Q", "e.p.", "Ng1-f3", "Pe4" and !? marks.
std::optional<SanPattern> parse_san_pattern(std::string_view text);

// The one legal move with that text; nothing if there is none or more than one. For readers of many
// moves; parse_move says what is wrong.
std::optional<Move> find_san(const Generator& generator, const State& state, std::string_view text);

// SAN or UCI.
Result<Move> parse_chess_move(const Chess& game, const State& state, std::string_view text);

}  // namespace damier::games::chess
