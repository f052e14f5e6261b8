// Games between players: every pairing plays the same openings, each of them twice with the sides
// swapped. A game without clocks is fixed by the seed, its number and the players' texts; it does
// not depend on the threads, nor on whether it was played before or after the program was stopped.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>

#include "damier/base/parallel/threads.h"
#include "damier/play/contest/terms.h"
#include "damier/play/players/players.h"
#include "damier/play/ratings/ratings.h"
#include "damier/play/ratings/statistics.h"
#include "damier/play/toolkit.h"
#include "damier/store/store.h"

namespace damier::play {

struct ContestPlan {
  std::shared_ptr<const Toolkit> toolkit;
  std::vector<std::string> players;  // two or more: each meets every other
  std::int64_t games = 2;            // of every pairing; even
  int opening_plies = 2;             // played at random before the players take over
  Seed seed = Seed{0};
  // Each meets only the next N in the list, which is sorted by strength as far as that is known:
  // games between players far apart tell little. 0: everybody meets everybody.
  int neighbours = 0;
  bool gauntlet = false;  // only the first in the list meets the others
  // Clocks: how long a move took decides then, and the seed alone no longer fixes the games.
  std::optional<TimeControl> time = {};
  // Instead of random openings; each is the opening of one pair of games, in an order by the seed.
  std::vector<Opening> book = {};
  Adjudication adjudication = {};

  // How many of those that follow a player in the list he meets.
  std::int64_t met_after(std::size_t player) const {
    if (gauntlet && player > 0) return 0;
    const auto others = static_cast<std::int64_t>(players.size() - 1 - player);
    return neighbours > 0 ? std::min<std::int64_t>(neighbours, others) : others;
  }
  std::int64_t games_of(std::size_t player) const {
    std::int64_t met = met_after(player);
    for (std::size_t before = 0; before < player; ++before) {
      met += static_cast<std::int64_t>(player - before) <= met_after(before);
    }
    return met * games;
  }
  std::int64_t pairings() const {
    std::int64_t sum = 0;
    for (std::size_t player = 0; player < players.size(); ++player) sum += met_after(player);
    return sum;
  }
  std::int64_t total_games() const { return pairings() * games; }
};

// As runs keep it; the game, the seed and the book stand beside it.
void describe(auto& fields, Is<ContestPlan> auto& plan) {
  fields("players", plan.players);
  fields("games", plan.games);
  fields("opening", plan.opening_plies);
  fields.unless_default("neighbours", plan.neighbours);
  fields.unless_default("gauntlet", plan.gauntlet);
  fields("tc", plan.time);
  fields.unless_default("adjudicate", plan.adjudication);
}

// A plan with its players opened: what their texts meant then (the weights of a model) holds for
// all games.
struct Contest : ContestPlan {
  std::vector<OpenedPlayer> opened;  // as `players`
};

// An error unless there are two players at least, all known, none a human, none twice; an even
// number of games; a game of two players; a book whose openings can be played.
Result<Contest> open_contest(ContestPlan plan);
// Of players that are open already; the plan's are named after them.
Result<Contest> open_contest(ContestPlan plan, std::vector<OpenedPlayer> players);

// Who plays game `number`, counted from 0, and which opening. Pairs of games follow each other, and
// the pairings take turns, so that an unfinished tournament is a fair one.
struct Slot {
  std::size_t first = 0;  // indices of players; `first` moves first
  std::size_t second = 0;
  std::int64_t pair = 0;     // unique over the contest
  std::int64_t opening = 0;  // unique in a pairing, shared between pairings
};
Slot slot_of(const ContestPlan& contest, std::int64_t number);

// How games end before their rules end them (GameRow::ending), beside the failure of a player.
inline constexpr std::string_view kLostOnTime = "lost on time";
inline constexpr std::string_view kAdjudicated = "adjudicated";

GameRow play_game(const Contest& contest, std::int64_t number);

// By number; empty where a game is not played yet.
using GameRows = std::vector<std::optional<GameRow>>;

// Plays what is missing in `rows`. `on_game` hears of each game that is done, one at a time; false
// ends the contest when the games under way are done. So does an interrupt.
void play_contest(const Contest& contest, GameRows& rows, ThreadPool& pool,
                  const std::function<bool(const GameRow&)>& on_game);

// The games between two players, as the first of them saw it.
struct Score {
  Tally tally;
  Record moving_first;  // the games in which that player moved first
};
Score score_between(const ContestPlan& contest, const GameRows& rows, std::size_t player,
                    std::size_t opponent);

// The sequential test of a match, over whole pairs in the order of their numbers: where it ends
// does not depend on which game was done first.
class SequentialTest {
 public:
  SequentialTest(const ContestPlan& contest, const Sprt& sprt) : contest_(&contest), sprt_(sprt) {}

  // Looks at the pairs that are new; true once the test is decided.
  bool advance(const GameRows& rows);

  const SprtState& state() const { return state_; }
  std::int64_t games() const { return static_cast<std::int64_t>(next_); }  // that it looked at

 private:
  const ContestPlan* contest_;
  Sprt sprt_;
  PairCounts pairs_;
  SprtState state_;
  std::size_t next_ = 0;
};

Result<RatingTable> rate_contest(const ContestPlan& contest, const GameRows& rows,
                                 const std::optional<Anchor>& anchor);

// An error unless a row of the store can be of this contest: its number, players and pair.
Status check_row(const ContestPlan& contest, const GameRow& row);

// The game again, move by move; an error unless its moves make a whole game of the contest that
// ends as the row says.
Result<std::unique_ptr<games::Session>> replayed(const ContestPlan& contest, const GameRow& row);

// A game as `damier play --load` reads it, on one line.
Result<std::string> record_line(const ContestPlan& contest, const GameRow& row);

}  // namespace damier::play
