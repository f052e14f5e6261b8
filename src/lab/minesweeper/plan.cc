// What the experiment on minesweeper trains and tries: the report's recipes with the settings of
// each step, and the points of its sweeps.

#include <fmt/format.h>

#include "damier/lab/minesweeper/experiment.h"

namespace damier::lab {

namespace {

constexpr const char* kFirstRecipe = "minesweeper-report-first";
constexpr const char* kDistinctRecipe = "minesweeper-report";
constexpr const char* kFlagsRecipe = "minesweeper-report-flags";
constexpr std::uint64_t kMasks = 10;  // of each patch

// The study evaluates the networks itself; the task's own sets would only cost time.
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

std::vector<std::string> row_names(const PublishedTable& table) {
  std::vector<std::string> names;
  for (const PublishedRow& row : table.rows) names.push_back(row.name);
  return names;
}

}  // namespace

MinesweeperPlan minesweeper_plan(const Published& published, bool quick) {
  MinesweeperPlan plan;
  for (const auto& [sweep, name] : {std::pair(kShares, "bomb_share"),
                                    {kOrders, "order"},
                                    {kPatches, "patches"},
                                    {kBatches, "batch"}}) {
    plan.sweeps[sweep].values = published.sweep(name).values;
  }
  const auto playful = published.sweep("playful").numbers();
  plan.grids = {{playful, published.sweep("threshold").numbers()},
                {playful, published.sweep("threshold, fine").numbers()}};
  plan.sizes = row_names(published.table("sizes"));
  plan.densities = row_names(published.table("densities"));
  if (!quick) return plan;
  plan.links = {{{300'000, 10, 1},
                 {1'000'000, 10, 1},
                 {1'000'000, 2000, 6},
                 {200'000, 2000, 2},
                 {1'000'000, 2000, 6},
                 {1'000'000, 2000, 6, 2},
                 {1'000'000, 2000, 6}}};
  plan.held_out = 50'000;
  plan.pool = 105'000;
  plan.sweeps[kShares] = {{100'000, 10, 1}, {0.25, 0.5, 0.75}};
  plan.sweeps[kOrders].training.rows = 100'000;
  plan.sweeps[kPatches].values = {1000, 5000, 10'000};
  plan.sweeps[kBatches] = {{400'000, 0, 1}, {10, 100, 1000, 2000, 10'000}};
  plan.epochs = {200'000, 2000, 8};
  plan.grids = {{{0.75, 1, 1.15, 1.3, 1.5}, {0.5, 0.8, 0.9, 0.96, 0.99, 1}}};
  plan.grid_games = 200;
  plan.games = plan.player_games = 500;
  plan.sizes = {"6x6x4", "10x10x10", "16x16x26"};
  plan.densities = {"10x10x4", "10x10x10", "10x10x16", "10x10x22"};
  return plan;
}

std::string_view link_name(PatchLink link) {
  constexpr std::array<std::string_view, kLinks> kNames = {
      "first",         "more patches", "batch and epochs", "wider network",
      "no duplicates", "flags",        "patches from play"};
  return kNames[link];
}

Result<learn::Recipe> link_recipe(const MinesweeperPlan& plan, PatchLink link, Seed seed) {
  const PatchTraining& training = plan.links[link];
  learn::Settings settings = settings_of(training, seed);
  if (link == kWide) settings.push_back(layers_text(plan.wide));
  if (link < kDistinct) return learn::find_recipe(kFirstRecipe, settings);
  hold_out(settings, "test", training.rows, plan.held_out);
  if (link == kPlay) {
    settings.emplace_back("data.generate.source=play");
    settings.emplace_back("data.generate.duplicates=true");
    settings.emplace_back("data.generate.pool=0");
  } else {
    settings.push_back(fmt::format("data.generate.pool={}", plan.pool));
  }
  return learn::find_recipe(link == kDistinct ? kDistinctRecipe : kFlagsRecipe, settings);
}

Result<learn::Recipe> sweep_recipe(const MinesweeperPlan& plan, PatchSweep sweep, const Json& value,
                                   Seed seed) {
  PatchTraining training = plan.sweeps[sweep].training;
  if (sweep == kPatches) training.rows = kMasks * value.get<std::uint64_t>();
  if (sweep == kBatches) training.batch = value.get<int>();
  learn::Settings settings = settings_of(training, seed);
  if (sweep == kShares) {
    settings.push_back(fmt::format("data.generate.bomb_share={}", value.get<double>()));
  }
  if (sweep == kOrders) {
    settings.push_back("data.generate.order=" + value.text());
    settings.emplace_back("order=stored");
  }
  return learn::find_recipe(kFirstRecipe, settings);
}

// Validation rows tell of each epoch.
Result<learn::Recipe> epoch_recipe(const MinesweeperPlan& plan, Seed seed) {
  learn::Settings settings = settings_of(plan.epochs, seed);
  hold_out(settings, "validation", plan.epochs.rows, plan.held_out);
  return learn::find_recipe(kFirstRecipe, settings);
}

}  // namespace damier::lab
