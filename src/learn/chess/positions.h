// Positions of chess with what they are worth, from three sources: games that our engine plays
// against itself from random openings, games in PGN, and the rows of a report's CSV.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "damier/base/numbers/random.h"
#include "damier/games/chess/chess.h"
#include "damier/games/history.h"
#include "damier/play/players/players.h"

namespace damier::learn::chess {

using games::chess::Chess;
using games::chess::Move;
using games::chess::State;
using History = games::History<Chess>;

// Scores beyond this, mates among them, count as this: what is won is won.
inline constexpr int kMaxCentipawns = 2000;

// Both numbers are White's.
struct ScoredPosition {
  State state;
  double score = 0;     // hundredths of a pawn, from -kMaxCentipawns to kMaxCentipawns
  double result = 0.5;  // of the game: 1, 0.5 or 0
};

// A score in hundredths of a pawn as an expected result, and back.
double expected_of(double centipawns);
double centipawns_of(double expected);  // within kMaxCentipawns

// A game as a file has it.
struct RecordedGame {
  State start;
  std::vector<Move> moves;
  std::vector<std::optional<int>> scores;  // White's, after each move, where a comment says it
  double result = 0.5;
};

// Games without a result are left out. A broken one is an error.
Result<std::vector<RecordedGame>> read_recorded_games(const std::string& path);
// The result of a row is its target: nobody knows how the game went on.
Result<std::vector<ScoredPosition>> read_position_rows(const std::string& path);

struct GamesPlan {
  Chess game;
  Seed seed = Seed{1};
  // Both must say scores of the moves that they play, or values.
  std::optional<play::OpenedPlayer> player;   // of both sides; none: the teacher plays
  std::optional<play::OpenedPlayer> teacher;  // none: the comments of the games say it
  int opening = 8;      // moves at random before both sides think, one more at times
  int even = 0;         // an opening whose first score is beyond this begins no game; 0: any does
  double noise = 0.1;   // the share of random moves afterwards
  double share = 0.25;  // of the positions that are taken
  // Only where nothing is about to be taken: neither check nor a capture or promotion as the best
  // move.
  bool quiet = false;
  int skip = 0;  // plies at first whose positions are left out
};

// Plays and scores. What comes out follows from the plan and the number alone, and from what
// players say that are other programs. A player that cannot go on throws PlayerError.
std::vector<ScoredPosition> play_scored(const GamesPlan& plan, std::uint64_t number);
std::vector<ScoredPosition> score_recorded(const GamesPlan& plan, const RecordedGame& game,
                                           std::uint64_t number);

}  // namespace damier::learn::chess
