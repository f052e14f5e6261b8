// Training runs: they learn, they stop and go on to the same bits, and large data sets are learnt
// from as small ones are.

#include <algorithm>
#include <limits>
#include <numeric>

#include "tests/base/temporary_folder.h"
#include <gtest/gtest.h>

#include "damier/learn/rows/batches.h"
#include "damier/learn/train/fit.h"
#include "damier/learn/train/stored_run.h"

namespace damier::learn {
namespace {

using namespace model;

// Dropout, batch norm, two heads, symmetries: all that has a state or draws numbers.
constexpr std::string_view kRecipe = R"({
  "task": "fanorona",
  "data": {"generate": {"count": 1500, "validation": 0.2, "test": 0}},
  "network": {
    "input": [46],
    "layers": [
      {"type": "dense", "units": 24}, {"type": "batch_norm"}, {"type": "relu"},
      {"type": "dropout", "rate": 0.1}
    ],
    "heads": {
      "moves": [{"type": "dense", "units": 81}],
      "value": [{"type": "dense", "units": 1}, {"type": "tanh"}]
    }
  },
  "heads": {
    "moves": {"loss": "cross_entropy", "mask": "legal"},
    "value": {"loss": "mean_squared_error"}
  },
  "optimiser": {"kind": "adam", "rate": 0.01},
  "schedule": {"kind": "cosine", "warm_up": 0.5},
  "batch": 32, "epochs": 4, "augmentation": "symmetry",
  "evaluation": {"sets": ["validation"]}
})";

Recipe recipe_with(const Settings& settings) {
  auto recipe = parse_recipe(kRecipe, "test", settings);
  EXPECT_TRUE(recipe.ok()) << recipe.error().text();
  return *std::move(recipe);
}

TrainingResult trained(const Recipe& recipe, int threads = 1, TrainingOptions options = {}) {
  ThreadPool pool(threads);
  const auto data = open_data(recipe, pool);
  EXPECT_TRUE(data.ok()) << data.error().text();
  auto result = train(recipe, *data, Seed{3}, pool, {{"data", data->checksum()}}, options);
  EXPECT_TRUE(result.ok()) << result.error().text();
  return *std::move(result);
}

TEST(Training, TheSameSeedGivesTheSameBitsOnAnyNumberOfThreads) {
  const Recipe recipe = recipe_with({});
  const TrainingResult one = trained(recipe, 1), two = trained(recipe, 3);
  EXPECT_TRUE(one.finished);
  EXPECT_EQ(one.epochs, 4);
  EXPECT_EQ(one.model, two.model);
}

class Resumed : public testing::TestWithParam<Settings> {};

// Stops after some batches, again and again, each time with a new process's empty hands.
TEST_P(Resumed, EndsWithTheSameBits) {
  const Recipe recipe = recipe_with(GetParam());
  std::vector<double> losses, resumed_losses;
  TrainingOptions options;
  options.on_epoch = [&](const EpochMetrics& metrics) -> Status {
    losses.push_back(metrics.training_loss);
    losses.push_back(*metrics.validation_loss);
    return Done{};
  };
  const TrainingResult whole = trained(recipe, 1, options);
  const TemporaryFolder folder;
  options.folder = folder.path();
  options.on_epoch = [&](const EpochMetrics& metrics) -> Status {
    resumed_losses.push_back(metrics.training_loss);
    resumed_losses.push_back(*metrics.validation_loss);
    return Done{};
  };
  TrainingResult result;
  int parts = 0;
  do {
    int batches = 0;
    options.stop = [&] { return ++batches == 29; };
    result = trained(recipe, 1 + parts % 2, options);
    ++parts;
  } while (!result.finished && parts < 100);
  EXPECT_GT(parts, 3);
  EXPECT_EQ(result.model, whole.model);
  EXPECT_EQ(result.kept_epoch, whole.kept_epoch);
  EXPECT_EQ(resumed_losses, losses);
}

// The network of the dense chess report: sigmoids, one head, and the layer-local rule.
const Settings kLocalRule = {
    R"(network={"input": [46], "layers": [{"type": "dense", "units": 32}, {"type": "sigmoid"},
        {"type": "dense", "units": 18}, {"type": "sigmoid"}], "heads": {"policy": []}})",
    R"(heads={"policy": {"loss": "mean_squared_error"}})", "rule=local",
    R"(optimiser={"kind": "sgd", "rate": 0.6})", "schedule={}"};

TEST(Training, TheLayerLocalRuleLearnsMoves) {
  std::vector<double> losses;
  TrainingOptions options;
  options.on_epoch = [&](const EpochMetrics& metrics) -> Status {
    losses.push_back(*metrics.validation_loss);
    return Done{};
  };
  Settings settings = kLocalRule;
  settings.insert(settings.end(), {"epochs=12", "evaluation.keep=last"});
  const TrainingResult result = trained(recipe_with(settings), 1, options);
  EXPECT_LT(losses.back(), 0.9 * losses.front());
  const Metric* kept = find_metric(result.sets.back().metrics, "value_kept");
  ASSERT_NE(kept, nullptr);
  EXPECT_GT(kept->value, 0.6);
}

INSTANTIATE_TEST_SUITE_P(Recipes, Resumed,
                         testing::Values(kLocalRule, Settings{}, Settings{"precision=double"},
                                         Settings{"optimiser.kind=sgd", "optimiser.momentum=0.9"},
                                         Settings{"evaluation.keep=last"},
                                         Settings{"evaluation.keep=accuracy", "batch=17"}));

// What a kill leaves behind is the last checkpoint: it is taken away in the middle of an epoch, and
// another run goes on with it.
TEST(Training, GoesOnFromACheckpointWithinAnEpoch) {
  const Recipe recipe = recipe_with({});
  const TemporaryFolder folder, taken;
  TrainingOptions options;
  options.folder = folder.path();
  options.checkpoint_seconds = 0;
  int batches = 0;
  options.stop = [&] {
    if (++batches == 100) {
      std::filesystem::copy(folder.path(), taken.path());
    }
    return false;
  };
  const TrainingResult whole = trained(recipe, 1, options);
  EXPECT_GT(batches, 110);
  options = {};
  options.folder = taken.path();
  options.stop = [&, left = batches - 90]() mutable { return --left == 0; };
  const TrainingResult resumed = trained(recipe, 1, options);
  EXPECT_TRUE(resumed.finished) << "it began again from the start of an epoch";
  EXPECT_EQ(resumed.model, whole.model);
}

// Found out when the run goes on, not when it comes to its end.
TEST(Training, WeightsThatAreNotFiniteAreRefusedByARunThatGoesOn) {
  const Recipe recipe = recipe_with({});
  ThreadPool pool(1);
  const DataSet data = open_data(recipe, pool).value();
  for (const char* name : {"checkpoint.safetensors", "epoch-1.safetensors"}) {
    const TemporaryFolder folder;
    TrainingOptions options;
    options.folder = folder.path();
    int steps = 0;
    options.stop = [&] { return ++steps == 60; };
    ASSERT_FALSE(trained(recipe, 1, options).finished);
    const auto path = folder.path() / name;
    nn::TensorFile file = nn::read_safetensors(path).value();
    auto values = nn::values_of<float>(file.tensors[0]).value();
    values[7] = std::numeric_limits<float>::quiet_NaN();
    file.tensors[0] = nn::make_tensor<float>(file.tensors[0].name, file.tensors[0].shape, values);
    ASSERT_TRUE(nn::write_safetensors(path, file));
    steps = 0;
    const auto result = train(recipe, data, Seed{3}, pool, {{"data", data.checksum()}}, options);
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().text(), path.string() +
                                         ": tensor 'layers.0.weight': has nan at "
                                         "[0, 7]; expected finite numbers");
    EXPECT_EQ(steps, 0) << "no step was taken";
  }
}

TEST(Training, ACheckpointOfOtherDataIsRefused) {
  const TemporaryFolder folder;
  TrainingOptions options;
  options.folder = folder.path();
  options.stop = [] { return true; };
  EXPECT_FALSE(trained(recipe_with({}), 1, options).finished);
  const Recipe other = recipe_with({"data.generate.seed=2"});
  ThreadPool pool(1);
  const DataSet data = open_data(other, pool).value();
  const auto result = train(other, data, Seed{3}, pool, {{"data", data.checksum()}}, options);
  ASSERT_FALSE(result.ok());
  EXPECT_NE(result.error().message.find("have changed since the run began"), std::string::npos);
}

TEST(Training, FromAFileAsFromMemory) {
  const TemporaryFolder folder;
  Recipe recipe = recipe_with({});
  const TrainingResult memory = trained(recipe);
  ThreadPool pool(1);
  ASSERT_TRUE(
      generate_file(*recipe.task, recipe.data->generate, pool, folder.path() / "data", "test")
          .ok());
  recipe.data->file = folder.path() / "data";
  EXPECT_EQ(trained(recipe).model, memory.model);
}

DataSet numbered_rows(int rows) {
  MemoryRows sink({{"input", nn::DType::i32, 2}, {"group", nn::DType::i64, 1}});
  for (std::int32_t i = 0; i < rows; ++i) {
    const std::array<std::int32_t, 2> input = {i, -i};
    const std::int64_t group = i;
    const std::array<std::span<const std::byte>, 2> row = {std::as_bytes(std::span(input)),
                                                           std::as_bytes(std::span(&group, 1))};
    EXPECT_TRUE(sink.append(Split::training, row).ok());
  }
  return sink.finish(Json::object());
}

// The numbers of the rows in the order in which an epoch meets them.
std::vector<int> epoch_order(Windows& windows, int epoch) {
  std::vector<int> order;
  for (std::size_t window = 0; window < windows.count(); ++window) {
    EXPECT_TRUE(windows.load(epoch, window).ok());
    for (const std::uint32_t row : windows.order()) {
      std::int32_t number = 0;
      std::memcpy(&number, windows.bytes()[0] + row * 8, 4);
      order.push_back(number);
    }
  }
  return order;
}

TEST(Windows, EveryRowOnceInEveryEpochInAnotherOrder) {
  const DataSet data = numbered_rows(10'500);
  for (const std::uint64_t memory : {std::uint64_t{1} << 30, std::uint64_t{40'000}}) {
    Windows windows(data, data.rows(Split::training), {0}, memory, Seed{1});
    EXPECT_EQ(windows.count() == 1, memory > 1'000'000);
    const auto first = epoch_order(windows, 0), second = epoch_order(windows, 1);
    EXPECT_NE(first, second);
    EXPECT_EQ(first, epoch_order(windows, 0)) << "the order follows from the epoch alone";
    std::vector<int> sorted = first, expected(10'500);
    std::sort(sorted.begin(), sorted.end());
    std::iota(expected.begin(), expected.end(), 0);
    EXPECT_EQ(sorted, expected);
    EXPECT_FALSE(std::is_sorted(first.begin(), first.begin() + 100));
  }
}

TEST(Windows, StreamingEqualsMemoryWhenAWindowHoldsEverything) {
  const DataSet data = numbered_rows(3000);
  Windows small(data, data.rows(Split::training), {0}, 3 * 1024 * 12, Seed{1});
  Windows large(data, data.rows(Split::training), {0}, std::uint64_t{1} << 30, Seed{1});
  EXPECT_EQ(small.count(), 1u);
  EXPECT_EQ(epoch_order(small, 5), epoch_order(large, 5));
  Windows streamed(data, data.rows(Split::training), {0}, 1024 * 12, Seed{1});
  EXPECT_EQ(streamed.count(), 3u);
  EXPECT_EQ(streamed.batches(100), 11 + 11 + 10);
}

TEST(Training, ASetLargerThanTheMemoryIsLearntFromAndResumed) {
  const Settings settings = {"data.generate.count=8000", "memory=1", "epochs=3"};
  const Recipe recipe = recipe_with(settings);
  const TrainingResult whole = trained(recipe);
  const TemporaryFolder folder;
  TrainingOptions options;
  options.folder = folder.path();
  TrainingResult result;
  do {
    int batches = 0;
    options.stop = [&] { return ++batches == 90; };
    result = trained(recipe, 1, options);
  } while (!result.finished);
  EXPECT_EQ(result.model, whole.model);
}

TEST(Gather, MapsScalesAndSharesOut) {
  const Column column{"moves", nn::DType::u8, 4};
  const std::array<std::uint8_t, 8> numbers = {1, 0, 1, 0, 0, 0, 0, 1};
  const auto* bytes = reinterpret_cast<const std::byte*>(numbers.data());
  const std::array<std::uint32_t, 2> rows = {1, 0};
  const ColumnMap map{"moves", {3, 2, 1, 0}, {1, 1, 1, -2}};
  const std::array<const ColumnMap*, 2> maps = {&map, nullptr};
  std::array<double, 8> out = {};
  gather<double>(column, bytes, rows, maps, {}, out.data());
  EXPECT_EQ(out, (std::array<double, 8>{1, 0, 0, 0, 1, 0, 1, 0}));
  gather<double>(column, bytes, rows, {}, {1, true}, out.data());
  EXPECT_EQ(out, (std::array<double, 8>{0, 0, 0, 1, 0.5, 0, 0.5, 0}));
  gather<double>(column, bytes, rows, {}, {0.25f, false}, out.data());
  EXPECT_EQ(out, (std::array<double, 8>{0, 0, 0, 0.25, 0.25, 0, 0.25, 0}));
}

TEST(Training, TheQuickRecipeReachesEightyPercent) {
  const Recipe recipe = find_recipe("fanorona-quick").value();
  ThreadPool pool(1);
  const DataSet data = open_data(recipe, pool).value();
  const auto result = train(recipe, data, Seed{*recipe.seed}, pool, {}, {});
  ASSERT_TRUE(result.ok()) << result.error().text();
  const Metric* kept = find_metric(result->sets.back().metrics, "value_kept");
  EXPECT_EQ(result->sets.back().set, "test");
  EXPECT_GT(kept->value, 0.80);
  EXPECT_GT(kept->n, 500);
}

// The rows of another data set say how well it goes, and nothing of it is learnt from.
TEST(Training, IsJudgedByOtherRowsWhereThereAreSome) {
  const auto figures = [](const DataSet* judge, std::string_view what) {
    std::vector<double> found;
    TrainingOptions options;
    options.judge = judge;
    options.on_epoch = [&](const EpochMetrics& metrics) -> Status {
      found.push_back(what == "loss" ? metrics.training_loss : *metrics.validation_loss);
      return Done{};
    };
    trained(recipe_with({"evaluation.keep=last"}), 1, options);
    return found;
  };
  const Recipe recipe = recipe_with({});
  ThreadPool pool(1);
  const DataSet own = open_data(recipe, pool).value();
  const DataSet other = open_data(recipe_with({"data.generate.seed=9"}), pool).value();
  EXPECT_EQ(figures(&other, "loss"), figures(nullptr, "loss"));
  EXPECT_EQ(figures(&own, "validation"), figures(nullptr, "validation"));
  EXPECT_NE(figures(&other, "validation"), figures(nullptr, "validation"));
  EXPECT_TRUE(check_judge(recipe, "flat", other).ok());
  EXPECT_EQ(check_judge(recipe, "planes", other).error().text(),
            "generated rows: has positions of the encoder 'flat'; expected 'planes', as the rows "
            "that are learnt from");
}

// It goes on with the weights, and leaves the figures of their batch norms as they are.
TEST(Training, BeginsWithAModel) {
  const TemporaryFolder folder;
  const std::filesystem::path model = folder.path() / "model.safetensors";
  const Recipe recipe = recipe_with({});
  ThreadPool pool(1);
  const DataSet data = open_data(recipe, pool).value();
  std::vector<double> losses;
  TrainingOptions options;
  options.on_epoch = [&](const EpochMetrics& metrics) -> Status {
    losses.push_back(*metrics.validation_loss);
    return Done{};
  };
  const auto first =
      train(recipe, data, Seed{3}, pool, provenance_of(recipe, &data, Seed{3}, "train"), options);
  ASSERT_TRUE(first.ok()) << first.error().text();
  ASSERT_TRUE(nn::write_safetensors(model, first->model).ok());
  const double fresh = losses.front();
  losses.clear();
  const std::string start = "start=" + model.string();
  const auto then = train(recipe_with({start, "epochs=1", "optimiser.rate=0.001"}), data, Seed{3},
                          pool, {}, options);
  ASSERT_TRUE(then.ok()) << then.error().text();
  EXPECT_LT(losses.front(), fresh);
  for (const char* kept : {"layers.1.running_mean", "layers.1.running_var"}) {
    EXPECT_EQ(*then->model.find(kept), *first->model.find(kept)) << kept;
  }
  EXPECT_NE(*then->model.find("layers.0.weight"), *first->model.find("layers.0.weight"));
  const auto other =
      train(recipe_with({start, "network.layers.0.units=8"}), data, Seed{3}, pool, {}, {});
  ASSERT_FALSE(other.ok());
  EXPECT_NE(other.error().message.find("start: is another network than the recipe's"),
            std::string::npos);
}

TEST(Training, PatienceEndsARunThatLearnsNothing) {
  const TrainingResult result =
      trained(recipe_with({"optimiser.rate=0", "optimiser.kind=sgd", "epochs=50", "patience=3",
                           "network.layers=[{\"type\":\"dense\",\"units\":8}]"}));
  EXPECT_TRUE(result.finished);
  EXPECT_EQ(result.epochs, 4);
  EXPECT_EQ(result.kept_epoch, 1);
}

TEST(Training, DataThatDoNotFitAreRefused) {
  const auto message = [](const Settings& settings) {
    const Recipe recipe = recipe_with(settings);
    ThreadPool pool(1);
    const DataSet data = open_data(recipe, pool).value();
    const auto result = train(recipe, data, Seed{1}, pool, {}, {});
    return result ? std::string("good") : result.error().text();
  };
  EXPECT_EQ(message({"data.generate.encoder=planes"}),
            "test: the network's input is 46; expected 6x3x3, what the encoder 'planes' gives");
  EXPECT_EQ(message({"heads.moves.target=policy"}),
            "generated rows: head moves: the column 'policy' has 18 numbers a row; expected 81, "
            "the head's outputs");
  EXPECT_TRUE(message({"heads.moves.mask=leagl"})
                  .starts_with("generated rows: head moves: unknown column 'leagl'; did you mean "
                               "'legal'?"));
  EXPECT_EQ(message({"network.heads={\"value\":[{\"type\":\"dense\",\"units\":1}]}",
                     "heads={\"value\":{}}"}),
            "test: the network has neither a head 'policy' of 18 nor a head 'moves' of 81 outputs");
}

}  // namespace
}  // namespace damier::learn
