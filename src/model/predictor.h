// A network that is asked: numbers in, what its heads say out. Tasks, players and tools all
// come this way, with a model file or with a network in training.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "damier/nn/network.h"

namespace damier::model {

class Predictor {
 public:
  virtual ~Predictor() = default;
  virtual const nn::NetworkSpec& spec() const = 0;
  // The same weights with buffers of its own, for another thread.
  virtual std::unique_ptr<Predictor> clone() const = 0;

  // Answers `count` inputs of spec().input.size() numbers each. Once the largest count was seen,
  // nothing is allocated.
  virtual void run(std::span<const float> inputs, std::size_t count) = 0;

  // What a head said of the last inputs, (count, width), and of one of them.
  std::span<const float> output(std::size_t head) const { return outputs_[head]; }
  std::span<const float> output(std::size_t head, std::size_t row) const {
    const std::size_t width = outputs_[head].size() / count_;
    return output(head).subspan(row * width, width);
  }

 protected:
  std::size_t count_ = 0;
  std::vector<std::vector<float>> outputs_;  // by head
};

// From scores to probabilities.
void softmax(std::span<float> scores);

// The network itself, with the weights that it has when it is asked; it must outlive this.
template <class T>
std::unique_ptr<Predictor> predict_with(nn::Network<T>& network);

// The weights as they are now, in their fastest form, for passes of `batch` samples. All clones
// share `weights`.
template <class T>
std::unique_ptr<Predictor> predict_with(std::shared_ptr<const nn::Network<T>> weights, int batch);

// Both must be of the same specification, but for the extents of the board.
template <class T>
void copy_weights(const nn::Network<T>& from, nn::Network<T>& to);

// A network of the same weights, for inference: `spec` may have other extents of the board where
// the weights do not depend on them. A large network gets a smaller batch than was asked for.
template <class T>
std::unique_ptr<nn::Network<T>> network_copy(const nn::Network<T>& from,
                                             const nn::NetworkSpec& spec, int batch);

}  // namespace damier::model
