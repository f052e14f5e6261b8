#include "damier/nn/model_file.h"

#include <algorithm>

#include <fmt/format.h>

#include "damier/base/text/text.h"

namespace damier::nn {

namespace {

constexpr std::string_view kSpecKey = "damier.network";
constexpr std::string_view kStepsKey = "damier.optimiser.steps";
constexpr std::string_view kOptimiserPrefix = "optimiser.";

template <class T, class Stored>
Status load_parameter(Parameter<T>& parameter, const Tensor& tensor) {
  const auto values = TRY(finite_values<T, Stored>(tensor));
  parameter.set_in_order(values);
  return Done{};
}

Status check_entry(const ParameterSpec& parameter, const std::vector<TensorEntry>& entries) {
  const auto entry = std::ranges::find(entries, parameter.name, &TensorEntry::name);
  const std::string name = printable(parameter.name);
  if (entry == entries.end()) return Error{fmt::format("the tensor {} is missing", name)};
  if (entry->shape != parameter.shape) {
    return Error{fmt::format("the tensor {} has the shape [{}]; expected [{}]", name,
                             fmt::join(entry->shape, ", "), fmt::join(parameter.shape, ", "))};
  }
  if (entry->dtype != DType::f32 && entry->dtype != DType::f64) {
    return Error{
        fmt::format("the tensor {} is {}; expected F32 or F64", name, name_of(entry->dtype))};
  }
  return Done{};
}

Status check_entries(const NetworkSpec& spec, const std::vector<TensorEntry>& entries) {
  const std::vector<ParameterSpec> parameters = parameter_specs(spec);
  for (const ParameterSpec& parameter : parameters) TRY(check_entry(parameter, entries));
  for (const TensorEntry& entry : entries) {
    if (entry.name.starts_with(kOptimiserPrefix) ||
        std::ranges::find(parameters, entry.name, &ParameterSpec::name) != parameters.end()) {
      continue;
    }
    return Error{
        fmt::format("the tensor {} belongs to no layer of the network", in_quotes(entry.name))};
  }
  return Done{};
}

template <class T>
Status load_known(Network<T>& network, const TensorFile& file) {
  TRY(check_entries(network.spec(), header_of(file).entries));
  for (Parameter<T>* parameter : network.parameters()) {
    const Tensor& tensor = *file.find(parameter->name);
    TRY(tensor.dtype == DType::f64 ? load_parameter<T, double>(*parameter, tensor)
                                   : load_parameter<T, float>(*parameter, tensor));
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
    const std::vector<T> values = parameter->in_order();
    file.tensors.push_back(make_tensor<T>(parameter->name, parameter->shape, values));
  }
  return file;
}

Result<NetworkSpec> model_spec(const TensorMetadata& metadata, std::string_view source) {
  for (const auto& [key, value] : metadata) {
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

DType model_dtype(const TensorFile& file) {
  const auto found = std::ranges::find(file.tensors, DType::f64, &Tensor::dtype);
  return found == file.tensors.end() ? DType::f32 : DType::f64;
}

Status check_tensors(const NetworkSpec& spec, const TensorHeader& header, std::string_view source) {
  return check_entries(spec, header.entries).in(std::string(source));
}

template <class T>
Status load_weights(Network<T>& network, const TensorFile& file, std::string_view source) {
  return load_known(network, file).in(std::string(source));
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
  TRY(load_weights(network, file, source));
  const auto wrong = [&](std::string message) {
    return Error{std::move(message), {std::string(source)}};
  };
  const auto state = optimiser.state();
  for (std::size_t i = 0; i < state.size(); ++i) {
    const std::string name = fmt::format("{}{}", kOptimiserPrefix, i);
    const Tensor* tensor = file.find(name);
    if (tensor == nullptr) return wrong(fmt::format("the tensor {} is missing", name));
    const auto values = finite_values<T, T>(*tensor);
    if (!values) return wrong(values.error().text());
    if (values->size() != state[i].size()) {
      return wrong(fmt::format("the tensor {} has {}; expected {}", name,
                               counted(values->size(), "value"), state[i].size()));
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

#define DAMIER_INSTANTIATE(T)                                                                  \
  template TensorFile model_tensors(const Network<T>&, const Provenance&);                     \
  template Status load_weights(Network<T>&, const TensorFile&, std::string_view);              \
  template TensorFile checkpoint_tensors(const Network<T>&, Optimiser<T>&, const Provenance&); \
  template Status load_checkpoint(Network<T>&, Optimiser<T>&, const TensorFile&, std::string_view);
DAMIER_INSTANTIATE(float)
DAMIER_INSTANTIATE(double)
#undef DAMIER_INSTANTIATE

}  // namespace damier::nn
