// A network that is ready to run: a specification compiled for a largest batch, with all of its
// memory allocated. A training step allocates nothing.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "damier/base/numbers/random.h"
#include "damier/base/parallel/threads.h"
#include "damier/nn/layer.h"
#include "damier/nn/spec.h"

namespace damier::nn {

enum class Use { training, inference };

// One output as the caller sees it: rows of `cols` values, `ld` apart.
template <class T>
struct OutputView {
  const T* value = nullptr;
  T* gradient = nullptr;  // to be filled by a loss, unused columns included (with zeros)
  int cols = 0;
  int ld = 0;
};

// What a layer gave. `name` begins the names of its parameters ("layers.2.layers.0").
template <class T>
struct LayerOutput {
  std::string name;
  const LayerSpec* spec = nullptr;
  Block<T> block;
};

template <class T>
class Network {
 public:
  // Weights are zero (scales one) until initialise() or a file fills them. `pool` may be null and
  // must outlive the network.
  Network(NetworkSpec spec, int batch, Use use, ThreadPool* pool = nullptr,
          const Kernels<T>& kernels = best_kernels<T>());

  const NetworkSpec& spec() const { return spec_; }
  int batch() const { return batch_; }
  const Kernels<T>& kernels() const { return kernels_; }
  std::size_t memory_bytes() const { return memory_.bytes() + weights_.bytes(); }

  // Copies `samples` inputs, each of spec().input.size() values, channels first.
  void set_inputs(std::span<const T> inputs, int samples);
  // Runs the samples that were set. In training, `step` decides what dropout drops.
  void forward(bool training = false, std::uint64_t step = 0);
  // From the outputs' gradients to the parameters' gradients. With a step, the parameters that can
  // take it here do (Optimiser::backward_and_step).
  void backward(const FusedStep<T>* step = nullptr);

  int samples() const { return samples_; }
  std::size_t output_count() const { return heads_.size(); }
  int output_index(std::string_view name) const;  // -1 when there is none
  OutputView<T> output(std::size_t head) const;
  // Of all layers, each before those that it is made of. Only a network for training keeps what
  // every layer gave until the next pass.
  std::vector<LayerOutput<T>> layer_outputs() const;

  std::span<Parameter<T>* const> parameters() const { return parameters_; }
  std::size_t parameter_count() const;  // learned numbers, padding not counted

  // Inference only, once the weights are final: batch norms disappear into the products before
  // them, and fast convolutions keep their form of the weights from one pass to the next.
  void freeze();

  // Training leaves the running figures of batch norms as they are, and goes by them: for weights
  // that have learnt already, from other samples than those that come now.
  void keep_norms() { norms_learn_ = false; }

  void set_dropout_seed(Seed seed) { seed_ = seed; }

 private:
  struct Head {
    std::vector<std::unique_ptr<Layer<T>>> layers;
    Block<T> in;  // the trunk's value with a gradient of its own
    Block<T> out;
  };

  Pass<T> pass_with(const FusedStep<T>* step) const;

  NetworkSpec spec_;
  int batch_;
  ThreadPool* pool_;
  const Kernels<T>& kernels_;
  Memory<T> memory_;
  Memory<T> weights_;
  Block<T> input_;
  Block<T> trunk_;
  std::vector<std::unique_ptr<Layer<T>>> layers_;
  std::vector<Head> heads_;
  std::vector<Parameter<T>*> parameters_;
  int samples_ = 0;
  bool training_ = false;
  bool norms_learn_ = true;
  std::uint64_t step_ = 0;
  Seed seed_ = Seed{0};
};

}  // namespace damier::nn
