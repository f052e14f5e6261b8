// The figures of a match: scores with their intervals, Elo differences, the sequential test (SPRT),
// quantiles. All intervals are meant to hold the truth 95 times in 100.
//
// Games come in pairs that share an opening and swap the sides. The two games of a pair are not
// independent (an opening that favours one side gives one win each), so the variance of a score is
// taken between pairs wherever there are pairs.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "damier/base/json/json.h"
#include "damier/base/numbers/estimate.h"
#include "damier/base/result.h"
#include "damier/games/game.h"

namespace damier::play {

// --- Scores ---------------------------------------------------------------------------------

// A game as one of its players saw it, in half points.
enum class GamePoints : std::uint8_t { loss = 0, draw = 1, win = 2 };

struct Record {
  std::int64_t wins = 0;
  std::int64_t draws = 0;
  std::int64_t losses = 0;

  void add(GamePoints points, std::int64_t times = 1) {
    (points == GamePoints::win ? wins : points == GamePoints::draw ? draws : losses) += times;
  }
  std::int64_t games() const { return wins + draws + losses; }
  double points() const { return static_cast<double>(wins) + static_cast<double>(draws) / 2; }
  // points per game; a half when there are none
  double score() const { return games() == 0 ? 0.5 : points() / static_cast<double>(games()); }
  Record reversed() const { return {losses, draws, wins}; }
  Record& operator+=(const Record& other) {
    return *this = {wins + other.wins, draws + other.draws, losses + other.losses};
  }
  bool operator==(const Record&) const = default;
};

// Pairs by the half points they brought: 0 LL, 1 LD, 2 DD or WL, 3 WD, 4 WW (the pentanomial).
struct PairCounts {
  std::array<std::int64_t, 5> count = {};

  void add(GamePoints one, GamePoints other) {
    ++count[static_cast<std::size_t>(one) + static_cast<std::size_t>(other)];
  }
  std::int64_t pairs() const {
    return std::accumulate(count.begin(), count.end(), std::int64_t{0});
  }
  std::int64_t games() const { return 2 * pairs(); }
  // points per game; a half when there are none
  double score() const {
    if (pairs() == 0) return 0.5;
    const std::int64_t quarters = count[1] + 2 * count[2] + 3 * count[3] + 4 * count[4];
    return static_cast<double>(quarters) / static_cast<double>(4 * pairs());
  }
  PairCounts reversed() const { return {{count[4], count[3], count[2], count[1], count[0]}}; }
  bool operator==(const PairCounts&) const = default;
};

// Gathers the games of a match in any order, and counts a pair as soon as both games are there.
class Tally {
 public:
  // Two games with the same pair number belong together.
  void add(GamePoints points, std::optional<std::int64_t> pair = std::nullopt) {
    record_.add(points);
    if (!pair) return;
    const auto [place, is_new] = half_pairs_.emplace(*pair, points);
    if (is_new) return;
    pairs_.add(place->second, points);
    half_pairs_.erase(place);
  }

  const Record& record() const { return record_; }    // all games
  const PairCounts& pairs() const { return pairs_; }  // whole pairs only

 private:
  Record record_;
  PairCounts pairs_;
  std::map<std::int64_t, GamePoints> half_pairs_;  // the first game of each unfinished pair
};

// The score of a match, (wins + draws / 2) / games, with an interval inside [0, 1] that is never
// empty, not even after nothing but wins, draws or split pairs. `n` counts games.
//
// The interval is Wilson's for as many games as carry the same information: the variance observed
// (with one unit more, half of it won and half of it lost, so that no variance is taken for zero)
// is compared with that of games without draws.
Estimate score_estimate(const Record& record);
Estimate score_estimate(const PairCounts& pairs);
// From the pairs if they make up most of the games, otherwise from the single games.
Estimate score_estimate(const Tally& tally);

// --- Elo ------------------------------------------------------------------------------------

// The difference in strength that a score stands for on the logistic scale: 0.76 is +200. A score
// of 0 or 1 gives an infinity.
double elo_of_score(double score);
double score_of_elo(double elo);

struct EloDifference {
  double difference = 0;
  Interval interval;
};
EloDifference elo_difference(const Estimate& score);
Json elo_json(const EloDifference& elo);  // {"difference", "interval"}

std::string elo_text(double elo);  // "+35", "-120", "0", "+inf"
// "+35 [+12, +58]"; after nothing but wins or losses only the end that is known: "> +338".
std::string elo_text(const EloDifference& elo);

// --- The sequential test --------------------------------------------------------------------

// Plays until the games tell two hypotheses apart: the difference is elo0, or it is elo1 (both on
// the logistic scale). `alpha` is the probability to accept elo1 when elo0 is true, `beta` the
// other.
struct Sprt {
  double elo0 = 0;
  double elo1 = 10;
  double alpha = 0.05;
  double beta = 0.05;

  // at or below it, elo0 is accepted
  double lower_bound() const { return std::log(beta / (1 - alpha)); }
  // at or above it, elo1 is accepted
  double upper_bound() const { return std::log((1 - beta) / alpha); }
};

// "elo0,elo1" or "elo0,elo1,alpha,beta".
Result<Sprt> parse_sprt(std::string_view text);
std::string sprt_text(const Sprt& sprt);  // what parse_sprt reads

enum class SprtDecision { undecided, accept_elo0, accept_elo1 };
std::string_view decision_text(SprtDecision decision);  // "undecided", "elo0", "elo1"

struct SprtState {
  double log_likelihood_ratio = 0;
  SprtDecision decision = SprtDecision::undecided;
};

// Only whole pairs count; an unfinished pair would favour the player with the better side.
SprtState test_sprt(const Sprt& sprt, const PairCounts& pairs);

// --- Quantiles ------------------------------------------------------------------------------

// The point below which a share `q` in [0, 1] of the values lies, between two values by a straight
// line. The values must be sorted and not empty.
double quantile(std::span<const double> sorted, double q);

struct Quartiles {
  double least = 0;
  double first = 0;
  double median = 0;
  double third = 0;
  double greatest = 0;
};
// In any order; none of no values.
std::optional<Quartiles> quartiles(std::vector<double> values);

}  // namespace damier::play
