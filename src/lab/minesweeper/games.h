// Sets of minesweeper games for the lab, on all threads. Game i of a set has the same board for
// every player and a random stream of its own, so that a tally is the same whichever thread plays
// what.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "damier/base/parallel/threads.h"
#include "damier/lab/game_tally.h"
#include "damier/play/minesweeper/players.h"

namespace damier::lab {

// "random" opens masked cells at random; every other text is the arena's: "solver", "net:MODEL,…".
// A player is made for each thread.
Result<play::MinesweeperFactory> minesweeper_players(const std::string& player);

// Tells apart players whose text is the same, as `net` with other weights is: a checksum of the
// probabilities that it sees on some boards.
std::string minesweeper_fingerprint(const std::string& player,
                                    const play::MinesweeperFactory& players);

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
