// The report on Les Tacticiens de Brême: its system as its public code has it and made right, what
// each mistake costs, and what the report wished for, all learnt from as many moves and measured
// alike.
#pragma once

#include <string>
#include <vector>

#include "damier/lab/experiment.h"
#include "damier/lab/matches.h"

namespace damier::lab {

// A recipe with settings of its own.
struct BremenVariant {
  std::string name;
  std::string recipe;
  learn::Settings settings = {};
};

struct BremenPlan {
  std::vector<BremenVariant> ways;      // made right, and as in the public code: with every seed
  std::vector<BremenVariant> mistakes;  // made right but for one
  std::vector<BremenVariant> wishes;
  learn::Settings settings;  // of all
  int seeds = 3;
  std::vector<std::string> opponents = {"random", "minimax:2"};
  std::int64_t games = 100;  // of a match
  std::uint64_t positions = 200;
  std::vector<std::string> hosts = {"minimax:2", "minimax:3"};  // whose games give them
  std::int64_t tournament_games = 20;                           // of a pairing
  int opening_plies = 4;  // placements at random: networks alone repeat themselves
};
BremenPlan bremen_plan(bool quick);

struct KeptWins {
  std::int64_t kept = 0, n = 0;

  Estimate share() const { return share_estimate(kept, n); }
};
void describe(auto& fields, Is<KeptWins> auto& wins) {
  fields("kept", wins.kept);
  fields("n", wins.n);
}

struct BremenNetwork {
  std::string name;
  int seed = 1;  // its number
  TrainedNetwork trained;
  std::vector<MatchFindings> matches;  // by opponent
  MatchFindings against_right;         // the first network that was made right; none of itself
  KeptWins kept;

  // Of the games of the last epoch.
  double decided() const;
  double last(std::string_view figure) const;
};

// What is kept of a game, and a line of games.csv.
struct BremenGame {
  std::string first, second, outcome, moves;
  std::int64_t plies = 0;
};
void describe(auto& fields, Is<BremenGame> auto& game) {
  fields("first", game.first);
  fields("second", game.second);
  fields("outcome", game.outcome);
  fields("moves", game.moves);
  fields("plies", game.plies);
}
struct BremenRating {
  std::string player;
  int epoch = 0;  // 0 of a player that did not learn
  double elo = 0, low = 0, high = 0;
};
void describe(auto& fields, Is<BremenRating> auto& rating) {
  fields("player", rating.player);
  fields("epoch", rating.epoch);
  fields("elo", rating.elo);
  fields("low", rating.low);
  fields("high", rating.high);
}
// Of one network at several epochs, and of the opponents.
struct BremenTournament {
  std::vector<BremenRating> ratings;
  std::vector<BremenGame> games;
};
void describe(auto& fields, Is<BremenTournament> auto& tournament) {
  fields("ratings", tournament.ratings);
  fields("games", tournament.games);
}

struct BremenFindings {
  BremenPlan plan;
  std::vector<BremenNetwork> ways;  // seed by seed, made right before the public code
  std::vector<BremenNetwork> mistakes, wishes;
  KeptWins random_kept, search_kept;  // players to compare with: random, and the last opponent
  BremenTournament tournament;
  std::string games_file;
};

Result<BremenFindings> study_bremen(const BremenPlan& plan, const ExperimentOptions& options,
                                    const ExperimentContext& context);
Measured measured_bremen(const BremenFindings& findings);
Result<ExperimentResult> present_bremen(const Published& published, const BremenFindings& findings,
                                        const ExperimentOptions& options);
Result<ExperimentResult> run_bremen(const Published& published, const ExperimentOptions& options,
                                    const ExperimentContext& context);

}  // namespace damier::lab
