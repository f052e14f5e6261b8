// What `damier train` says while it works: a live line on a terminal, one line an epoch otherwise,
// and one JSON object an epoch with --json.
#pragma once

#include <string>

#include "damier/learn/train/training_run.h"

namespace damier::app {

// "epoch 3/20  0:07 left  loss 1.2345  value_kept 91.2 %  312 k samples/s"
std::string progress_line(const learn::TrainingProgress& progress, std::string_view metric);
// "epoch  3/20  loss 1.2345  validation 1.3456  value_kept 91.23 %  312 k samples/s"
std::string epoch_line(const learn::EpochMetrics& metrics, std::string_view metric);

class TrainReporter {
 public:
  // `metric` is the task's main one; `games` are those that measured the network so far.
  TrainReporter(bool json, std::string_view metric, std::vector<GameRow> games);
  ~TrainReporter() { wipe(); }
  TrainReporter(const TrainReporter&) = delete;
  TrainReporter& operator=(const TrainReporter&) = delete;

  void tell(const learn::TrainingProgress& progress);
  void tell(learn::EpochMetrics metrics);
  // Takes the live line away.
  void wipe();

 private:
  bool json_;
  bool terminal_;
  bool drawn_ = false;
  std::string metric_;
  std::vector<GameRow> games_;
};

}  // namespace damier::app
