// How good the network of a generation is: the gate, the task's own evaluation, matches against
// opponents and against the network that was measured before.
#pragma once

#include "damier/learn/sources/self_play/shared_games.h"
#include "damier/learn/train/training_run.h"

namespace damier::learn {

// The games of a match as a run keeps them, numbered after those that are there. `counted` are the
// generations or epochs before.
void add_match_rows(const MatchCounts& match, const std::string& network,
                    const std::string& opponent, int counted, std::vector<GameRow>& rows);

class Measuring {
 public:
  // `judge` is the data that judge the network, or null.
  Measuring(const SharedGames& games, const DataSet* judge);

  // Whether the newest network plays on: always, unless the recipe has a gate and the best one so
  // far wins too many points.
  Result<bool> passes_gate(int generation, const PlayingNetwork& newest, const PlayingNetwork& best,
                           EpochMetrics& metrics) const;
  // Whether the recipe has this generation measured.
  bool is_due(int generation) const;
  // `measured_before` is the network of the last generation that was due, or the first one.
  Status measure(int generation, const PlayingNetwork& newest,
                 const PlayingNetwork& measured_before, EpochMetrics& metrics);

 private:
  // After how many generations a network was measured the last time before this one; 0: never.
  int last_due_before(int generation) const;

  const SharedGames& games_;
  const Recipe& recipe_;
  const SelfPlayRecipe& own_;
  const DataSet* judge_;
};

}  // namespace damier::learn
