// How a set of games of one player ended: wins, and a score of each game.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "damier/base/json/described.h"
#include "damier/base/numbers/estimate.h"

namespace damier::lab {

struct GameTally {
  std::int64_t games = 0;
  std::int64_t wins = 0;
  // scores[s]: the games that ended with score s; the last place is the highest score there is.
  std::vector<std::int64_t> scores;

  Estimate win_rate() const;
};
void describe(auto& fields, Is<GameTally> auto& tally) {
  fields("games", tally.games);
  fields("wins", tally.wins);
  fields("scores", tally.scores);
}

// For the findings of a study: {"wins", "score", "share" (of the highest score): estimates,
// "quartiles": "61 / 82 / 88", "values": the score of every game}.
Json findings_of(const GameTally& tally);

}  // namespace damier::lab
