// What a network learns from, behind one interface: labelled rows, games against itself, rewards.
// A training run (learn/train/training_run.h) has it fill an epoch and take its steps, and measures
// and keeps what comes of them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include "damier/base/json/json.h"
#include "damier/base/result.h"
#include "damier/learn/train/training_run.h"
#include "damier/nn/network.h"
#include "damier/nn/safetensors.h"

namespace damier::learn {

// What steps came to.
struct Learnt {
  double loss = 0;  // of all samples, before their steps
  std::uint64_t samples = 0;
  double playing_seconds = 0;  // that went into games between the steps

  void add(const Learnt& other) {
    loss += other.loss;
    samples += other.samples;
    playing_seconds += other.playing_seconds;
  }
};

// The weights that a network had after an epoch; of epoch 0 it had learnt nothing yet.
template <class T>
struct EpochWeights {
  int epoch = 0;
  std::shared_ptr<const nn::Network<T>> network;
};

template <class T>
class Source {
 public:
  virtual ~Source() = default;

  // How the network sees a position; empty where a program brings its own rows.
  virtual std::string_view encoder() const = 0;

  // For a run that is new, once the network has its first weights.
  virtual Status begin() { return Done{}; }
  // Where it is within an epoch, and what it needs besides the network, for a checkpoint; and back,
  // once the network has its weights.
  virtual Json place() const = 0;
  virtual Status set_place(JsonFields& fields) = 0;
  virtual void write(nn::TensorFile&) const {}
  virtual Status read(const nn::TensorFile&, int /*epoch*/) { return Done{}; }
  // The tensors of write(), by their names.
  virtual bool owns(std::string_view /*tensor*/) const { return false; }
  // A checkpoint takes too long to be written after each epoch, however short that is.
  virtual bool is_large() const { return false; }

  // Makes ready what an epoch is learnt from, as by playing games with the weights that were kept;
  // also where a run goes on within the epoch. `tell` hears of progress.
  virtual Status fill(int epoch, const EpochWeights<T>& kept,
                      const std::function<void()>& tell) = 0;
  // The next step, or all of a round of moves; nothing where the epoch is over. After an interrupt
  // it returns an error, and the run goes on from its last checkpoint.
  virtual Result<std::optional<Learnt>> learn() = 0;
  // The epoch was measured and kept; the next one begins.
  virtual void end_epoch() = 0;

  // The share of the epoch that is over, once that many samples of it were learnt from.
  virtual double share(std::uint64_t samples) const = 0;
  // Whether learn() takes so long that a look at the clock after each is nothing.
  virtual bool takes_long() const { return false; }
  // The share of the learning's time in which batches were made.
  virtual double loading_share() const { return 0; }
  // What it can tell of the epoch besides the loss.
  virtual void describe(EpochMetrics&) const {}
  virtual void describe(TrainingProgress&) const {}

  // The mean loss on rows that nothing is learnt from; none where there are no such rows.
  virtual Result<std::optional<double>> validation_loss() { return std::optional<double>(); }
  // Its games are played by the weights that were kept, …
  virtual bool plays() const { return false; }
  // … which new ones may have to beat, …
  virtual Result<bool> passes_gate(const EpochWeights<T>& /*now*/, const EpochWeights<T>& /*kept*/,
                                   EpochMetrics&) {
    return true;
  }
  // … and games measure them, against opponents and the weights that were measured before.
  virtual Status play_matches(const EpochWeights<T>& /*now*/, const EpochWeights<T>& /*before*/,
                              EpochMetrics&) {
    return Done{};
  }
};

}  // namespace damier::learn
