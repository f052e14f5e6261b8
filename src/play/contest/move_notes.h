// What is noted of each move of a game: what the player thought, and what its clock showed then.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "damier/base/result.h"
#include "damier/games/known.h"

namespace damier::play {

struct MoveNote {
  std::optional<int> score = {};     // of the move, hundredths of the heuristic's unit
  std::optional<int> mate = {};      // own moves to the win; below 0: to the loss
  std::optional<double> clock = {};  // seconds left after the move

  bool operator==(const MoveNote&) const = default;
};

// A win or loss whose plies are known, counted in moves as chess players do.
std::optional<int> mate_of(const games::Known& known);

// A word a move: score, "#" and moves for a mate, or nothing; "@" and the clock: "35@9.812",
// "#-3@0.5", "-". Empty where nothing at all was noted.
std::string notes_text(std::span<const MoveNote> notes);
Result<std::vector<MoveNote>> parse_notes(std::string_view text);

}  // namespace damier::play
