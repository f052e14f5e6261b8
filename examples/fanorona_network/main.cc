// The network of Fanoron-telo, 46-64-64-18 with sigmoids, learns to name two points of a board: 18
// outputs are two groups of nine, one says which piece moves, the other where it goes. Here the
// boards are random and the answers follow a fixed rule, so that learning shows without a game.

#include <array>
#include <cstdio>
#include <span>

#include "damier/learn/train/rows.h"
#include "damier/learn/train/training_run.h"

using namespace damier;

namespace {

constexpr std::size_t kRows = 2000, kInputs = 46, kOutputs = 18;
constexpr Seed kSeed{1};

// Three pieces a side somewhere on nine points. An input is, for each point, one-hot over black
// moved, black, empty, white, white moved, then the player as -1 or +1 (docs/rules.md). The answer:
// the player's first piece steps to the last empty point.
void add_random_board(std::size_t number, learn::Rows& rows) {
  RandomStream random(kSeed, "example.boards", number);
  std::array<int, 9> board = {-1, -1, -1, 0, 0, 0, 1, 1, 1};
  random.shuffle(std::span<int>(board));
  const int player = random.below(2) == 0 ? -1 : 1;
  std::size_t from = 9, to = 9;
  std::vector<double> input(kInputs), answer(kOutputs);
  for (std::size_t point = 0; point < 9; ++point) {
    const int moved = 1 + static_cast<int>(random.below(2));
    input[5 * point + static_cast<std::size_t>(2 + board[point] * moved)] = 1;
    if (board[point] == player && from == 9) from = point;
    if (board[point] == 0) to = point;
  }
  input[kInputs - 1] = player;
  answer[from] = 1;
  answer[9 + to] = 1;
  rows.add(input, {answer});
}

}  // namespace

int main() {
  // The last layer gives logits: the loss puts a softmax on each group of nine. One row a step.
  const auto recipe = learn::parse_rows_recipe(R"({
      "network": {"input": [46],
                  "layers": [{"type": "dense", "units": 64}, {"type": "sigmoid"},
                             {"type": "dense", "units": 64}, {"type": "sigmoid"},
                             {"type": "dense", "units": 18}]},
      "initialisation": "xavier_uniform",
      "heads": {"output": {"loss": "cross_entropy", "groups": [9, 9]}},
      "optimiser": {"kind": "sgd", "rate": 0.1},
      "batch": 1, "epochs": 20, "precision": "double"})",
                                               "fanorona");
  if (!recipe) return std::puts(recipe.error().text().c_str()), 2;

  learn::Rows rows(*recipe);
  for (std::size_t i = 0; i < kRows; ++i) add_random_board(i, rows);
  const auto data = rows.finish();
  if (!data) return std::puts(data.error().text().c_str()), 2;

  std::vector<double> losses;
  learn::TrainingOptions options;
  options.on_epoch = [&](const learn::EpochMetrics& metrics) -> Status {
    std::printf("epoch %2d  loss %.4f\n", metrics.epoch, metrics.training_loss);
    losses.push_back(metrics.training_loss);
    return Done{};
  };
  ThreadPool pool;
  const auto result = learn::train(*recipe, *data, kSeed, pool, {}, options);
  if (!result) return std::puts(result.error().text().c_str()), 1;
  std::printf("%.0f rows/s\n", result->samples_per_second);
  return losses.back() > losses.front() / 2 ? 1 : 0;
}
