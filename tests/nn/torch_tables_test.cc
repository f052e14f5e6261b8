// Layers, losses and optimisers against PyTorch: tests/nn/torch/tables.json holds what PyTorch
// makes of small cases in doubles (make_tables.py writes it), and the engine must find the same
// numbers on every instruction set that this machine has.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "tests/nn/layer_cases.h"
#include <gtest/gtest.h>

#include "damier/base/files/files.h"
#include "damier/base/json/json.h"
#include "damier/nn/model_file.h"
#include "damier/nn/network.h"
#include "damier/nn/training.h"

namespace damier::nn {
namespace {

using Numbers = std::vector<double>;

// The sums of both sides have other orders, so the last bits differ; nothing else may. Relative to
// the expected value, or absolute below 1.
constexpr double kTolerance = 1e-10;

const Json& tables() {
  static const Json json = [] {
    const std::string path =
        (std::filesystem::path(DAMIER_SOURCE_DIR) / "tests/nn/torch/tables.json").string();
    return parse_json(read_file(path, std::size_t{1} << 20).value(), path).value();
  }();
  return json;
}

void expect_same(const Numbers& found, const Numbers& expected, const std::string& what) {
  ASSERT_EQ(found.size(), expected.size()) << what;
  for (std::size_t i = 0; i < found.size(); ++i) {
    ASSERT_NEAR(found[i], expected[i], kTolerance * std::max(1.0, std::abs(expected[i])))
        << what << "[" << i << "]";
  }
}

// Calls check(kernels) for every instruction set.
template <class Check>
void on_all_kernels(Check check) {
  for (const Isa isa : kAllIsas) {
    const Kernels<double>* kernels = kernels_of<double>(isa);
    if (kernels == nullptr) continue;
    SCOPED_TRACE(kernels->name);
    check(*kernels);
  }
}

// A parameter's values or gradients, as PyTorch orders them.
Numbers in_order(const Parameter<double>& p, const double* data) {
  Numbers numbers;
  p.for_each_number(data, [&](double value) { numbers.push_back(value); });
  return numbers;
}

TensorFile tensor_file(const Json& weights) {
  TensorFile file;
  for (const auto& [name, tensor] : weights.items()) {
    file.tensors.push_back(make_tensor<double>(
        name, tensor["shape"].get<std::vector<std::uint64_t>>(), tensor["values"].get<Numbers>()));
  }
  return file;
}

void check_layers(const Json& json, const Kernels<double>& kernels) {
  const auto spec = parse_network(json["network"], "network");
  ASSERT_TRUE(spec) << spec.error().text();
  const int samples = json["samples"].get<int>();
  Network<double> network(*spec, samples, Use::training, nullptr, kernels);
  const auto loaded = load_weights(network, tensor_file(json["weights"]), "weights");
  ASSERT_TRUE(loaded) << loaded.error().text();

  network.set_inputs(json["inputs"].get<Numbers>(), samples);
  network.forward(json["training"].get<bool>());
  for (std::size_t head = 0; head < network.output_count(); ++head) {
    const std::string& name = spec->heads[head].name;
    const auto upstream = json["upstream"][name].get<Numbers>();
    const auto view = network.output(head);
    Numbers outputs;
    for (int row = 0; row < samples; ++row) {
      outputs.insert(outputs.end(), view.value + row * view.ld,
                     view.value + row * view.ld + view.cols);
      std::fill_n(view.gradient + row * view.ld, view.ld, 0.0);
      std::copy_n(upstream.data() + row * view.cols, view.cols, view.gradient + row * view.ld);
    }
    ASSERT_NO_FATAL_FAILURE(expect_same(outputs, json["outputs"][name].get<Numbers>(), name));
  }

  network.backward();
  std::size_t gradients = 0, running = 0;
  for (const Parameter<double>* p : network.parameters()) {
    const bool learned = p->gradient != nullptr;
    const Json& expected = json[learned ? "gradients" : "running"];
    ASSERT_TRUE(expected.contains(p->name)) << p->name;
    ++(learned ? gradients : running);
    ASSERT_NO_FATAL_FAILURE(expect_same(in_order(*p, learned ? p->gradient : p->value),
                                        expected[p->name].get<Numbers>(), p->name));
  }
  EXPECT_EQ(gradients, json["gradients"].size());
  EXPECT_EQ(running, json["running"].size());
}

TEST(TorchTables, ForwardAndBackwardOfEveryLayer) {
  for (const Json& json : tables()["layers"]) {
    SCOPED_TRACE(json["name"].get<std::string>());
    on_all_kernels([&](const Kernels<double>& kernels) { check_layers(json, kernels); });
  }
}

TEST(TorchTables, EveryLayerHasACase) {
  std::set<std::string> names;
  for (const Json& json : tables()["layers"]) {
    const auto spec = parse_network(json["network"], "network").value();
    collect_names(spec.layers, names);
    for (const HeadSpec& head : spec.heads) collect_names(head.layers, names);
  }
  expect_every_layer(names);
}

const std::vector<std::pair<std::string, LossKind>> kLosses = {
    {"mean_squared_error", LossKind::mean_squared_error},
    {"cross_entropy", LossKind::cross_entropy},
    {"binary_cross_entropy", LossKind::binary_cross_entropy},
    {"huber", LossKind::huber},
    {"chosen_squared_error", LossKind::chosen_squared_error}};

const std::vector<std::pair<std::string, OptimiserKind>> kOptimisers = {
    {"sgd", OptimiserKind::sgd},
    {"rmsprop", OptimiserKind::rmsprop},
    {"adam", OptimiserKind::adam},
    {"adamw", OptimiserKind::adamw}};

template <class Kind>
Kind kind_of(const std::vector<std::pair<std::string, Kind>>& names, const std::string& name) {
  const auto at = std::find_if(names.begin(), names.end(),
                               [&](const auto& entry) { return entry.first == name; });
  EXPECT_NE(at, names.end()) << name;
  return at->second;
}

void check_loss(const Json& json, const Kernels<double>& kernels) {
  const Loss loss = {kind_of(kLosses, json["kind"].text()), json["groups"].get<std::vector<int>>(),
                     json["weight"].get<double>()};
  const int samples = json["samples"].get<int>();
  const auto outputs = json["outputs"].get<Numbers>();
  const int cols = static_cast<int>(outputs.size()) / samples, ld = padded(cols);
  Memory<double> memory;
  double* value = memory.take(static_cast<std::size_t>(samples * ld));
  double* gradient = memory.take(static_cast<std::size_t>(samples * ld));
  for (int row = 0; row < samples; ++row) {
    std::copy_n(outputs.data() + row * cols, cols, value + row * ld);
  }
  const double found =
      apply_loss<double>(loss, kernels, {value, gradient, cols, ld}, samples,
                         json["targets"].get<Numbers>(), json["mask"].get<Numbers>());
  ASSERT_NO_FATAL_FAILURE(expect_same({found}, {json["value"].get<double>()}, "value"));
  Numbers gradients;
  for (int row = 0; row < samples; ++row) {
    gradients.insert(gradients.end(), gradient + row * ld, gradient + row * ld + cols);
  }
  expect_same(gradients, json["gradient"].get<Numbers>(), "gradient");
}

TEST(TorchTables, ValueAndGradientOfEveryLoss) {
  std::set<std::string> kinds;
  for (const Json& json : tables()["losses"]) {
    SCOPED_TRACE(json["name"].get<std::string>());
    kinds.insert(json["kind"].get<std::string>());
    on_all_kernels([&](const Kernels<double>& kernels) { check_loss(json, kernels); });
  }
  for (const auto& [name, kind] : kLosses) EXPECT_TRUE(kinds.contains(name)) << name;
}

void check_optimiser(const Json& json, const Kernels<double>& kernels) {
  const Json& options = json["options"];
  const OptimiserOptions defaults;
  const auto number = [&](const char* name, double missing) {
    return options.contains(name) ? options[name].get<double>() : missing;
  };
  Network<double> network(
      parse_network_text(R"({"input": [4], "layers": [{"type": "dense", "units": 3}]})", "network")
          .value(),
      1, Use::training, nullptr, kernels);
  Optimiser<double> optimiser({.kind = kind_of(kOptimisers, options["kind"].text()),
                               .rate = options["rate"].get<double>(),
                               .momentum = number("momentum", defaults.momentum),
                               .alpha = number("alpha", defaults.alpha),
                               .beta1 = number("beta1", defaults.beta1),
                               .beta2 = number("beta2", defaults.beta2),
                               .epsilon = number("epsilon", defaults.epsilon),
                               .weight_decay = number("weight_decay", defaults.weight_decay),
                               .clip_norm = number("clip_norm", defaults.clip_norm)},
                              network, kernels);
  const auto store = [&](const Json& from, double* Parameter<double>::*where) {
    for (Parameter<double>* p : network.parameters()) {
      const auto numbers = from[p->name].get<Numbers>();
      auto at = numbers.begin();
      p->for_each_number(p->*where, [&](double& value) { value = *at++; });
    }
  };
  store(json["start"], &Parameter<double>::value);
  for (const Json& gradients : json["gradients"]) {
    store(gradients, &Parameter<double>::gradient);
    optimiser.step();
  }
  for (const Parameter<double>* p : network.parameters()) {
    ASSERT_NO_FATAL_FAILURE(
        expect_same(in_order(*p, p->value), json["end"][p->name].get<Numbers>(), p->name));
  }
}

TEST(TorchTables, FiveStepsOfEveryOptimiser) {
  std::set<std::string> kinds;
  for (const Json& json : tables()["optimisers"]) {
    SCOPED_TRACE(json["name"].get<std::string>());
    kinds.insert(json["options"]["kind"].get<std::string>());
    on_all_kernels([&](const Kernels<double>& kernels) { check_optimiser(json, kernels); });
  }
  for (const auto& [name, kind] : kOptimisers) EXPECT_TRUE(kinds.contains(name)) << name;
}

}  // namespace
}  // namespace damier::nn
