#include "damier/nn/model_file.h"

#include <limits>

#include <gtest/gtest.h>

#include "damier/nn/training.h"

namespace damier::nn {
namespace {

NetworkSpec some_spec() {
  return parse_network_text(R"({"input": [2, 4, 4], "layers": [{"type": "conv2d", "channels": 5},
      {"type": "batch_norm"}, {"type": "relu"}, {"type": "residual", "layers": [{"type": "attention"},
      {"type": "layer_norm"}]}, {"type": "flatten"}], "heads": {"policy": [{"type": "dense",
      "units": 7}], "value": [{"type": "dense", "units": 1}, {"type": "tanh"}]}})",
                            "test")
      .value();
}

template <class T>
std::vector<T> predict(Network<T>& network) {
  std::vector<T> inputs(2 * 32);
  RandomStream random(Seed{3}, "inputs");
  for (T& value : inputs) value = static_cast<T>(random.uniform());
  network.set_inputs(inputs, 2);
  network.forward();
  std::vector<T> all;
  for (std::size_t head = 0; head < network.output_count(); ++head) {
    const auto view = network.output(head);
    for (int row = 0; row < 2; ++row) {
      all.insert(all.end(), view.value + row * view.ld, view.value + row * view.ld + view.cols);
    }
  }
  return all;
}

TEST(ModelFile, SavedLoadedAndPredictingTheSameBits) {
  Network<float> network(some_spec(), 2, Use::inference);
  initialise(network, Initialisation::he_normal, Seed{1});
  const auto bytes = serialize_safetensors(model_tensors(network, {{"seed", "1"}})).value();
  const auto file = parse_safetensors(bytes, "x").value();
  const auto spec = model_spec(file.metadata, "x").value();
  EXPECT_EQ(spec, network.spec());
  EXPECT_EQ(model_provenance(file), (Provenance{{"seed", "1"}}));
  EXPECT_EQ(model_dtype(file), DType::f32);
  Network<float> loaded(spec, 2, Use::inference);
  ASSERT_TRUE(load_weights(loaded, file, "x"));
  EXPECT_EQ(predict(loaded), predict(network));
}

TEST(ModelFile, TensorsHaveTheShapesOfOtherTools) {
  Network<float> network(some_spec(), 2, Use::inference);
  initialise(network, Initialisation::he_normal, Seed{1});
  const TensorFile file = model_tensors(network, {});
  const Tensor* weight = file.find("layers.0.weight");
  ASSERT_NE(weight, nullptr);
  EXPECT_EQ(weight->shape, (std::vector<std::uint64_t>{5, 2, 3, 3}));
  EXPECT_EQ(file.find("heads.policy.0.weight")->shape, (std::vector<std::uint64_t>{7, 80}));
  // Output 4, input 1, row 2, column 0 of the kernel.
  const Parameter<float>& inside = *network.parameters()[0];
  EXPECT_EQ(values_of<float>(*weight).value()[((4 * 2 + 1) * 3 + 2) * 3 + 0],
            inside.value[((2 * 3 + 0) * 2 + 1) * inside.ld + 4]);
}

TEST(ModelFile, ErrorsAreNamed) {
  Network<float> network(some_spec(), 2, Use::inference);
  const TensorFile good = model_tensors(network, {});
  const auto error = [&](const TensorFile& file) {
    const auto status = load_weights(network, file, "x");
    return status ? std::string("accepted") : status.error().text();
  };
  EXPECT_EQ(error(good), "accepted");
  TensorFile missing = good;
  missing.tensors.erase(missing.tensors.begin());
  EXPECT_EQ(error(missing), "x: the tensor layers.0.weight is missing");
  TensorFile reshaped = good;
  reshaped.tensors[0].shape = {5, 18};
  EXPECT_EQ(error(reshaped),
            "x: the tensor layers.0.weight has the shape [5, 18]; expected [5, 2, 3, 3]");
  TensorFile extra = good;
  extra.tensors.push_back(make_tensor<float>("layers.9.weight", {1}, std::vector<float>{1}));
  EXPECT_EQ(error(extra), "x: the tensor 'layers.9.weight' belongs to no layer of the network");
  EXPECT_EQ(model_spec({}, "x").error().text(),
            "x: has no network in its metadata; expected the key damier.network");
}

// One such number is enough to make all that the network says mean nothing.
TEST(ModelFile, NumbersThatAreNotFiniteAreRefusedByNameAndPlace) {
  Network<float> network(some_spec(), 2, Use::inference);
  const TensorFile good = model_tensors(network, {});
  const auto error = [&](const char* name, std::size_t flat, auto number) {
    TensorFile file = good;
    for (Tensor& tensor : file.tensors) {
      if (tensor.name != name) continue;
      std::vector<decltype(number)> values(tensor.data.size() / sizeof(float));
      values[flat] = number;
      tensor = make_tensor<decltype(number)>(name, tensor.shape, values);
    }
    const auto status = load_weights(network, file, "x");
    return status ? std::string("accepted") : status.error().text();
  };
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  constexpr float kInfinite = std::numeric_limits<float>::infinity();
  EXPECT_EQ(error("layers.0.bias", 3, kNan),
            "x: tensor 'layers.0.bias': has nan at [3]; expected finite numbers");
  EXPECT_EQ(error("layers.0.weight", 77, -kInfinite),
            "x: tensor 'layers.0.weight': has -inf at [4, 0, 1, 2]; expected finite numbers");
  EXPECT_EQ(error("layers.1.running_var", 0, kInfinite),
            "x: tensor 'layers.1.running_var': has inf at [0]; expected finite numbers");
  EXPECT_EQ(error("heads.value.0.bias", 0, 1e300),
            "x: tensor 'heads.value.0.bias': has 1e+300 at [0]; expected finite numbers")
      << "a double that no float can hold";
  EXPECT_EQ(error("heads.value.0.bias", 0, 3e38f), "accepted");
}

TEST(ModelFile, ACheckpointsMeansMustBeFiniteToo) {
  Network<float> network(some_spec(), 2, Use::training);
  Optimiser<float> optimiser({.rate = 0.01}, network);
  TensorFile file = checkpoint_tensors(network, optimiser, {});
  for (Tensor& tensor : file.tensors) {
    if (tensor.name != "optimiser.1") continue;
    std::vector<float> values = values_of<float>(tensor).value();
    values[2] = std::numeric_limits<float>::infinity();
    tensor = make_tensor<float>(tensor.name, tensor.shape, values);
  }
  EXPECT_EQ(load_checkpoint(network, optimiser, file, "x").error().text(),
            "x: tensor 'optimiser.1': has inf at [2]; expected finite numbers");
}

TEST(NetworkSize, KnowsTheParametersBeforeTheNetworkIsMade) {
  const auto all = parse_network_text(R"({"input": [4, 6, 6], "layers": [
      {"type": "conv2d", "channels": 6, "kernel": 5, "bias": false, "padding": "valid"},
      {"type": "batch_norm"}, {"type": "residual", "layers": [{"type": "conv2d", "channels": 6},
      {"type": "residual", "layers": [{"type": "layer_norm"}, {"type": "attention", "heads": 2}]}]},
      {"type": "clipped_relu"}], "heads": {"a": [{"type": "global_average_pool"},
      {"type": "dense", "units": 3, "bias": false}], "b": [{"type": "flatten"},
      {"type": "dropout", "rate": 0.1}, {"type": "dense", "units": 2}, {"type": "softmax"}]}})",
                                      "x")
                       .value();
  for (const NetworkSpec& spec : {all, some_spec()}) {
    const Network<float> network(spec, 3, Use::inference);
    std::vector<ParameterSpec> listed;
    for (const Parameter<float>* parameter : network.parameters()) {
      listed.push_back({parameter->name, parameter->shape, parameter->role});
    }
    EXPECT_EQ(parameter_specs(spec), listed);
    for (const Use use : {Use::inference, Use::training}) {
      const Network<double> made(spec, 50, use);
      const auto said = network_bytes(spec, 50, use, sizeof(double));
      EXPECT_GT(2 * said, made.memory_bytes());
      EXPECT_LT(said, 2 * made.memory_bytes());
    }
  }
}

TEST(NetworkSize, ALargeNetworkGetsASmallerBatch) {
  const auto spec = [](const std::string& layer) {
    return parse_network_text(R"({"input": [16, 64, 64], "layers": [)" + layer + "]}", "x").value();
  };
  EXPECT_EQ(affordable_batch(spec(""), 64, Use::inference, sizeof(float)), 64);
  const NetworkSpec large = spec(R"({"type": "conv2d", "channels": 1024, "kernel": 1})");
  const int batch = affordable_batch(large, 256, Use::training, sizeof(double));
  EXPECT_LE(network_bytes(large, batch, Use::training, sizeof(double)), 1'100'000'000u);
  EXPECT_GE(batch, 8);
  EXPECT_LT(batch, 256);
}

TEST(ModelFile, ACheckpointGoesOnBitForBit) {
  const auto spec = parse_network_text(R"({"input": [6], "layers": [{"type": "dense", "units": 20},
      {"type": "batch_norm"}, {"type": "relu"}, {"type": "dropout", "rate": 0.3},
      {"type": "dense", "units": 2}]})",
                                       "x")
                        .value();
  const std::vector<double> inputs(8 * 6, 0.3), targets(8 * 2, 0.7);
  struct Run {
    explicit Run(const NetworkSpec& s)
        : network(s, 8, Use::training), optimiser({.rate = 0.01}, network) {
      initialise(network, Initialisation::he_normal, Seed{2});
      network.set_dropout_seed(Seed{3});
    }
    Network<double> network;
    Optimiser<double> optimiser;
  };
  const auto learn = [&](Run& run, int steps) {
    for (int i = 0; i < steps; ++i) {
      run.network.set_inputs(inputs, 8);
      run.network.forward(true, static_cast<std::uint64_t>(run.optimiser.steps()));
      apply_loss<double>({}, best_kernels<double>(), run.network.output(0), 8, targets);
      run.network.backward();
      run.optimiser.step();
    }
  };
  Run whole(spec), first(spec), second(spec);
  learn(whole, 10);
  learn(first, 4);
  const auto bytes =
      serialize_safetensors(checkpoint_tensors(first.network, first.optimiser, {})).value();
  const auto status =
      load_checkpoint(second.network, second.optimiser, parse_safetensors(bytes, "x").value(), "x");
  ASSERT_TRUE(status) << status.error().text();
  learn(second, 6);
  for (std::size_t i = 0; i < whole.network.parameters().size(); ++i) {
    const Parameter<double>& a = *whole.network.parameters()[i];
    const Parameter<double>& b = *second.network.parameters()[i];
    EXPECT_EQ(std::vector(a.value, a.value + a.count()), std::vector(b.value, b.value + b.count()))
        << a.name;
  }
}

}  // namespace
}  // namespace damier::nn
