// What all layers are made of: blocks of numbers, parameters, and the two passes over them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "damier/base/numbers/random.h"
#include "damier/base/parallel/threads.h"
#include "damier/nn/kernels.h"
#include "damier/nn/spec.h"

namespace damier::nn {

// A tensor between two layers: (samples * squares) rows of `cols` values, `ld` apart.
template <class T>
struct Block {
  T* value = nullptr;
  T* gradient = nullptr;  // null where nobody asks for it
  int squares = 1;
  int cols = 0;
  int ld = 0;

  std::int64_t rows(int samples) const { return static_cast<std::int64_t>(samples) * squares; }
  std::size_t count(int samples) const { return static_cast<std::size_t>(rows(samples) * ld); }
};

// A tensor that is learned, or (without a gradient) followed, such as a running mean.
template <class T>
struct Parameter {
  std::string name;                  // "layers.0.weight"
  std::vector<std::uint64_t> shape;  // as other tools write it: (out, in), (out, in, rows, cols)
  Role role = Role::weight;
  T* value = nullptr;     // (taps, in, ld) or (1, 1, ld)
  T* gradient = nullptr;  // null: not learned
  T* first = nullptr;     // the optimiser's means, where it keeps any
  T* second = nullptr;
  bool steps_in_backward = false;  // its layer can take the optimiser's step by itself
  int taps = 1;
  int in = 1;
  int out = 0;
  int ld = 0;

  std::size_t count() const { return static_cast<std::size_t>(std::int64_t{taps} * in * ld); }
  // Without padding.
  std::size_t numbers() const { return static_cast<std::size_t>(std::int64_t{taps} * in * out); }

  // Calls each(number) for all numbers of `data`, the values or the gradients, in the order of the
  // shape: (out, in, taps).
  template <class Number, class Each>
  void for_each_number(Number* data, Each each) const {
    for (int o = 0; o < out; ++o) {
      for (int i = 0; i < in; ++i) {
        for (int tap = 0; tap < taps; ++tap) {
          each(data[(static_cast<std::ptrdiff_t>(tap) * in + i) * ld + o]);
        }
      }
    }
  }
  // The values in that order, out and in; as many as there are.
  template <class Stored>
  void set_in_order(const std::vector<Stored>& numbers_in_order) {
    auto next = numbers_in_order.begin();
    for_each_number(value, [&](T& number) { number = static_cast<T>(*next++); });
  }
  std::vector<T> in_order() const {
    std::vector<T> numbers_in_order;
    numbers_in_order.reserve(numbers());
    for_each_number(value, [&](const T& number) { numbers_in_order.push_back(number); });
    return numbers_in_order;
  }
};

// An optimiser's step, for layers that take it during the backward pass; the pointers of `update`
// are not set.
template <class T>
struct FusedStep {
  Rule rule;
  Update<T> update;

  Update<T> of(const Parameter<T>& parameter) const {
    Update<T> own = update;
    own.value = parameter.value;
    own.gradient = parameter.gradient;
    own.first = parameter.first;
    own.second = parameter.second;
    own.count = parameter.count();
    return own;
  }
};

// What a pass over the network has at hand.
template <class T>
struct Pass {
  const Kernels<T>& kernels;
  ThreadPool* pool = nullptr;  // null: this thread alone
  int samples = 0;
  bool training = false;
  bool norms_learn = false;  // batch norms go by the batch's figures, and keep count of them
  Seed seed = Seed{0};       // of dropout
  std::uint64_t step = 0;    // training steps so far: dropout's stream
  const FusedStep<T>* fused = nullptr;
};

// Runs of numbers that live as long as it does.
template <class T>
class Memory {
 public:
  // `count` zeros at an address that is a multiple of 64 bytes, good for as long as this lives.
  T* take(std::size_t count);
  std::size_t bytes() const { return bytes_; }

 private:
  std::vector<std::unique_ptr<T, void (*)(void*)>> runs_;
  std::size_t bytes_ = 0;
};

// Memory that layers use within one of their passes and do not keep: they all share it.
template <class T>
struct Workspace {
  T* data = nullptr;  // allocated when all layers are built
  std::size_t count = 0;
};

// What a layer is built from.
template <class T>
struct Builder {
  Memory<T>& memory;
  Memory<T>& parameters;
  std::shared_ptr<Workspace<T>> workspace;
  int samples = 0;  // at most, in a pass
  bool training = false;
  bool alone = false;  // nobody else reads the next layer's input: it may be overwritten

  // The output of a layer that works value by value: its own input where that is allowed.
  Block<T> block_after(const Block<T>& x, const Shape& shape) {
    return alone && !training ? x : block(shape, true);
  }
  Block<T> block(const Shape& shape, bool with_gradient);
  T* scratch(std::size_t count) { return memory.take(count); }
  void reserve(std::size_t count) { workspace->count = std::max(workspace->count, count); }
  // `layer` begins the parameter's name.
  Parameter<T> parameter(const std::string& layer, const ParameterSpec& spec);
};

// Where a layer is built: its specification, its input, and the name that begins those of its
// parameters.
template <class T>
struct Site {
  const LayerSpec& spec;
  std::string name;
  Block<T> in;
  Builder<T>& builder;
};

template <class T>
class Layer {
 public:
  explicit Layer(const Block<T>& x) : in(x) {}
  // With the output that is usual: a block of its own.
  explicit Layer(const Site<T>& site) : in(site.in), out(site.builder.block(site.spec.out, true)) {}
  Layer(const Site<T>& site, const Block<T>& y) : in(site.in), out(y) {}
  virtual ~Layer() = default;
  virtual void forward(const Pass<T>& pass) = 0;
  // From out.gradient to in.gradient (if it is asked for) and to the parameters' gradients.
  virtual void backward(const Pass<T>& pass) = 0;
  // The weights are final: what depends on nothing else is worked out now, after fold_into() of
  // each inner layer but the first. For inference only.
  virtual void freeze(const Kernels<T>& kernels);
  // Also for inference only. Every output c becomes a[c] * output + b[c], for good; false where the
  // layer cannot.
  virtual bool scale_outputs(std::span<const T>, std::span<const T>) { return false; }
  // Lets the layer before do this one's work, where both can.
  virtual void fold_into(Layer&) {}

  // Its own, then those of the layers that it is made of.
  void list_parameters(std::vector<Parameter<T>*>& list);
  std::span<const std::unique_ptr<Layer>> inner() const { return inner_; }

  Block<T> in;
  Block<T> out;

 protected:
  // One of those that the specification lists ("weight").
  Parameter<T>& parameter(const Site<T>& site, std::string_view name);
  Parameter<T>& add_parameter(Parameter<T> parameter);

  std::vector<std::unique_ptr<Layer>> inner_;

 private:
  std::deque<Parameter<T>> parameters_;
};

// The layer of a specification.
template <class T>
std::unique_ptr<Layer<T>> make_layer(const Site<T>& site);

// Layers one after the other, from `x` on; where there are none it gives its input.
template <class T>
class LayersInTurn : public Layer<T> {
 public:
  LayersInTurn(const std::vector<LayerSpec>& specs, const std::string& name, const Block<T>& x,
               Builder<T>& builder);
  explicit LayersInTurn(const Site<T>& site)
      : LayersInTurn(site.spec.layers, site.name + ".layers", site.in, site.builder) {}
  void forward(const Pass<T>& pass) override;
  void backward(const Pass<T>& pass) override;
};

// Calls work(begin, end) on parts of [0, rows), on all threads when the work is worth it. Every
// row's result must not depend on the parts.
template <class T, class Work>
void for_rows(const Pass<T>& pass, std::int64_t rows, double flops_per_row, Work work) {
  constexpr double kWorthAThread = 200e3;
  const int threads = pass.pool == nullptr ? 1 : pass.pool->size();
  if (threads == 1 || static_cast<double>(rows) * flops_per_row < 2 * kWorthAThread) {
    work(std::int64_t{0}, rows);
    return;
  }
  constexpr std::int64_t kGrain = 24;  // whole blocks of the widest kernels
  const std::int64_t grains = (rows + kGrain - 1) / kGrain;
  const std::int64_t part = (grains + threads - 1) / threads * kGrain;
  const auto parts = static_cast<std::size_t>((rows + part - 1) / part);
  pass.pool->for_each(parts, [&](std::size_t i) {
    const std::int64_t begin = static_cast<std::int64_t>(i) * part;
    work(begin, std::min(rows, begin + part));
  });
}

// The same, one row at a time.
template <class T, class Work>
void for_each_row(const Pass<T>& pass, std::int64_t rows, double flops_per_row, Work work) {
  for_rows(pass, rows, flops_per_row, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) work(row);
  });
}

// A sample's squares as the rows of a block, from features that stand channel by channel, and the
// way back.
template <class T>
void to_rows(const T* features, const Block<T>& block, T* rows) {
  if (block.squares == 1) {
    std::copy_n(features, block.cols, rows);
    return;
  }
  for (int square = 0; square < block.squares; ++square, rows += block.ld) {
    for (int c = 0; c < block.cols; ++c) rows[c] = features[c * block.squares + square];
  }
}
template <class T>
void to_features(const T* rows, const Block<T>& block, T* features) {
  for (int square = 0; square < block.squares; ++square, rows += block.ld) {
    for (int c = 0; c < block.cols; ++c) features[c * block.squares + square] = rows[c];
  }
}

// y = softmax(x); they may be the same.
template <class T>
void softmax(const Kernels<T>& kernels, const T* x, T* y, int size) {
  const T top = *std::max_element(x, x + size);
  for (int i = 0; i < size; ++i) y[i] = x[i] - top;
  kernels.exponential(y, y, static_cast<std::size_t>(size));
  T sum = 0;
  for (int i = 0; i < size; ++i) sum += y[i];
  for (int i = 0; i < size; ++i) y[i] /= sum;
}

}  // namespace damier::nn
