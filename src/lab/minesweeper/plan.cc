// What the experiment on minesweeper trains: the report's recipes with the settings of each step.

#include <fmt/format.h>

#include "damier/base/text.h"
#include "damier/lab/minesweeper/experiment.h"

namespace damier::lab {

namespace {

constexpr const char* kFirstRecipe = "minesweeper-report-first";
constexpr const char* kDistinctRecipe = "minesweeper-report";
constexpr const char* kFlagsRecipe = "minesweeper-report-flags";
constexpr std::uint64_t kMasks = 10;  // of each patch

// What is examined in the end is examined by us; the task's own sets would only cost time.
learn::Settings settings_of(const PatchTraining& training, Seed seed) {
  return {fmt::format("data.generate.count={}", training.rows),
          fmt::format("data.generate.seed={}", value_of(seed)),
          fmt::format("batch={}", training.batch), fmt::format("epochs={}", training.epochs),
          "evaluation.sets=[]"};
}

// The rows of a training and, beside them, those that are held out.
void hold_out(learn::Settings& settings, const char* split, std::uint64_t rows,
              std::uint64_t held_out) {
  const auto all = rows + held_out;
  settings.emplace_back("data.generate.split=class");
  settings.push_back(fmt::format("data.generate.count={}", all));
  settings.emplace_back("data.generate.validation=0");
  settings.emplace_back("data.generate.test=0");
  settings.push_back(fmt::format("data.generate.{}={:.6f}", split,
                                 static_cast<double>(held_out) / static_cast<double>(all)));
}

std::string layers_text(const std::vector<int>& widths) {
  std::string text;
  for (const int width : widths) {
    text += fmt::format(R"({}{{"type":"dense","units":{}}},{{"type":"relu"}})",
                        text.empty() ? "" : ",", width);
  }
  return fmt::format("network.layers=[{}]", text);
}

}  // namespace

MinesweeperPlan minesweeper_plan(bool quick) {
  MinesweeperPlan plan;
  if (!quick) return plan;
  plan.networks = {{{300'000, 10, 1},
                    {1'000'000, 10, 1},
                    {1'000'000, 2000, 6},
                    {200'000, 2000, 2},
                    {1'000'000, 2000, 6},
                    {1'000'000, 2000, 6}}};
  plan.held_out = 50'000;
  plan.shares = {0.25, 0.5, 0.75};
  plan.share_training.rows = 100'000;
  plan.order_training.rows = 100'000;
  plan.patches = {1000, 5000, 20'000};
  plan.batches = {10, 100, 1000, 2000, 10'000};
  plan.batch_training.rows = 400'000;
  plan.epoch_training = {200'000, 2000, 8};
  plan.duplicates_of = 500'000;
  plan.grids = {{{0.75, 1, 1.15, 1.3, 1.5, 1.75, 2}, {0, 0.5, 0.8, 0.9, 0.96, 0.99, 1}}};
  plan.grid_games = 200;
  plan.games = plan.player_games = 500;
  plan.sizes = {published::kSizes[0], published::kSizes[2], published::kSizes[5]};
  plan.densities = {published::kDensities[0], published::kDensities[3], published::kDensities[6],
                    published::kDensities[9]};
  return plan;
}

Result<learn::Recipe> patch_recipe(const MinesweeperPlan& plan, published::Player player,
                                   Seed seed) {
  const PatchTraining& training = plan.networks[player];
  learn::Settings settings = settings_of(training, seed);
  if (player == published::kWide) settings.push_back(layers_text(plan.wide));
  const bool distinct = player == published::kDistinct || player == published::kFlags;
  if (!distinct) return learn::find_recipe(kFirstRecipe, settings);
  hold_out(settings, "test", training.rows, plan.held_out);
  return learn::find_recipe(player == published::kFlags ? kFlagsRecipe : kDistinctRecipe, settings);
}

Result<learn::Recipe> share_recipe(const MinesweeperPlan& plan, double share, Seed seed) {
  learn::Settings settings = settings_of(plan.share_training, seed);
  settings.push_back(fmt::format("data.generate.bomb_share={}", share));
  return learn::find_recipe(kFirstRecipe, settings);
}

Result<learn::Recipe> order_recipe(const MinesweeperPlan& plan, const std::string& order,
                                   Seed seed) {
  learn::Settings settings = settings_of(plan.order_training, seed);
  settings.push_back("data.generate.order=" + order);
  settings.emplace_back("order=stored");
  return learn::find_recipe(kFirstRecipe, settings);
}

Result<learn::Recipe> patches_recipe(const MinesweeperPlan& plan, std::uint64_t patches,
                                     Seed seed) {
  PatchTraining training = plan.patches_training;
  training.rows = kMasks * patches;
  return learn::find_recipe(kFirstRecipe, settings_of(training, seed));
}

Result<learn::Recipe> batch_recipe(const MinesweeperPlan& plan, int batch, Seed seed) {
  PatchTraining training = plan.batch_training;
  training.batch = batch;
  return learn::find_recipe(kFirstRecipe, settings_of(training, seed));
}

// Validation rows tell of each epoch.
Result<learn::Recipe> epoch_recipe(const MinesweeperPlan& plan, Seed seed) {
  learn::Settings settings = settings_of(plan.epoch_training, seed);
  hold_out(settings, "validation", plan.epoch_training.rows, plan.held_out);
  return learn::find_recipe(kFirstRecipe, settings);
}

}  // namespace damier::lab
