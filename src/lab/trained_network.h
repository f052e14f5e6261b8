// A network that a study has trained: a run of the store, with its curve, its figures and the
// model file that it left.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "damier/base/numbers/estimate.h"
#include "damier/learn/train/stored_run.h"
#include "damier/report/plot/plot.h"
#include "damier/store/store.h"

namespace damier::lab {

struct TrainedEpoch {
  int epoch = 0;  // from 1
  double training_loss = 0;
  std::optional<double> validation_loss;
  std::optional<double> accuracy;  // the task's main metric, where it was measured
};

// A figure over the epochs in which it was told.
struct TrainedFigure {
  std::string name;
  std::vector<std::pair<int, double>> by_epoch;
};

struct TrainedNetwork {
  std::string recipe;  // its name
  std::string run;     // of the store
  std::string model;   // the file
  std::uint64_t parameters = 0;
  int kept_epoch = 0;
  double seconds = 0;  // of the training, since it was last interrupted
  std::vector<TrainedEpoch> curve;
  std::vector<TrainedFigure> more;  // all that was told by epoch: "draws", "centipawns", …
  std::vector<learn::SetMetrics> sets;

  // The figure on a set; zero of nothing where it was not measured.
  Estimate metric(std::string_view set, std::string_view name) const;
  // Null where it was never told.
  const TrainedFigure* figure(std::string_view name) const;
};

// Of a run that is done.
Result<TrainedNetwork> trained_network(Store& store, const learn::StoredRun& run);

// About how long a training takes, in seconds on two cores.
double training_seconds(const learn::Recipe& recipe);

// Curves over the epochs; the accuracy in percent.
report::Curve loss_curve(const TrainedNetwork& network, std::string name, bool validation);
report::Curve accuracy_curve(const TrainedNetwork& network, std::string name);

}  // namespace damier::lab
