// Matches as steps of a study, and what is kept of them. For any game of two players.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "damier/base/json/described.h"
#include "damier/lab/study.h"
#include "damier/play/contest/contest.h"

namespace damier::lab {

// The games of a match, as the first player saw them.
struct MatchFindings {
  play::Record record;
  play::Record moving_first;  // the games in which that player moved first
  play::PairCounts pairs;
  std::int64_t different = 0;  // games: players without chance repeat themselves
  std::int64_t plies = 0;      // of all games together

  Estimate score() const { return score_estimate(pairs); }
  Estimate score_first() const { return score_estimate(moving_first); }
  Estimate score_second() const;
};
void describe(auto& fields, Is<MatchFindings> auto& match) {
  fields("wins", match.record.wins);
  fields("draws", match.record.draws);
  fields("losses", match.record.losses);
  fields("wins_first", match.moving_first.wins);
  fields("draws_first", match.moving_first.draws);
  fields("losses_first", match.moving_first.losses);
  fields("pairs", match.pairs.count);
  fields("different", match.different);
  fields("plies", match.plies);
}

// A player by the name that it has in tables and games, opened when its turn comes: it may be a
// network that the study trains.
struct MatchPlayer {
  std::string name;
  std::function<Result<play::OpenedPlayer>()> open;
  Json identity;  // all that decides how it plays
};
using SharedToolkit = std::shared_ptr<const play::Toolkit>;
MatchPlayer player_of(SharedToolkit toolkit, const std::string& text);
// The network that a study trains.
MatchPlayer network_player(SharedToolkit toolkit, std::string name, const TrainedNetwork& trained,
                           Json identity);

// Both opened, with the games that the study's seed gives them.
Result<play::Contest> open_match(const Study& study, SharedToolkit toolkit,
                                 std::span<const MatchPlayer> players, std::int64_t games,
                                 int opening_plies);
// Plays a contest as a part of a step.
Result<play::GameRows> play_games(Study& study, const play::Contest& contest);

struct MatchStep {
  std::array<MatchPlayer, 2> players;
  std::int64_t games = 0;
  int opening_plies = 0;
  double seconds = 1;  // about
};
// Adds a match to a study.
void add_match(Study& study, SharedToolkit toolkit, MatchStep match, MatchFindings& into);

// Tells apart players whose text is the same, as `net` with other weights is: a checksum of what
// the player thinks of some positions.
std::string player_fingerprint(const play::Toolkit& toolkit, const play::OpenedPlayer& player);

// For the findings of a study: what is kept, {"score", "score_first", "score_second": estimates},
// games that were lost as an estimate, and "length", the mean of plies.
Json findings_of(const MatchFindings& match);

}  // namespace damier::lab
