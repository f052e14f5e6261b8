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

}  // namespace

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
