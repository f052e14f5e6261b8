// Ten training steps of the workloads of `damier bench nn`, here and in PyTorch, from the same
// weights on the same samples: the losses must go the same way. Skipped where no Python has
// PyTorch.

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "bench/workloads.h"
#include "tests/base/temporary_folder.h"
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "damier/base/files/files.h"
#include "damier/base/json/json.h"
#include "damier/nn/model_file.h"
#include "damier/nn/network.h"
#include "damier/nn/training.h"

namespace damier::nn {
namespace {

constexpr int kSteps = 10;

using bench::kW1, bench::kW2, bench::kW3, bench::w4;

// The rates are those of bench/pytorch_peer.py.
struct Workload {
  std::string name;  // as the script knows it
  std::string spec;
  int batch;
  Loss loss;
  OptimiserOptions optimiser;
};

std::vector<Workload> workloads() {
  const Loss mse = {LossKind::mean_squared_error, {}, 1};
  return {
      {"W1", kW1, 128, mse, {.kind = OptimiserKind::rmsprop, .rate = 1e-3}},
      {"W2", kW2, 1, {LossKind::cross_entropy, {9, 9}, 1}, {OptimiserKind::sgd, 1e-2}},
      {"W3", kW3, 32, mse, {.kind = OptimiserKind::adam, .rate = 1e-3}},
      {"W4", w4(), 64, {LossKind::cross_entropy, {}, 1}, {OptimiserKind::adam, 1e-3}},
  };
}

// The loss before each of the steps; the start goes to `folder` as the script reads it.
template <class T>
std::vector<double> ten_steps(const Workload& workload, const std::filesystem::path& folder) {
  const auto spec = parse_network_text(workload.spec, workload.name).value();
  Network<T> network(spec, workload.batch, Use::training);
  initialise(network, Initialisation::he_uniform, Seed{1});
  RandomStream random(Seed{1}, "torch steps");
  const int outputs = network.output(0).cols;
  std::vector<T> inputs(static_cast<std::size_t>(workload.batch * spec.input.size()));
  std::vector<T> targets(static_cast<std::size_t>(workload.batch * outputs));
  for (T& value : inputs) value = static_cast<T>(random.uniform());
  if (workload.loss.kind == LossKind::cross_entropy) {
    const int group = workload.loss.groups.empty() ? outputs : workload.loss.groups.front();
    for (std::size_t at = 0; at < targets.size(); at += static_cast<std::size_t>(group)) {
      targets[at + random.below(static_cast<std::uint64_t>(group))] = T(1);
    }
  } else {
    for (T& value : targets) value = static_cast<T>(random.uniform());
  }

  const auto batch = static_cast<std::uint64_t>(workload.batch);
  std::vector<std::uint64_t> shape = {batch, static_cast<std::uint64_t>(spec.input.channels)};
  if (spec.input.board) {
    shape.push_back(static_cast<std::uint64_t>(spec.input.rows));
    shape.push_back(static_cast<std::uint64_t>(spec.input.cols));
  }
  TensorFile data;
  data.tensors.push_back(make_tensor<T>("inputs", shape, inputs));
  data.tensors.push_back(
      make_tensor<T>("targets", {batch, static_cast<std::uint64_t>(outputs)}, targets));
  EXPECT_TRUE(write_safetensors(folder / (workload.name + ".data"), data));
  EXPECT_TRUE(write_safetensors(folder / (workload.name + ".weights"), model_tensors(network, {})));

  Optimiser<T> optimiser(workload.optimiser, network);
  std::vector<double> losses;
  for (int step = 0; step < kSteps; ++step) {
    network.set_inputs(inputs, workload.batch);
    network.forward(true);
    losses.push_back(apply_loss<T>(workload.loss, best_kernels<T>(), network.output(0),
                                   workload.batch, targets));
    optimiser.backward_and_step();
  }
  return losses;
}

// Debian's package belongs to Debian's Python, which need not be the first in PATH.
std::optional<std::string> python_with_torch() {
  for (const char* python : {"python3", "/usr/bin/python3"}) {
    const std::string command = fmt::format("{} -c 'import torch' > /dev/null 2>&1", python);
    if (std::system(command.c_str()) == 0) return python;
  }
  return std::nullopt;
}

template <class T>
void compare_with_torch(const std::vector<Workload>& workloads, double tolerance) {
  const auto python = python_with_torch();
  if (!python) GTEST_SKIP() << "no Python with the module torch; on Debian it is in python3-torch";
  const TemporaryFolder folder;
  std::vector<std::vector<double>> found;
  for (const Workload& workload : workloads) {
    found.push_back(ten_steps<T>(workload, folder.path()));
  }
  const std::string command = fmt::format("{} '{}/tests/nn/torch/ten_steps.py' '{}'", *python,
                                          DAMIER_SOURCE_DIR, folder.path().string());
  ASSERT_EQ(std::system(command.c_str()), 0) << command;
  const auto text = read_file(folder.path() / "losses.json", 1 << 20);
  ASSERT_TRUE(text) << text.error().text();
  const Json expected = parse_json(*text, "losses.json").value();

  for (std::size_t i = 0; i < workloads.size(); ++i) {
    SCOPED_TRACE(workloads[i].name);
    const auto losses = expected[workloads[i].name].get<std::vector<double>>();
    ASSERT_EQ(losses.size(), found[i].size());
    for (std::size_t step = 0; step < losses.size(); ++step) {
      EXPECT_NEAR(found[i][step], losses[step], tolerance * losses[step]) << "step " << step;
    }
    EXPECT_GT(std::abs(losses.back() - losses.front()), 0.01 * losses.front())
        << "steps that change nothing compare nothing";
  }
}

TEST(TorchSteps, TheBenchmarkWorkloadsInDoubles) { compare_with_torch<double>(workloads(), 1e-10); }

// W4 is compared in doubles only: from its fourth loss on, other last bits of the first weights
// move the losses by up to 5e-4; PyTorch's floats with and without oneDNN are as far apart.
TEST(TorchSteps, TheBenchmarkWorkloadsInFloats) {
  auto list = workloads();
  list.pop_back();
  compare_with_torch<float>(list, 1e-5);
}

}  // namespace
}  // namespace damier::nn
