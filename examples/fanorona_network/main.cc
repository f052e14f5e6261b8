// The network of Fanoron-telo, 46-64-64-18 with sigmoids, learns to name two points of a board: 18
// outputs are two groups of nine, one says which piece moves, the other where it goes. Here the
// boards are random and the answers follow a fixed rule, so that learning shows without a game.

#include <array>
#include <chrono>
#include <cstdio>
#include <numeric>
#include <span>

#include "damier/nn/initialise.h"
#include "damier/nn/trainer.h"

using namespace damier::nn;

namespace {

constexpr std::size_t kSamples = 2000, kInputs = 46, kOutputs = 18;
constexpr damier::Seed kSeed{1};

// Three pieces a side somewhere on nine points. An input is, for each point, one-hot over black
// moved, black, empty, white, white moved, then the player as -1 or +1 (docs/rules.md). The answer:
// the player's first piece steps to the last empty point.
Samples<double> random_boards() {
  Samples<double> samples{.count = kSamples,
                          .inputs = std::vector<double>(kSamples * kInputs),
                          .targets = {std::vector<double>(kSamples * kOutputs)}};
  for (std::size_t i = 0; i < kSamples; ++i) {
    damier::RandomStream random(kSeed, "example.boards", i);
    std::array<int, 9> board = {-1, -1, -1, 0, 0, 0, 1, 1, 1};
    random.shuffle(std::span<int>(board));
    const int player = random.below(2) == 0 ? -1 : 1;
    std::size_t from = 9, to = 9;
    double* input = samples.inputs.data() + i * kInputs;
    for (std::size_t point = 0; point < 9; ++point) {
      const int moved = 1 + static_cast<int>(random.below(2));
      input[5 * point + static_cast<std::size_t>(2 + board[point] * moved)] = 1;
      if (board[point] == player && from == 9) from = point;
      if (board[point] == 0) to = point;
    }
    input[kInputs - 1] = player;
    samples.targets[0][i * kOutputs + from] = 1;
    samples.targets[0][i * kOutputs + 9 + to] = 1;
  }
  return samples;
}

}  // namespace

int main() {
  // The last layer gives logits: the loss puts a softmax on each group of nine.
  const auto spec = parse_network_text(R"({"input": [46],
      "layers": [{"type": "dense", "units": 64}, {"type": "sigmoid"},
                 {"type": "dense", "units": 64}, {"type": "sigmoid"},
                 {"type": "dense", "units": 18}]})",
                                       "fanorona");
  if (!spec) return std::puts(spec.error().text().c_str()), 2;

  constexpr int kEpochs = 20;
  Network<double> network(*spec, 1, Use::training);  // one sample a step
  initialise(network, Initialisation::xavier_uniform, kSeed);
  Optimiser<double> optimiser({.kind = OptimiserKind::sgd, .rate = 0.1}, network);
  Trainer<double> trainer(network, optimiser, {{LossKind::cross_entropy, {9, 9}}},
                          {.epochs = kEpochs, .seed = kSeed});

  const Samples<double> samples = random_boards();
  std::vector<std::size_t> all(samples.count);
  std::iota(all.begin(), all.end(), std::size_t{0});
  const double before = trainer.evaluate(samples, all);
  std::printf("before    loss %.4f\n", before);

  const auto start = std::chrono::steady_clock::now();
  trainer.run(samples, [](const EpochReport& report) {
    std::printf("epoch %2d  loss %.4f\n", report.epoch + 1, report.training_loss);
    return true;
  });
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;

  const double after = trainer.evaluate(samples, all);
  std::printf("after     loss %.4f, %.0f samples/s\n", after,
              kEpochs * static_cast<double>(samples.count) / seconds.count());
  return after > before / 2 ? 1 : 0;
}
