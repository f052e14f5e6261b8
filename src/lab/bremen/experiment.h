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
  std::int64_t games = 100;      // of a match
  std::size_t positions = 3000;  // with exact answers, by which moves are judged
  // Players whose moves are judged beside the networks'.
  std::vector<std::string> others = {"random", "minimax:2", "minimax:4", "net:bremen-small", "net"};
  std::int64_t tournament_games = 20;  // of a pairing
  int opening_plies = 4;               // placements at random: networks alone repeat themselves
};
BremenPlan bremen_plan(bool quick);

// How many moves throw away what a position is worth.
struct BremenRegret {
  int epoch = 0;  // of a network that learns
  std::int64_t won = 0, won_lost = 0, drawn = 0, drawn_lost = 0;

  Estimate all() const { return share_estimate(won_lost + drawn_lost, won + drawn); }
  Estimate wins() const { return share_estimate(won_lost, won); }
  Estimate draws() const { return share_estimate(drawn_lost, drawn); }
};
void describe(auto& fields, Is<BremenRegret> auto& regret) {
  fields("epoch", regret.epoch);
  fields("won", regret.won);
  fields("won_lost", regret.won_lost);
  fields("drawn", regret.drawn);
  fields("drawn_lost", regret.drawn_lost);
}
// Of several players, or of one network at several epochs.
struct BremenRegrets {
  std::vector<BremenRegret> list;
};
void describe(auto& fields, Is<BremenRegrets> auto& regrets) { fields("list", regrets.list); }

struct BremenNetwork {
  std::string name;
  int seed = 1;  // its number
  TrainedNetwork trained;
  std::vector<MatchFindings> matches;  // by opponent
  MatchFindings against_right;         // the first network that was made right; none of itself
  BremenRegrets regrets;               // by the epochs that were measured, the last one at last

  const BremenRegret& regret() const { return regrets.list.back(); }
  // Of the games of the last epoch.
  double decided() const;
  double last(std::string_view figure) const;
};

// What is kept of a game, and a line of games.csv.
struct BremenGame {
  std::string first, second, opening, outcome, moves;
  std::int64_t plies = 0;
};
void describe(auto& fields, Is<BremenGame> auto& game) {
  fields("first", game.first);
  fields("second", game.second);
  fields("opening", game.opening);
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
  BremenRegrets others;  // in the order of the plan
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
