// What is noted of each move of a game: what the player thought, and what its clock showed then.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "damier/base/result.h"

namespace damier::play {

struct MoveNote {
  std::optional<int> score = {};     // as in Choice, for the side that moved
  std::optional<int> mate = {};      // the same
  std::optional<double> clock = {};  // seconds left after the move

  bool operator==(const MoveNote&) const = default;
};

// A word a move: score, "#" and moves for a mate, or nothing; "@" and the clock: "35@9.812",
// "#-3@0.5", "-". Empty where nothing at all was noted.
std::string notes_text(std::span<const MoveNote> notes);
Result<std::vector<MoveNote>> parse_notes(std::string_view text);

}  // namespace damier::play
