// Where players and networks of fanoron-telo go wrong, told by the exact table: by the position's
// value, by how far the game has come, by how far the end is.
//
// The one thing to know: a lost position cannot lose its value, whatever is played; there only
// "shortest" (resisting as long as possible) tells a good move from a bad one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "damier/arena/contest.h"
#include "damier/base/json.h"
#include "damier/learn/data/data_set.h"
#include "damier/learn/task.h"

namespace damier::lab {

// Positions that are alike, and how the chosen moves were there.
struct FanoronaCell {
  int value = 0;     // 1 win, 0 draw, -1 loss, for the side to move
  int phase = 0;     // how many pieces have moved, 0 to 6
  int distance = 0;  // plies to the end; 0 for a draw
  std::int64_t n = 0;
  std::int64_t kept = 0;      // the move keeps the value
  std::int64_t shortest = 0;  // and wins as fast, or resists as long, as possible
};

struct FanoronaExamination {
  std::vector<FanoronaCell> cells;
  // What the value head said less what is true, by true value -1, 0, 1; in millionths. Empty where
  // the network has no such head.
  std::vector<std::vector<int>> value_errors = std::vector<std::vector<int>>(3);
};

Json to_json(const FanoronaExamination& examination);
// Of what to_json wrote; throws Json::Mismatch where it is something else.
FanoronaExamination read_examination(const Json& json);

// On the states of a split.
Result<FanoronaExamination> examine_fanorona(const learn::JudgedModel& model,
                                             const learn::DataSet& data, learn::Split split);

// A player's moves on the states that can be reached from the start and are not over, or on as many
// of them as `most` says (0: all). `stop` ends it with a void result.
Result<std::vector<FanoronaCell>> examine_fanorona_player(const arena::Toolkit& toolkit,
                                                          const std::string& player, Seed seed,
                                                          std::size_t most, ThreadPool& pool,
                                                          const std::function<void(double)>& tell,
                                                          const std::function<bool()>& stop);

// Tells apart players whose text is the same, as `net` with other weights is: a checksum of what
// the player thinks of some positions.
Result<std::string> player_fingerprint(const arena::Toolkit& toolkit, const std::string& player);

// The games of a match, as the first player saw them.
struct FanoronaMatch {
  arena::Record record;
  arena::PairCounts pairs;
  std::int64_t different = 0;  // games: players without chance repeat themselves
  std::int64_t plies = 0;      // of all games together
};
Json to_json(const FanoronaMatch& match);
FanoronaMatch read_match(const Json& json);
FanoronaMatch summarize_match(const arena::Contest& contest, const arena::GameRows& rows);

}  // namespace damier::lab
