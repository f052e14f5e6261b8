// Self-play on many machines, as a simulation: what rank 0 gives out and takes, with the pace of
// games, messages and lessons as they were measured on this machine.
#pragma once

#include <cstdint>
#include <vector>

namespace damier::bench {

// One machine and what connects it.
struct ScalingModel {
  // A thread advances all of its games by one simulation in pass_seconds + game_seconds * games.
  double pass_seconds = 0, game_seconds = 0;
  int games_at_once = 64;
  std::vector<double> simulations;  // of games, as they were played
  double game_bytes = 0;            // from the rank that played it
  double weight_bytes = 0;          // to every rank, before a generation
  double taking_seconds = 0;        // of rank 0, for a game that came
  double learning_seconds = 0;      // of rank 0, for a game, after the generation
  int threads = 4;                  // of a machine
  double latency = 0.6e-3;          // of a message: the wire, and who sleeps before he looks
  double bytes_per_second = 117e6;  // of rank 0's connection: one gigabit a second
};

// A generation of N games on M machines.
struct ScalingFigures {
  double playing_seconds = 0, learning_seconds = 0;
  double playing_share = 0;     // of the time that all threads are at work on full tables
  double bytes_per_second = 0;  // that rank 0 takes while games are played
  double messages_per_second = 0;
  double weight_seconds = 0;  // until the last machine has the weights
};
ScalingFigures simulate_generation(const ScalingModel& model, int machines, std::uint64_t games);

}  // namespace damier::bench
