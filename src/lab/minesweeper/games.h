// Games of minesweeper for the lab: whole sets of them, on all threads.
//
// The one thing to know: game i of a set has the same board seed for every player, and a random
// stream of its own, so that a tally is the same whichever thread plays what.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "damier/base/estimate.h"
#include "damier/base/json.h"
#include "damier/base/random.h"
#include "damier/base/result.h"
#include "damier/base/threads.h"
#include "damier/games/minesweeper/minesweeper.h"
#include "damier/learn/minesweeper/patch_player.h"
#include "damier/nn/safetensors.h"

namespace damier::lab {

// How a set of games ended.
struct GameTally {
  std::int64_t games = 0;
  std::int64_t wins = 0;
  // scores[s]: the games in which s safe cells were opened; the last place is that of wins.
  std::vector<std::int64_t> scores;

  Estimate win_rate() const;           // with Wilson's interval
  Estimate mean_score() const;         // safe cells opened
  Estimate score_share() const;        // of all safe cells
  std::vector<double> values() const;  // the score of every game
};
Json to_json(const GameTally& tally);
// Of what to_json wrote; throws Json::Mismatch where it is something else.
GameTally read_tally(const Json& json);

struct PlayedGame {
  bool won = false;
  int score = 0;
};

// Plays games with what deals[i] hides and the chance of random[i].
using GamePlayer =
    std::function<void(const games::minesweeper::Minesweeper& game, std::span<const Seed> deals,
                       std::span<RandomStream> random, std::span<PlayedGame> results)>;
// A player for one more thread.
using PlayerMaker = std::function<GamePlayer()>;

// Opens masked cells at random: the report's random player.
PlayerMaker random_opener();
// The report's player of those weights.
Result<PlayerMaker> patch_players(std::shared_ptr<const nn::TensorFile> weights,
                                  const learn::PatchPlayerOptions& options);
// "net", "net:MODEL", "solver"
Result<PlayerMaker> named_players(const std::string& player);

// Tells apart players whose text is the same, as `net` with other weights is: a checksum of the
// risks that it sees on some boards.
Result<std::string> minesweeper_fingerprint(const std::string& player);

struct GameSet {
  games::minesweeper::Minesweeper game;
  std::int64_t games = 0;
  Seed seed = Seed{1};
  std::string_view name;  // sets of other names have other games
};

// `tell` hears which share is done; once `stop` says so, it ends with interruption(). Both are
// called by one thread at a time.
Result<GameTally> play_games(const PlayerMaker& players, const GameSet& set, ThreadPool& pool,
                             const std::function<void(double)>& tell,
                             const std::function<bool()>& stop);

}  // namespace damier::lab
