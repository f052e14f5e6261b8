// Elo ratings from the games of a pool of players: the strengths under which the observed points
// are the most likely (Bradley and Terry's model, a draw being half a win and half a loss), so that
// two players alone are as far apart as the Elo difference of their match says.
//
// Every player also gets one virtual draw, shared out over his opponents in proportion to the games
// against each. It keeps the rating of somebody who won or lost everything finite, and with more
// games it fades.
#pragma once

#include <algorithm>
#include <cstddef>

#include "damier/play/ratings/statistics.h"
#include "damier/store/store.h"

namespace damier::play {

// All the games between two players, as the first of them saw it.
struct Pairing {
  std::size_t player = 0;  // both are indices into the list of players
  std::size_t opponent = 0;
  Record record;
  PairCounts pairs = {};  // the same games by pairs; left empty when they were not paired
};

// Ratings are differences, so one of them has to be given.
struct Anchor {
  std::string player;
  double elo = 0;
};

struct Rating {
  std::string player;
  double elo = 0;
  // Of the difference to the anchor, or to the mean of the pool. The anchor's own has no width, and
  // without any game it has no ends (infinities).
  Interval interval;
  Record record;  // over all games
  // Players who met, be it through others, are in the same pool; ratings of different pools cannot
  // be compared. Counts from 0.
  int pool = 0;
};

struct RatingTable {
  // Pool by pool, the strongest of each first.
  std::vector<Rating> ratings;
  int pools = 0;

  // null when there is none
  const Rating* find(std::string_view player) const {
    const auto place = std::ranges::find(ratings, player, &Rating::player);
    return place == ratings.end() ? nullptr : &*place;
  }
};

// Without an anchor, and in every pool that does not hold the anchor, the mean rating is 0. The
// anchor's pool comes first, then the larger ones. Pairings may name the same two players again.
// An error if a name occurs twice or the anchor is none of the players.
Result<RatingTable> rate_players(std::span<const std::string> players,
                                 std::span<const Pairing> pairings,
                                 const std::optional<Anchor>& anchor = std::nullopt);

// What a game brought to the player who moved first, or to the other.
GamePoints points_for(const GameRow& game, bool moves_first);

// The same of finished games of any players.
Result<RatingTable> rate_games(std::span<const GameRow> games,
                               const std::optional<Anchor>& anchor = std::nullopt);

}  // namespace damier::play
