#include "damier/nn/network.h"

#include <algorithm>
#include <cassert>

namespace damier::nn {

template <class T>
Network<T>::Network(NetworkSpec spec, int batch, Use use, ThreadPool* pool,
                    const Kernels<T>& kernels)
    : spec_(std::move(spec)), batch_(batch), pool_(pool), kernels_(kernels) {
  const auto workspace = std::make_shared<Workspace<T>>();
  Builder<T> builder{memory_, weights_, workspace, batch, use == Use::training};
  input_ = builder.block(spec_.input, false);
  trunk_ = input_;
  layers_ = make_chain(spec_.layers, "layers", trunk_, builder);
  if (!layers_.empty()) trunk_ = layers_.back()->out;
  for (std::size_t i = 0; i < spec_.heads.size(); ++i) {
    Head head;
    head.in = trunk_;
    // Several heads each hand a gradient down; they are added up in order.
    if (spec_.heads.size() > 1 && trunk_.gradient != nullptr) {
      head.in.gradient = builder.scratch(trunk_.count(batch));
    }
    head.layers =
        make_chain(spec_.heads[i].layers, "heads." + spec_.heads[i].name, head.in, builder);
    head.out = head.layers.empty() ? head.in : head.layers.back()->out;
    heads_.push_back(std::move(head));
  }
  workspace->data = memory_.take(workspace->count);
  for (auto& layer : layers_) layer->list_parameters(parameters_);
  for (auto& head : heads_) {
    for (auto& layer : head.layers) layer->list_parameters(parameters_);
  }
}

template <class T>
void Network<T>::set_inputs(std::span<const T> inputs, int samples) {
  assert(samples >= 0 && samples <= batch_);
  assert(std::ssize(inputs) == std::ptrdiff_t{samples} * spec_.input.size());
  samples_ = samples;
  const int squares = input_.squares, cols = input_.cols, ld = input_.ld;
  const T* from = inputs.data();
  T* to = input_.value;
  for (int sample = 0; sample < samples; ++sample, from += squares * cols, to += squares * ld) {
    if (squares == 1) {
      std::copy_n(from, cols, to);
      continue;
    }
    for (int square = 0; square < squares; ++square) {
      for (int c = 0; c < cols; ++c) to[square * ld + c] = from[c * squares + square];
    }
  }
}

template <class T>
Pass<T> Network<T>::pass_with(const FusedStep<T>* step) const {
  return {kernels_, pool_, samples_, training_, training_ && norms_learn_, seed_, step_, step};
}

template <class T>
void Network<T>::forward(bool training, std::uint64_t step) {
  training_ = training;
  step_ = step;
  const Pass<T> pass = pass_with(nullptr);
  run_forward<T>(layers_, pass);
  for (auto& head : heads_) run_forward<T>(head.layers, pass);
}

template <class T>
void Network<T>::backward(const FusedStep<T>* step) {
  const Pass<T> pass = pass_with(step);
  for (auto& head : heads_) run_backward<T>(head.layers, pass);
  if (heads_.size() > 1 && trunk_.gradient != nullptr) {
    const std::size_t count = trunk_.count(samples_);
    std::copy_n(heads_[0].in.gradient, count, trunk_.gradient);
    for (std::size_t head = 1; head < heads_.size(); ++head) {
      const T* from = heads_[head].in.gradient;
      for (std::size_t i = 0; i < count; ++i) trunk_.gradient[i] += from[i];
    }
  }
  run_backward<T>(layers_, pass);
}

template <class T>
void Network<T>::freeze() {
  freeze_chain<T>(layers_, kernels_);
  for (auto& head : heads_) freeze_chain<T>(head.layers, kernels_);
}

template <class T>
int Network<T>::output_index(std::string_view name) const {
  for (std::size_t i = 0; i < spec_.heads.size(); ++i) {
    if (spec_.heads[i].name == name) return static_cast<int>(i);
  }
  return -1;
}

template <class T>
OutputView<T> Network<T>::output(std::size_t head) const {
  const Block<T>& block = heads_[head].out;
  assert(block.squares == 1);
  return {block.value, block.gradient, block.cols, block.ld};
}

namespace {

template <class T>
void list_outputs(const std::vector<LayerSpec>& specs,
                  std::span<const std::unique_ptr<Layer<T>>> layers, const std::string& name,
                  std::vector<LayerOutput<T>>& list) {
  for (std::size_t i = 0; i < specs.size(); ++i) {
    const std::string its = name + "." + std::to_string(i);
    list.push_back({its, &specs[i], layers[i]->out});
    list_outputs<T>(specs[i].layers, layers[i]->inner(), its + ".layers", list);
  }
}

}  // namespace

template <class T>
std::vector<LayerOutput<T>> Network<T>::layer_outputs() const {
  std::vector<LayerOutput<T>> list;
  list_outputs<T>(spec_.layers, layers_, "layers", list);
  for (std::size_t i = 0; i < heads_.size(); ++i) {
    list_outputs<T>(spec_.heads[i].layers, heads_[i].layers, "heads." + spec_.heads[i].name, list);
  }
  return list;
}

template <class T>
std::size_t Network<T>::parameter_count() const {
  std::size_t count = 0;
  for (const Parameter<T>* parameter : parameters_) {
    if (is_learned(parameter->role)) count += parameter->numbers();
  }
  return count;
}

template class Network<float>;
template class Network<double>;

}  // namespace damier::nn
