// A training run as a step of a study: its curve and what was measured in the end.
//
// The one thing to know: the step's folder holds the run's checkpoints and the journal its curve so
// far, so a study that is killed in the middle of a training ends with the same weights.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "damier/base/threads.h"
#include "damier/lab/study.h"
#include "damier/learn/training/training_run.h"
#include "damier/report/plot.h"

namespace damier::lab {

struct TrainedEpoch {
  int epoch = 0;  // from 1
  double training_loss = 0;
  std::optional<double> validation_loss;
  std::optional<double> accuracy;  // the task's main metric, where it was measured
  double seconds = 0;              // of this epoch
};

struct TrainedNetwork {
  std::string name;  // of the recipe
  std::uint64_t parameters = 0;
  int kept_epoch = 0;
  double seconds = 0;  // of all epochs
  std::vector<TrainedEpoch> curve;
  std::vector<learn::SetMetrics> sets;
  Json found;  // by `examine`

  // The metric of a set; zero of nothing where it was not measured.
  Metric metric(std::string_view set, std::string_view metric) const;
};

// The rows of the last recipe, kept for the next one if it asks for the same.
class DataCache {
 public:
  Result<const learn::DataSet*> open(const learn::Recipe& recipe, ThreadPool& pool);

 private:
  std::string key_;
  std::optional<learn::DataSet> data_;
};

// Looks at a network that is trained.
using Examine =
    std::function<Result<Json>(const learn::TrainingResult& result, const learn::DataSet& data)>;

struct TrainingStep {
  std::string name;  // of the step
  const learn::Recipe& recipe;
  Seed seed = Seed{1};
  int revision = 1;  // of what `examine` finds: another one does not know the journal's
  Examine examine = {};
};

Result<TrainedNetwork> train_step(Study& study, const TrainingStep& step, DataCache& cache,
                                  ThreadPool& pool);

// Curves over the epochs, in percent for shares.
report::Curve loss_curve(const TrainedNetwork& network, std::string name, bool validation);
report::Curve accuracy_curve(const TrainedNetwork& network, std::string name);

// The weights of a training's result, ready for a judge of learn/task.h.
Result<std::unique_ptr<nn::Network<float>>> network_of(const learn::TrainingResult& result,
                                                       int batch);

}  // namespace damier::lab
