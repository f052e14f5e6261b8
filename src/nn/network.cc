#include "damier/nn/network.h"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>

#include "damier/nn/layer_type.h"

namespace damier::nn {

namespace {

constexpr std::uint64_t kAffordableBytes = std::uint64_t{1} << 30;

// Calls each(layer, name) for every layer, before those that it is made of.
template <class Each>
void for_layers(const std::vector<LayerSpec>& layers, const std::string& chain, const Each& each) {
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const std::string name = fmt::format("{}.{}", chain, i);
    each(layers[i], name);
    for_layers(layers[i].layers, name + ".layers", each);
  }
}

template <class Each>
void for_layers(const NetworkSpec& spec, const Each& each) {
  for_layers(spec.layers, "layers", each);
  for (const HeadSpec& head : spec.heads) for_layers(head.layers, "heads." + head.name, each);
}

std::int64_t values_of(const Shape& shape) {
  return std::int64_t{padded(shape.channels)} * shape.squares();
}

}  // namespace

template <class T>
Network<T>::Network(NetworkSpec spec, int batch, Use use, ThreadPool* pool,
                    const Kernels<T>& kernels)
    : spec_(std::move(spec)), batch_(batch), pool_(pool), kernels_(kernels) {
  const auto workspace = std::make_shared<Workspace<T>>();
  Builder<T> builder{memory_, weights_, workspace, batch, use == Use::training};
  input_ = builder.block(spec_.input, false);
  trunk_ = std::make_unique<LayersInTurn<T>>(spec_.layers, "layers", input_, builder);
  trunk_->list_parameters(parameters_);
  for (const HeadSpec& head : spec_.heads) {
    Block<T> in = trunk_->out;
    // Several heads each hand a gradient down; they are added up in order.
    if (spec_.heads.size() > 1 && in.gradient != nullptr) {
      in.gradient = builder.scratch(in.count(batch));
    }
    heads_.push_back(
        std::make_unique<LayersInTurn<T>>(head.layers, "heads." + head.name, in, builder));
    heads_.back()->list_parameters(parameters_);
  }
  workspace->data = memory_.take(workspace->count);
}

template <class T>
void Network<T>::set_inputs(std::span<const T> inputs, int samples) {
  assert(samples >= 0 && samples <= batch_);
  assert(std::ssize(inputs) == std::ptrdiff_t{samples} * spec_.input.size());
  samples_ = samples;
  for (std::ptrdiff_t sample = 0; sample < samples; ++sample) {
    to_rows(inputs.data() + sample * spec_.input.size(), input_,
            input_.value + sample * input_.squares * input_.ld);
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
  trunk_->forward(pass);
  for (auto& head : heads_) head->forward(pass);
}

template <class T>
void Network<T>::backward(const FusedStep<T>* step) {
  const Pass<T> pass = pass_with(step);
  for (auto& head : heads_) head->backward(pass);
  if (T* sum = trunk_->out.gradient; heads_.size() > 1 && sum != nullptr) {
    const std::size_t count = trunk_->out.count(samples_);
    std::copy_n(heads_[0]->in.gradient, count, sum);
    for (std::size_t head = 1; head < heads_.size(); ++head) {
      const T* from = heads_[head]->in.gradient;
      for (std::size_t i = 0; i < count; ++i) sum[i] += from[i];
    }
  }
  trunk_->backward(pass);
}

template <class T>
void Network<T>::freeze() {
  trunk_->freeze(kernels_);
  for (auto& head : heads_) head->freeze(kernels_);
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
  const Block<T>& block = heads_[head]->out;
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
  list_outputs<T>(spec_.layers, trunk_->inner(), "layers", list);
  for (std::size_t i = 0; i < heads_.size(); ++i) {
    list_outputs<T>(spec_.heads[i].layers, heads_[i]->inner(), "heads." + spec_.heads[i].name,
                    list);
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

std::int64_t LayerFields::values(const LayerSpec& layer) const { return values_of(layer.out); }

double LayerFields::products(const LayerSpec& layer) const {
  double products = 0;
  for (const ParameterSpec& parameter : layer.parameters) {
    if (parameter.role == Role::weight) {
      products += static_cast<double>(parameter.count()) * layer.out.squares();
    }
  }
  return products;
}

std::vector<ParameterSpec> parameter_specs(const NetworkSpec& spec) {
  std::vector<ParameterSpec> list;
  for_layers(spec, [&](const LayerSpec& layer, const std::string& name) {
    for (const ParameterSpec& own : layer.parameters) {
      list.push_back({fmt::format("{}.{}", name, own.name), own.shape, own.role});
    }
  });
  return list;
}

std::int64_t values_of_sample(const NetworkSpec& spec) {
  std::int64_t values = values_of(spec.input);
  for_layers(spec, [&](const LayerSpec& layer, const std::string&) {
    values += layer.fields->values(layer);
  });
  return values;
}

double products_of_sample(const NetworkSpec& spec) {
  double products = 0;
  for_layers(spec, [&](const LayerSpec& layer, const std::string&) {
    products += layer.fields->products(layer);
  });
  return products;
}

std::uint64_t network_bytes(const NetworkSpec& spec, int batch, Use use, std::size_t number_bytes) {
  const bool trained = use == Use::training;
  std::uint64_t weights = 0;
  for (const ParameterSpec& parameter : parameter_specs(spec)) weights += parameter.count();
  const auto samples = static_cast<std::uint64_t>(batch);
  const std::uint64_t values = static_cast<std::uint64_t>(values_of_sample(spec)) * samples;
  return (weights * (trained ? 4 : 1) + values * (trained ? 2 : 1)) * number_bytes;
}

int affordable_batch(const NetworkSpec& spec, int wanted, Use use, std::size_t number_bytes) {
  const auto values = static_cast<std::uint64_t>(values_of_sample(spec));
  const std::uint64_t sample = values * (use == Use::training ? 2 : 1) * number_bytes;
  const std::uint64_t most = std::max<std::uint64_t>(1, kAffordableBytes / sample);
  return static_cast<int>(std::min(static_cast<std::uint64_t>(wanted), most));
}

template class Network<float>;
template class Network<double>;

}  // namespace damier::nn
