// A game of chess as Portable Game Notation keeps it: tags, the line that was played, and what was
// said about it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "damier/games/chess/chess.h"

namespace damier::games::chess {

struct PgnTag {
  std::string name;
  std::string value;

  bool operator==(const PgnTag&) const = default;
};

// From White's point of view, as "[%eval 0.35]" and "[%eval #-3]" say it.
struct PgnEval {
  bool is_mate = false;
  int value = 0;  // hundredths of a pawn, or moves to mate; negative for Black

  bool operator==(const PgnEval&) const = default;
};

// Nobody moves, "--" or "Z0": what the other side threatens. Only variations have it.
inline constexpr Move kNullMove = {};

struct PgnPly;
using PgnLine = std::vector<PgnPly>;

struct PgnPly {
  Move move = {};
  std::vector<std::uint8_t> nags = {};  // "$1", or "!" behind the move
  std::string comment_before = {};      // only where a line begins with a comment
  std::string comment = {};             // what follows, without the clock and the evaluation
  std::optional<PgnEval> eval = {};
  std::optional<double> clock = {};      // seconds left, "[%clk 0:01:30.5]"
  std::vector<PgnLine> variations = {};  // what could have been played instead

  bool operator==(const PgnPly&) const = default;
};

struct PgnGame {
  std::vector<PgnTag> tags;
  State start;
  PgnLine line;
  std::string comment;       // of a game without moves, or behind its result
  std::string result = "*";  // "1-0", "0-1", "1/2-1/2"; "*" when not known
  // How its pieces are written, in the order of KQRBN, where that is not English: "KDTLS".
  std::string letters = {};
  std::int64_t at_line = 0;  // where it stands in its file, counted from 1

  // Empty when there is no such tag.
  std::string_view tag(std::string_view name) const {
    for (const PgnTag& tag : tags) {
      if (tag.name == name) return tag.value;
    }
    return {};
  }
};

// Also where nobody moves; the side to move must not be in check then.
inline void play_pgn_move(const Chess& rules, State& state, Move move) {
  if (move != kNullMove) return rules.play(state, move);
  if (state.side == Side::second) ++state.move_number;
  state.side = opponent(state.side);
  state.en_passant = Square::none;
  state.hash = zobrist_hash(state);
}

}  // namespace damier::games::chess
