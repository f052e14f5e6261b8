// Matches of one player against others, as steps of a study: what is kept of them, and how they are
// shown. For any game of two players.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "damier/arena/contest.h"
#include "damier/base/described.h"
#include "damier/lab/study.h"
#include "damier/report/plot.h"
#include "damier/report/plot_table.h"

namespace damier::lab {

// The games of a match, as the first player saw them.
struct MatchFindings {
  arena::Record record;
  arena::PairCounts pairs;
  std::int64_t different = 0;  // games: players without chance repeat themselves
  std::int64_t plies = 0;      // of all games together
};
void describe(auto& fields, Is<MatchFindings> auto& match) {
  fields("wins", match.record.wins);
  fields("draws", match.record.draws);
  fields("losses", match.record.losses);
  fields("pairs", match.pairs.count);
  fields("different", match.different);
  fields("plies", match.plies);
}

// Adds the match contest.players[0] against contest.players[1] to a study. `fingerprint` stands for
// what the player knows (player_fingerprint).
void add_match(Study& study, const arena::Contest& contest, const std::string& fingerprint,
               MatchFindings& into);

// Tells apart players whose text is the same, as `net` with other weights is: a checksum of what
// the player thinks of some positions.
std::string player_fingerprint(const arena::Toolkit& toolkit, const arena::OpenedPlayer& player);

// Games lost; the interval follows from that of their share.
Estimate lost_games(const MatchFindings& match);

report::Table matches_table(const std::string& player, std::span<const std::string> opponents,
                            std::span<const MatchFindings> matches, std::string note);
report::Figure matches_figure(const std::string& player, std::span<const std::string> opponents,
                              std::span<const MatchFindings> matches);

}  // namespace damier::lab
