// Training on boards that are stored short: the planes are made when a batch is, whatever the
// precision; rows in the order of the data where a recipe asks for it; and a network's own games as
// data.

#include <set>

#include "tests/base/temporary_folder.h"
#include <gtest/gtest.h>

#include "damier/learn/minesweeper/board_task.h"
#include "damier/learn/rows/batches.h"
#include "damier/learn/train/training_run.h"
#include "damier/nn/model_file.h"

namespace damier::learn {
namespace {

constexpr std::string_view kRecipe = R"({
  "task": "minesweeper",
  "data": {"generate": {"count": 3000, "encoder": "board-10", "validation": 0.1, "test": 0,
                        "largest": 8, "tries": 2}},
  "network": {
    "input": [14, 10, 10],
    "layers": [
      {"type": "conv2d", "channels": 16}, {"type": "relu"},
      {"type": "conv2d", "channels": 16}, {"type": "relu"}
    ],
    "heads": {
      "bomb": [{"type": "conv2d", "channels": 1, "kernel": 1}, {"type": "flatten"}],
      "win": [{"type": "conv2d", "channels": 1, "kernel": 1}, {"type": "flatten"}]
    }
  },
  "heads": {
    "bomb": {"loss": "binary_cross_entropy", "mask": "masked"},
    "win": {"loss": "binary_cross_entropy", "mask": "tried", "scale": 0.004, "weight": 0.5}
  },
  "optimiser": {"kind": "adam", "rate": 0.005},
  "batch": 32, "epochs": 2, "augmentation": "symmetry",
  "evaluation": {"sets": ["validation", "6x6x4"]},
  "seed": 1
})";

Recipe recipe_with(const Settings& settings) {
  auto recipe = parse_recipe(kRecipe, "test", settings);
  EXPECT_TRUE(recipe.ok()) << recipe.error().text();
  return *std::move(recipe);
}

TEST(MinesweeperBoardTraining, LearnsWhatTheNumbersSay) {
  ThreadPool pool(1);
  for (const char* precision : {"precision=float", "precision=double"}) {
    const Recipe recipe = recipe_with({precision, "data.generate.greatest_density=0.16"});
    const auto data = open_data(recipe, pool);
    ASSERT_TRUE(data.ok()) << data.error().text();
    std::vector<double> losses;
    TrainingOptions options;
    options.on_epoch = [&](const EpochMetrics& metrics) -> Status {
      losses.push_back(metrics.validation_loss.value());
      return Done{};
    };
    const auto result = train(recipe, *data, Seed{1}, pool, {}, options);
    ASSERT_TRUE(result.ok()) << result.error().text();
    EXPECT_LT(losses.back(), losses.front());
    ASSERT_EQ(result->sets.size(), 2u);
    // Small as it is, it finds most of the safe cells.
    EXPECT_GT(find_metric(result->sets[0].metrics, "safe_choice")->value, 0.6);
    EXPECT_GT(find_metric(result->sets[1].metrics, "safe_choice")->value, 0.75);
  }
}

TEST(MinesweeperBoardTraining, ANetworksGamesAreDataToo) {
  const TemporaryFolder folder;
  const std::string model = (folder.path() / "model.safetensors").string();
  ThreadPool pool(1), pools(3);
  const Recipe recipe = recipe_with({"epochs=1", "data.generate.count=1000"});
  const auto data = open_data(recipe, pool);
  ASSERT_TRUE(data.ok()) << data.error().text();
  const auto result = train(recipe, *data, Seed{1}, pool, {}, {});
  ASSERT_TRUE(result.ok()) << result.error().text();
  ASSERT_TRUE(nn::write_safetensors(model, result->model).ok());

  const Task& task = minesweeper_board_task();
  GenerateOptions options = task.defaults();
  options.more["states"] = "net:" + model;
  options.count = 400;
  options.more["encoder"] = "board-12";
  const auto one = generate_in_memory(task, options, pool);
  ASSERT_TRUE(one.ok()) << one.error().text();
  const auto three = generate_in_memory(task, options, pools);
  ASSERT_TRUE(three.ok()) << three.error().text();
  EXPECT_EQ(one->row_count(), 400u);
  EXPECT_EQ(one->checksum(), three->checksum());
  EXPECT_NE(one->checksum(), data->checksum());
  EXPECT_TRUE(check_data_set(*one).ok());
}

TEST(MinesweeperBoardTraining, RowsMayKeepTheirOrder) {
  ThreadPool pool(1);
  EXPECT_FALSE(recipe_with({}).stored_order);
  EXPECT_TRUE(recipe_with({"order=stored"}).stored_order);
  const auto wrong = parse_recipe(kRecipe, "test", {"order=storde"});
  ASSERT_FALSE(wrong.ok());
  EXPECT_EQ(wrong.error().text(),
            "test: order: unknown word 'storde'; did you mean 'stored'? (known: stored, shuffled)");

  const auto data = open_data(recipe_with({}), pool);
  ASSERT_TRUE(data.ok());
  const RowRange all = data->rows(Split::training);
  const int group = data->column_index("group");
  const auto groups = data->values<std::int64_t>(group, all).value();
  // All rows at once, and in windows of one block.
  for (const std::uint64_t memory : {std::uint64_t{1} << 30, std::uint64_t{1}}) {
    Windows windows(*data, all, {group}, memory, Seed{1}, false);
    Windows shuffled(*data, all, {group}, memory, Seed{1});
    EXPECT_EQ(windows.count() > 1, memory == 1);
    std::vector<std::int64_t> read, mixed;
    for (std::size_t window = 0; window < windows.count(); ++window) {
      const auto add = [&](Windows& from, std::vector<std::int64_t>& to) {
        ASSERT_TRUE(from.load(3, window).ok());
        std::vector<double> values(from.order().size());
        gather<double>(data->columns()[static_cast<std::size_t>(group)], from.bytes()[0],
                       from.order(), {}, {}, values.data());
        for (const double value : values) to.push_back(static_cast<std::int64_t>(value));
      };
      add(windows, read);
      add(shuffled, mixed);
    }
    EXPECT_EQ(read, groups);
    EXPECT_NE(mixed, groups);
    EXPECT_EQ(std::multiset(mixed.begin(), mixed.end()),
              std::multiset(groups.begin(), groups.end()));
  }
}

TEST(MinesweeperBoardTraining, WrongRecipesAreAnsweredInOneLine) {
  struct Case {
    std::string setting;
    std::string message;
  };
  const std::vector<Case> cases = {
      {"data.generate.larges=8",
       "test: data.generate: unknown key 'larges'; did you mean 'largest'?"},
      {"data.generate.largest=big", "test: data.generate: largest is \"big\"; expected a whole"},
      {"data.generate.largest=11", "test: data.generate: largest is 11; expected a whole number"},
      {"data.generate.board=10x10", "test: data.generate: board '10x10'; expected"},
      {"data.generate.encoder=board-11", "test: data.generate: unknown encoder 'board-11'"},
      {"evaluation.sets=[\"6x6\"]", "test: evaluation.sets[0]: unknown set '6x6'"},
  };
  for (const Case& wrong : cases) {
    const auto recipe = parse_recipe(kRecipe, "test", {wrong.setting});
    ASSERT_FALSE(recipe.ok()) << wrong.setting;
    EXPECT_EQ(recipe.error().text().find(wrong.message), 0u) << recipe.error().text();
  }
}

}  // namespace
}  // namespace damier::learn
