// A network that a study has trained: a run of the store, with its curves, its figures and the
// model file that it left.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "damier/base/numbers/estimate.h"
#include "damier/learn/train/stored_run.h"
#include "damier/store/store.h"

namespace damier::lab {

// A figure over the epochs in which it was told.
struct TrainedCurve {
  std::string name;  // "training_loss", "draws", "centipawns", …
  std::vector<std::pair<int, double>> by_epoch;
};

struct TrainedNetwork {
  std::string recipe;  // its name
  std::string run;     // of the store
  std::string model;   // the file
  std::uint64_t parameters = 0;
  int kept_epoch = 0;
  int epochs = 0;
  double seconds = 0;  // of the training, since it was last interrupted
  std::vector<TrainedCurve> curves;
  std::vector<learn::SetMetrics> sets;

  // The figure on a set; zero of nothing where it was not measured.
  Estimate metric(std::string_view set, std::string_view name) const;
  // Null where it was never told.
  const TrainedCurve* curve(std::string_view name) const;
};

// Of a run that is done.
Result<TrainedNetwork> trained_network(Store& store, const learn::StoredRun& run);

// For the findings of a study: {"parameters", "kept_epoch", …, "curves": {NAME: [[epoch, value]]},
// SET: {METRIC: estimate}}.
Json findings_of(const TrainedNetwork& network);

// About how long a training takes, in seconds on two cores.
double training_seconds(const learn::Recipe& recipe);

}  // namespace damier::lab
