// Terms of a contest beside its rules: clocks, openings from a book, what is noted of each move,
// and games that are called before their end.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "damier/base/json/described.h"
#include "damier/base/result.h"
#include "damier/games/game.h"
#include "damier/games/known.h"

namespace damier::play {

// In seconds, for each side; a move adds the increment.
struct TimeControl {
  double base = 0;
  double increment = 0;

  static Result<TimeControl> parse(std::string_view text);  // "10+0.1", "60"
  std::string text() const;
  bool operator==(const TimeControl&) const = default;
};

// Where a game of a book begins: a position, and moves from there.
struct Opening {
  std::string position;  // empty: where the game itself begins
  std::vector<std::string> moves;

  bool operator==(const Opening&) const = default;
};
void describe(auto& fields, Is<Opening> auto& opening) {
  fields("position", opening.position);
  fields("moves", opening.moves);
}

// A game is won when both sides have agreed on a great score for N moves each, drawn when
// both have seen next to none, from some move on. Players that tell no score are never called.
struct Adjudication {
  struct Rule {
    int moves = 0;  // of each side in a row; 0: no such rule
    int score = 0;  // hundredths: at least, or for a draw at most
    int from = 0;   // no earlier than after this many moves of each side
    bool operator==(const Rule&) const = default;
  };
  Rule resign = {};
  Rule draw = {};

  static Result<Adjudication> parse(std::string_view text);  // "resign,draw", "draw=8/10/34"
  std::string text() const;
  bool is_on() const { return resign.moves > 0 || draw.moves > 0; }
  bool operator==(const Adjudication&) const = default;
};
inline constexpr Adjudication::Rule kUsualResign = {4, 700, 0};
inline constexpr Adjudication::Rule kUsualDraw = {8, 10, 34};

// What is noted of a move: what the player thought, and what its clock showed then.
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

// The result that the notes of a game so far call for; `ongoing` where there is none. `to_move` is
// the side that moves next.
games::Outcome adjudicated(const Adjudication& adjudication, const std::vector<MoveNote>& notes,
                           games::Side to_move);

}  // namespace damier::play
