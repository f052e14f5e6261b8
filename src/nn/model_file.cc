#include "damier/nn/model_file.h"

#include <cassert>

#include <fmt/format.h>

#include "damier/base/text.h"
#include "damier/nn/local_rule.h"

namespace damier::nn {

namespace {

constexpr std::string_view kSpecKey = "damier.network";
constexpr std::string_view kStepsKey = "damier.optimiser.steps";
constexpr std::string_view kOptimiserPrefix = "optimiser.";

// The weight (tap, in, out) of a parameter, in the order of its outside shape: out, in, tap.
template <class T>
std::vector<T> outside_order(const Parameter<T>& p) {
  std::vector<T> values;
  values.reserve(static_cast<std::size_t>(p.taps) * static_cast<std::size_t>(p.in) *
                 static_cast<std::size_t>(p.out));
  for (int o = 0; o < p.out; ++o) {
    for (int i = 0; i < p.in; ++i) {
      for (int tap = 0; tap < p.taps; ++tap) {
        values.push_back(p.value[(static_cast<std::ptrdiff_t>(tap) * p.in + i) * p.ld + o]);
      }
    }
  }
  return values;
}

template <class T, class U>
void store_inside(const Parameter<T>& p, const std::vector<U>& values) {
  std::size_t at = 0;
  for (int o = 0; o < p.out; ++o) {
    for (int i = 0; i < p.in; ++i) {
      for (int tap = 0; tap < p.taps; ++tap) {
        p.value[(static_cast<std::ptrdiff_t>(tap) * p.in + i) * p.ld + o] =
            static_cast<T>(values[at++]);
      }
    }
  }
}

std::string shape_text(const std::vector<std::uint64_t>& shape) {
  return fmt::format("[{}]", fmt::join(shape, ", "));
}

template <class T>
Status load_parameter(const Parameter<T>& parameter, const TensorFile& file) {
  const Tensor* tensor = file.find(parameter.name);
  if (tensor == nullptr) return Error{fmt::format("the tensor {} is missing", parameter.name)};
  if (tensor->shape != parameter.shape) {
    return Error{fmt::format("the tensor {} has the shape {}; expected {}", parameter.name,
                             shape_text(tensor->shape), shape_text(parameter.shape))};
  }
  if (tensor->dtype == DType::f64) {
    const auto values = values_of<double>(*tensor);
    if (!values) return values.error();
    store_inside(parameter, *values);
    return Done{};
  }
  const auto values = values_of<float>(*tensor);
  if (!values) return values.error();
  store_inside(parameter, *values);
  return Done{};
}

template <class T>
Status load_known(Network<T>& network, const TensorFile& file) {
  for (const Parameter<T>* parameter : network.parameters()) {
    if (auto status = load_parameter(*parameter, file); !status) return status;
  }
  for (const Tensor& tensor : file.tensors) {
    if (tensor.name.starts_with(kOptimiserPrefix)) continue;
    const auto known = [&](const Parameter<T>* parameter) {
      return parameter->name == tensor.name;
    };
    const auto parameters = network.parameters();
    if (std::none_of(parameters.begin(), parameters.end(), known)) {
      return Error{
          fmt::format("the tensor {} belongs to no layer of the network", in_quotes(tensor.name))};
    }
  }
  return Done{};
}

}  // namespace

template <class T>
TensorFile model_tensors(const Network<T>& network, const Provenance& provenance) {
  TensorFile file;
  file.metadata.emplace_back(kSpecKey, dump_line(to_json(network.spec())));
  file.metadata.insert(file.metadata.end(), provenance.begin(), provenance.end());
  for (const Parameter<T>* parameter : network.parameters()) {
    const std::vector<T> values = outside_order(*parameter);
    file.tensors.push_back(make_tensor<T>(parameter->name, parameter->shape, values));
  }
  return file;
}

Result<NetworkSpec> model_spec(const TensorFile& file, std::string_view source) {
  for (const auto& [key, value] : file.metadata) {
    if (key == kSpecKey) return parse_network_text(value, fmt::format("{}, network", source));
  }
  return Error{fmt::format("has no network in its metadata; expected the key {}", kSpecKey),
               {std::string(source)}};
}

Provenance model_provenance(const TensorFile& file) {
  Provenance provenance;
  for (const auto& entry : file.metadata) {
    if (entry.first != kSpecKey && entry.first != kStepsKey) provenance.push_back(entry);
  }
  return provenance;
}

Result<DType> model_dtype(const TensorFile& file, std::string_view source) {
  DType dtype = DType::f32;
  for (const Tensor& tensor : file.tensors) {
    if (tensor.dtype == DType::f64) dtype = DType::f64;
    if (tensor.dtype != DType::f32 && tensor.dtype != DType::f64) {
      return Error{fmt::format("the tensor {} is {}; expected F32 or F64", in_quotes(tensor.name),
                               name_of(tensor.dtype)),
                   {std::string(source)}};
    }
  }
  return dtype;
}

template <class T>
Status load_weights(Network<T>& network, const TensorFile& file, std::string_view source) {
  auto status = load_known(network, file);
  if (!status) return std::move(status).error().in(std::string(source));
  return status;
}

template <class T>
TensorFile checkpoint_tensors(const Network<T>& network, Optimiser<T>& optimiser,
                              const Provenance& provenance) {
  TensorFile file = model_tensors(network, provenance);
  file.metadata.emplace_back(kStepsKey, std::to_string(optimiser.steps()));
  const auto state = optimiser.state();
  for (std::size_t i = 0; i < state.size(); ++i) {
    file.tensors.push_back(make_tensor<T>(fmt::format("{}{}", kOptimiserPrefix, i),
                                          {state[i].size()}, std::span<const T>(state[i])));
  }
  return file;
}

template <class T>
Status load_checkpoint(Network<T>& network, Optimiser<T>& optimiser, const TensorFile& file,
                       std::string_view source) {
  if (auto status = load_weights(network, file, source); !status) return status;
  const auto wrong = [&](std::string message) {
    return Error{std::move(message), {std::string(source)}};
  };
  const auto state = optimiser.state();
  for (std::size_t i = 0; i < state.size(); ++i) {
    const std::string name = fmt::format("{}{}", kOptimiserPrefix, i);
    const Tensor* tensor = file.find(name);
    if (tensor == nullptr) return wrong(fmt::format("the tensor {} is missing", name));
    const auto values = values_of<T>(*tensor);
    if (!values) return wrong(values.error().text());
    if (values->size() != state[i].size()) {
      return wrong(fmt::format("the tensor {} has {} values; expected {}", name, values->size(),
                               state[i].size()));
    }
    std::copy(values->begin(), values->end(), state[i].begin());
  }
  for (const auto& [key, value] : file.metadata) {
    if (key != kStepsKey) continue;
    const auto steps = parse_integer(value, 0, std::int64_t{1} << 60, kStepsKey);
    if (!steps) return wrong(steps.error().text());
    optimiser.set_steps(*steps);
    return Done{};
  }
  return wrong(fmt::format("is no checkpoint; expected the key {}", kStepsKey));
}

Result<DenseText> to_dense_text(const Network<double>& network) {
  if (!fits_local_rule(network.spec())) {
    return Error{"the text form holds dense layers with biases, each followed by a sigmoid, only"};
  }
  DenseText text;
  text.sizes.push_back(network.spec().input.size());
  const auto parameters = network.parameters();
  for (std::size_t i = 0; i < parameters.size(); i += 2) {
    text.sizes.push_back(parameters[i]->out);
    text.layers.push_back({outside_order(*parameters[i]), outside_order(*parameters[i + 1])});
  }
  if (auto status = check_dense_text(text); !status) return std::move(status).error();
  return text;
}

NetworkSpec dense_text_spec(const DenseText& text) {
  Json layers = Json::array();
  for (std::size_t i = 1; i < text.sizes.size(); ++i) {
    layers.push_back({{"type", "dense"}, {"units", text.sizes[i]}});
    layers.push_back({{"type", "sigmoid"}});
  }
  return parse_network({{"input", {text.sizes[0]}}, {"layers", std::move(layers)}}, "text").value();
}

void load_dense_text(Network<double>& network, const DenseText& text) {
  const auto parameters = network.parameters();
  assert(parameters.size() == 2 * text.layers.size());
  for (std::size_t i = 0; i < text.layers.size(); ++i) {
    store_inside(*parameters[2 * i], text.layers[i].matrix);
    store_inside(*parameters[2 * i + 1], text.layers[i].bias);
  }
}

#define DAMIER_INSTANTIATE(T)                                                                  \
  template TensorFile model_tensors(const Network<T>&, const Provenance&);                     \
  template Status load_weights(Network<T>&, const TensorFile&, std::string_view);              \
  template TensorFile checkpoint_tensors(const Network<T>&, Optimiser<T>&, const Provenance&); \
  template Status load_checkpoint(Network<T>&, Optimiser<T>&, const TensorFile&, std::string_view);
DAMIER_INSTANTIATE(float)
DAMIER_INSTANTIATE(double)
#undef DAMIER_INSTANTIATE

}  // namespace damier::nn
