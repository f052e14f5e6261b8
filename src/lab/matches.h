// Matches of one player against others, as steps of a study: what is kept of them, and how they are
// shown. For any game of two players.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "damier/base/json/described.h"
#include "damier/lab/study.h"
#include "damier/play/contest/contest.h"
#include "damier/report/plot/plot.h"
#include "damier/report/plot/table.h"

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

// A match that is opened when its turn comes: a player may be a network that the study trains.
struct MatchStep {
  StepInfo info;
  Json players;  // all that decides how they play
  std::int64_t games = 0;
  int opening_plies = 0;
  // players[0] against players[1]
  std::function<Result<play::Contest>()> open;
};
void add_match(Study& study, MatchStep match, MatchFindings& into);

// Adds the match contest.players[0] against contest.players[1] to a study. `fingerprint` stands for
// what the player knows (player_fingerprint).
void add_match(Study& study, const play::Contest& contest, const std::string& fingerprint,
               MatchFindings& into);

// Tells apart players whose text is the same, as `net` with other weights is: a checksum of what
// the player thinks of some positions.
std::string player_fingerprint(const play::Toolkit& toolkit, const play::OpenedPlayer& player);

// Games lost; the interval follows from that of their share.
Estimate lost_games(const MatchFindings& match);

report::Table matches_table(const std::string& player, std::span<const std::string> opponents,
                            std::span<const MatchFindings> matches, std::string note);
report::Figure matches_figure(const std::string& player, std::span<const std::string> opponents,
                              std::span<const MatchFindings> matches);

}  // namespace damier::lab
