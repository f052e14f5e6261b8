// Sets of minesweeper games for the lab, on all threads. Game i of a set has the same board for
// every player and a random stream of its own, so that a tally is the same whichever thread plays
// what.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "damier/base/json/described.h"
#include "damier/base/parallel/threads.h"
#include "damier/play/minesweeper/players.h"

namespace damier::lab {

// "random" opens masked cells at random; every other text is the arena's: "solver", "net:MODEL,…".
// A player is made for each thread.
Result<play::MinesweeperFactory> minesweeper_players(const std::string& player);

// Tells apart players whose text is the same, as `net` with other weights is: a checksum of the
// probabilities that it sees on some boards.
std::string minesweeper_fingerprint(const std::string& player,
                                    const play::MinesweeperFactory& players);

// How a set of games ended.
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

struct GameSet {
  games::minesweeper::Minesweeper game;
  std::int64_t games = 0;
  Seed seed = Seed{1};
  std::string_view name;  // sets of other names have other games
};

// `tell` hears which share is done; once `stop` says so, it ends with interruption(). Both are
// called by one thread at a time.
Result<GameTally> play_games(const play::MinesweeperFactory& players, const GameSet& set,
                             ThreadPool& pool, const std::function<void(double)>& tell,
                             const std::function<bool()>& stop);

}  // namespace damier::lab
