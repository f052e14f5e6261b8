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
  Pass<T> pass_with(const FusedStep<T>* step) const;

  NetworkSpec spec_;
  int batch_;
  ThreadPool* pool_;
  const Kernels<T>& kernels_;
  Memory<T> memory_;
  Memory<T> weights_;
  Block<T> input_;
  std::unique_ptr<LayersInTurn<T>> trunk_;
  // Each reads the trunk's values, and has a gradient of its own for them.
  std::vector<std::unique_ptr<LayersInTurn<T>>> heads_;
  std::vector<Parameter<T>*> parameters_;
  int samples_ = 0;
  bool training_ = false;
  bool norms_learn_ = true;
  std::uint64_t step_ = 0;
  Seed seed_ = Seed{0};
};

// --- What a network takes, from its specification, before anything is allocated

// The names and shapes of Network::parameters(), in their order.
std::vector<ParameterSpec> parameter_specs(const NetworkSpec& spec);

// The numbers that stand between the layers for one sample, padding included.
std::int64_t values_of_sample(const NetworkSpec& spec);

// Multiplications that a sample costs on its way through the network.
double products_of_sample(const NetworkSpec& spec);

// About the bytes of a network for passes of `batch` samples, in numbers of `number_bytes`; with
// gradients and an optimiser's two means where it is trained.
std::uint64_t network_bytes(const NetworkSpec& spec, int batch, Use use, std::size_t number_bytes);

// A batch of `wanted` samples, or the largest one that takes no more than about a gigabyte; at
// least 1.
int affordable_batch(const NetworkSpec& spec, int wanted, Use use, std::size_t number_bytes);

}  // namespace damier::nn
