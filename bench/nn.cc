// How fast the network engine is, beside its plain kernels or PyTorch.

#include <cstdlib>
#include <memory>
#include <optional>

#include "bench/peer.h"
#include "bench/suite.h"
#include "bench/workloads.h"
#include <fmt/format.h>

#include "damier/base/files/interrupt.h"
#include "damier/nn/network.h"
#include "damier/nn/training.h"

namespace damier::bench {

namespace {

using namespace damier::nn;

struct Workload {
  const char* name;  // as the peer knows it
  const char* title;
  std::string spec;
  Loss loss;
  OptimiserKind optimiser;
  double rate;
  bool doubles;
};

struct Measurement {
  std::size_t workload;
  bool training;
  int batch;
  double goal;  // times the peer
};

std::vector<Workload> workloads() {
  return {
      {"W1",
       "W1 dense 25-300-256-128-1, RMSProp",
       kW1,
       {LossKind::mean_squared_error, {}, 1},
       OptimiserKind::rmsprop,
       1e-3,
       false},
      {"W2",
       "W2 dense 46-64-64-18, two softmaxes, SGD, doubles",
       kW2,
       {LossKind::cross_entropy, {9, 9}, 1},
       OptimiserKind::sgd,
       1e-2,
       true},
      {"W3",
       "W3 conv 8-32-64-64 on 5x5, dense 128-100, Adam",
       kW3,
       {LossKind::mean_squared_error, {}, 1},
       OptimiserKind::adam,
       1e-3,
       false},
      {"W4",
       "W4 conv 3-32, 3 residual blocks on 8x8, Adam",
       w4(),
       {LossKind::cross_entropy, {}, 1},
       OptimiserKind::adam,
       1e-3,
       false},
  };
}

// One training step, or one inference, of a workload on given kernels.
template <class T>
Work make_work(const Workload& workload, const Measurement& measurement, const Kernels<T>& kernels,
               Seed seed) {
  const int batch = measurement.batch;
  const auto spec = parse_network_text(workload.spec, workload.name).value();
  auto network = std::make_shared<Network<T>>(
      spec, batch, measurement.training ? Use::training : Use::inference, nullptr, kernels);
  initialise(*network, Initialisation::he_uniform, seed);
  RandomStream random(seed, "bench.nn");
  auto inputs =
      std::make_shared<std::vector<T>>(static_cast<std::size_t>(batch * spec.input.size()));
  for (T& value : *inputs) value = static_cast<T>(random.uniform());
  if (!measurement.training) {
    network->freeze();
    return [=] {
      network->set_inputs(*inputs, batch);
      network->forward();
      return static_cast<std::uint64_t>(batch);
    };
  }
  const int outputs = network->output(0).cols;
  auto targets = std::make_shared<std::vector<T>>(static_cast<std::size_t>(batch * outputs));
  if (workload.loss.kind == LossKind::cross_entropy) {
    const int group = workload.loss.groups.empty() ? outputs : workload.loss.groups.front();
    for (int at = 0; at < batch * outputs; at += group) {
      const auto chosen = random.below(static_cast<std::uint64_t>(group));
      (*targets)[static_cast<std::size_t>(at) + chosen] = T(1);
    }
  } else {
    for (T& value : *targets) value = static_cast<T>(random.uniform());
  }
  auto optimiser = std::make_shared<Optimiser<T>>(
      OptimiserOptions{.kind = workload.optimiser, .rate = workload.rate}, *network, kernels);
  const Kernels<T>* k = &kernels;
  return [=, loss = workload.loss] {
    network->set_inputs(*inputs, batch);
    network->forward(true);
    apply_loss<T>(loss, *k, network->output(0), batch, *targets);
    optimiser->backward_and_step();
    return static_cast<std::uint64_t>(batch);
  };
}

template <class T>
Work work_on(const Workload& workload, const Measurement& measurement, bool plain, Seed seed) {
  const Kernels<T>& kernels = plain ? *kernels_of<T>(Isa::plain) : best_kernels<T>();
  return make_work<T>(workload, measurement, kernels, seed);
}

}  // namespace

Result<SuiteReport> bench_nn(const SuiteRequest& request) {
  const Seed seed = request.seed;
  const Effort& effort = request.effort;
  const auto all = workloads();
  const std::vector<Measurement> measurements = {
      {0, true, 2000, 1.35}, {0, true, 128, 2},  {0, true, 10, 6},
      {1, true, 1, 100},     {2, true, 32, 2.5}, {3, true, 64, 2.5},
      {2, false, 1, 8},      {3, false, 1, 8},   {3, false, 256, 2.4},
  };
  SuiteReport report;
  std::string peer = "plain kernels";
  std::optional<Peer> process;
  if (request.beside_peer) {
    auto started = start_pytorch();
    if (!started) return std::move(started).error();
    process = *std::move(started);
    peer = process->name();
  }
  report.facts["kernels"] = best_kernels<float>().name;
  report.head = fmt::format("Ours: {} kernels. Peer: {}.", best_kernels<float>().name, peer);
  for (const Measurement& measurement : measurements) {
    const Workload& workload = all[measurement.workload];
    const auto work = [&](bool plain) {
      return workload.doubles ? work_on<double>(workload, measurement, plain, seed)
                              : work_on<float>(workload, measurement, plain, seed);
    };
    const std::string name =
        fmt::format("{}, {}, batch {}", workload.title,
                    measurement.training ? "training" : "inference", measurement.batch);
    Row row;
    if (process) {
      const std::string question =
          fmt::format("{} {} {} {}", workload.name, measurement.training ? "train" : "infer",
                      measurement.batch, effort.seconds);
      row = compare_rates(
          name, "samples", rate_of_work(work(false), effort), peer,
          [&] { return measurement.batch * std::strtod(process->ask(question).c_str(), nullptr); },
          effort);
    } else {
      row = compare(name, "samples", work(false), peer, work(true), 0, effort);
    }
    row.goal_ratio = process ? measurement.goal : 0;
    if (interrupted()) break;
    report.rows.push_back(std::move(row));
    request.on_row();
  }
  return report;
}

}  // namespace damier::bench
