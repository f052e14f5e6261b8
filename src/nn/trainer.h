// Supervised training: mini-batches, shuffling, validation, early stopping. The order of the
// samples in epoch e follows from the seed and e alone, so a run can stop and go on.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "damier/nn/loss.h"
#include "damier/nn/network.h"
#include "damier/nn/optimiser.h"

namespace damier::nn {

// Samples in memory: rows of inputs, and for every head rows of targets and maybe of masks.
template <class T>
struct Samples {
  std::size_t count = 0;
  std::vector<T> inputs;                // (count, input size)
  std::vector<std::vector<T>> targets;  // a head: (count, outputs)
  std::vector<std::vector<T>> masks;    // empty, or a head: empty or (count, outputs)
};

struct EpochReport {
  int epoch = 0;  // from 0
  double training_loss = 0;
  double validation_loss = 0;  // 0 without a validation set
  std::int64_t steps = 0;      // of the optimiser, so far
};

struct TrainerOptions {
  int epochs = 10;
  double validation_share = 0;  // of the samples, the last ones after one shuffle
  int patience = 0;  // stop after so many epochs without a better validation loss; 0: never
  Seed seed = Seed{0};
};

template <class T>
class Trainer {
 public:
  // One loss for each head of the network. All must outlive the trainer.
  Trainer(Network<T>& network, Optimiser<T>& optimiser, std::vector<Loss> losses,
          TrainerOptions options);

  // Told after every epoch; returning false stops the training.
  using OnEpoch = std::function<bool(const EpochReport&)>;
  std::vector<EpochReport> run(const Samples<T>& samples, const OnEpoch& on_epoch = {});

  // The mean loss without learning.
  double evaluate(const Samples<T>& samples, std::span<const std::size_t> rows);

 private:
  double run_batch(const Samples<T>& samples, std::span<const std::size_t> rows, bool learn);

  Network<T>& network_;
  Optimiser<T>& optimiser_;
  std::vector<Loss> losses_;
  TrainerOptions options_;
  std::vector<T> inputs_;  // of one batch
  std::vector<std::vector<T>> targets_, masks_;
};

}  // namespace damier::nn
