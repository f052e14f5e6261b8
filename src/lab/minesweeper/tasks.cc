#include "damier/lab/minesweeper/tasks.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

namespace damier::lab {

namespace {

// Keeps the first fault.
class TaskMaker {
 public:
  PatchTask make(const std::string& name, Result<learn::Recipe> recipe,
                 PatchTest test = PatchTest::fresh) {
    if (recipe) return {"train " + name, *std::move(recipe), test};
    if (!fault_) fault_ = std::move(recipe).error();
    return {};
  }
  const std::optional<Error>& fault() const { return fault_; }

 private:
  std::optional<Error> fault_;
};

PatchTest test_of(published::Player player) {
  if (player == published::kDistinct) return PatchTest::held_out;
  return player == published::kFlags ? PatchTest::fresh_flags : PatchTest::fresh;
}

// "alternate:5" -> "alternate 5"
std::string order_name(const std::string& order) {
  if (order == "mixed") return "random";
  std::string name = order;
  for (const char sign : {':', '-'}) std::replace(name.begin(), name.end(), sign, ' ');
  return name;
}

// Seconds on two cores, from measured rates.
double training_seconds(const learn::Recipe& recipe) {
  constexpr double kExamined = 2;
  constexpr double kRowsMade = 1e6;                            // in a second
  constexpr double kSmallBatches = 1.0e10, kBatches = 2.5e10;  // multiplications in a second
  double work = 0;                                             // of an example
  double inputs = recipe.network.input.size();
  for (const auto& layer : recipe.network.layers) {
    if (layer.kind != nn::LayerKind::dense) continue;
    work += inputs * layer.units;
    inputs = layer.units;
  }
  const double rate = (recipe.batch < 100 ? kSmallBatches : kBatches) / std::max(work, 1.0);
  const auto rows = static_cast<double>(recipe.generate.count);
  return kExamined + rows / kRowsMade + rows * recipe.epochs / rate;
}

double game_seconds(std::int64_t games, const published::Board& board, double rate) {
  const double size = board.side * board.side / 100.0;
  return static_cast<double>(games) * size * size / rate;
}

constexpr double kCopyRate = 1500, kOurRate = 250;  // games on 10x10x10 in a second

}  // namespace

Result<MinesweeperTasks> minesweeper_tasks(const MinesweeperPlan& plan, Seed seed) {
  MinesweeperTasks tasks;
  TaskMaker maker;
  for (std::size_t i = 0; i < kMinesweeperNetworks; ++i) {
    const auto player = static_cast<published::Player>(i);
    tasks.chain.push_back(maker.make(std::string(published::kScores[i].name),
                                     patch_recipe(plan, player, seed), test_of(player)));
  }
  for (const double share : plan.shares) {
    const std::string name = fmt::format("{}", share);
    tasks.shares.push_back(
        {maker.make("bomb share " + name, share_recipe(plan, share, seed)), name, share});
  }
  for (const std::string& order : plan.orders) {
    const std::string name = order_name(order);
    tasks.orders.push_back({maker.make("order " + name, order_recipe(plan, order, seed)), name});
  }
  for (const std::uint64_t patches : plan.patches) {
    const std::string name = fmt::format("{}", patches);
    tasks.patches.push_back({maker.make(name + " patches", patches_recipe(plan, patches, seed)),
                             name, static_cast<double>(patches)});
  }
  for (const int batch : plan.batches) {
    const std::string name = fmt::format("{}", batch);
    tasks.batches.push_back({maker.make("batch " + name, batch_recipe(plan, batch, seed)), name,
                             static_cast<double>(batch)});
  }
  tasks.epochs = maker.make("epoch by epoch", epoch_recipe(plan, seed));
  if (maker.fault()) return *maker.fault();
  return tasks;
}

std::string board_text(const published::Board& board) {
  return fmt::format("{}x{}x{}", board.side, board.side, board.bombs);
}

games::minesweeper::Minesweeper board_of(const published::Board& board) {
  return games::minesweeper::Minesweeper(board.side, board.side, board.bombs);
}

std::string grid_step(std::size_t grid) { return fmt::format("settings of flags {}", grid + 1); }

std::string copy_step(const published::Board& board) {
  return "tuned flags on " + board_text(board);
}

std::string ours_step(const MinesweeperPlan& plan, const published::Board& board) {
  return fmt::format("{} on {}", plan.player, board_text(board));
}

std::vector<PlannedStep> planned_steps(const MinesweeperPlan& plan, const MinesweeperTasks& tasks) {
  std::vector<PlannedStep> steps = {{kRandomStep, 1}};
  const auto training = [&](const PatchTask& task) {
    steps.push_back({task.step, training_seconds(task.recipe)});
  };
  const auto sweep = [&](const std::vector<SweepTask>& points) {
    for (const SweepTask& point : points) training(point.task);
  };
  training(tasks.chain[published::kFirst]);
  sweep(tasks.shares);
  sweep(tasks.orders);
  training(tasks.chain[published::kMany]);
  sweep(tasks.batches);
  training(tasks.chain[published::kTrained]);
  training(tasks.chain[published::kWide]);
  sweep(tasks.patches);
  training(tasks.epochs);
  steps.push_back({kDuplicatesStep, 1});
  training(tasks.chain[published::kDistinct]);
  training(tasks.chain[published::kFlags]);
  for (std::size_t i = 0; i < plan.grids.size(); ++i) {
    const auto settings =
        static_cast<std::int64_t>(plan.grids[i].playful.size() * plan.grids[i].threshold.size());
    steps.push_back(
        {grid_step(i), game_seconds(settings * plan.grid_games, kUsualBoard, kCopyRate)});
  }
  steps.push_back({kReportSettingStep, game_seconds(plan.games, kUsualBoard, kCopyRate)});
  std::vector<published::Board> boards = {kUsualBoard};
  boards.insert(boards.end(), plan.sizes.begin(), plan.sizes.end());
  boards.insert(boards.end(), plan.densities.begin(), plan.densities.end());
  std::set<std::string> known;
  for (const published::Board& board : boards) {
    if (!known.insert(board_text(board)).second) continue;
    steps.push_back({copy_step(board), game_seconds(plan.games, board, kCopyRate)});
    steps.push_back({ours_step(plan, board), game_seconds(plan.player_games, board, kOurRate)});
  }
  return steps;
}

}  // namespace damier::lab
