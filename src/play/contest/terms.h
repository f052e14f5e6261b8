// Terms of a contest beside its rules: clocks, openings from a book, and games that are called
// before their end.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "damier/base/result.h"
#include "damier/games/game.h"
#include "damier/play/contest/move_notes.h"

namespace damier::play {

// In seconds, for each side; a move adds the increment.
struct TimeControl {
  double base = 0;
  double increment = 0;

  bool operator==(const TimeControl&) const = default;
};
Result<TimeControl> parse_time_control(std::string_view text);  // "10+0.1", "60"
std::string time_control_text(const TimeControl& time);

// Where a game of a book begins: a position, and moves from there.
struct Opening {
  std::string position;  // empty: where the game itself begins
  std::vector<std::string> moves;

  bool operator==(const Opening&) const = default;
};

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

  bool is_on() const { return resign.moves > 0 || draw.moves > 0; }
  bool operator==(const Adjudication&) const = default;
};
inline constexpr Adjudication::Rule kUsualResign = {4, 700, 0};
inline constexpr Adjudication::Rule kUsualDraw = {8, 10, 34};
// "resign,draw", "resign=4/700", "draw=8/10/34"
Result<Adjudication> parse_adjudication(std::string_view text);
std::string adjudication_text(const Adjudication& adjudication);

// The result that the notes of a game so far call for; `ongoing` where there is none. `to_move` is
// the side that moves next.
games::Outcome adjudicated(const Adjudication& adjudication, const std::vector<MoveNote>& notes,
                           games::Side to_move);

}  // namespace damier::play
