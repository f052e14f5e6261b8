// Minesweeper's patches as a task: what its rows hold, their order and their splits, and its
// evaluate.

#include "damier/learn/minesweeper/patch_task.h"

#include <algorithm>
#include <map>
#include <set>

#include "tests/model/fake_predictor.h"
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace damier::learn {
namespace {

using namespace model;

using Numbers = std::vector<int>;

GenerateOptions options_with(std::uint64_t count, Json more = Json::object()) {
  GenerateOptions options = minesweeper_patch_task().defaults();
  options.count = count;
  options.more = std::move(more);
  return options;
}

DataSet generated_patches(const GenerateOptions& options, int threads = 2) {
  ThreadPool pool(threads);
  auto data = generate_in_memory(minesweeper_patch_task(), options, pool);
  EXPECT_TRUE(data.ok()) << data.error().text();
  return *std::move(data);
}

Numbers column(const DataSet& data, std::string_view name, RowRange range) {
  return data.values<std::int32_t>(data.column_index(name), range).value();
}
RowRange all_of(const DataSet& data) { return {0, data.row_count()}; }

// The codes of all rows, as the network reads them.
std::vector<std::vector<float>> patches_of(const DataSet& data, const std::string& encoder) {
  const auto stored = data.values<float>(data.column_index("input"), all_of(data)).value();
  const auto reads = minesweeper_patch_task().encoder(encoder).value();
  const std::size_t width = reads->width();
  std::vector<std::vector<float>> rows;
  for (std::size_t at = 0; at < stored.size(); at += width) {
    rows.emplace_back(width);
    reads->expand(std::span(stored).subspan(at, width), rows.back());
  }
  return rows;
}

TEST(MinesweeperPatchTask, RowsSayWhatTheyAre) {
  for (const std::string encoder : {"patch-3", "patch-5", "patch-7", "patch-9"}) {
    for (const char* source : {"report", "play"}) {
      for (const bool flags : {false, true}) {
        GenerateOptions options = options_with(3000, {{"source", source}, {"flags", flags}});
        options.more["encoder"] = encoder;
        const DataSet data = generated_patches(options);
        ASSERT_EQ(data.row_count(), 3000u);
        const auto rows = patches_of(data, encoder);
        const Numbers uncovered = column(data, "uncovered", all_of(data));
        const Numbers bomb = column(data, "bomb", all_of(data));
        EXPECT_EQ(std::count(bomb.begin(), bomb.end(), 1), 1500);
        bool flagged = false;
        for (std::size_t i = 0; i < rows.size(); ++i) {
          const auto& row = rows[i];
          EXPECT_EQ(row[row.size() / 2], -3);
          EXPECT_EQ(std::count_if(row.begin(), row.end(), [](float code) { return code >= 0; }),
                    uncovered[i]);
          EXPECT_EQ(std::count(row.begin(), row.end(), -1.0f), 0);
          for (const float code : row) EXPECT_TRUE(code >= -4 && code <= 8);
          flagged = flagged || std::find(row.begin(), row.end(), -4.0f) != row.end();
        }
        EXPECT_EQ(flagged, flags);
      }
    }
  }
}

TEST(MinesweeperPatchTask, MasksOfAPatchAgreeWhereTheyShowIt) {
  const DataSet data = generated_patches(options_with(2000, {{"masks", 20}}));
  const auto rows = patches_of(data, "patch-5");
  const Numbers group = column(data, "group", all_of(data));
  std::map<int, std::vector<float>> shown;
  std::map<int, int> masks;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    ++masks[group[i]];
    auto& patch = shown.try_emplace(group[i], rows[i]).first->second;
    for (std::size_t cell = 0; cell < 25; ++cell) {
      if (patch[cell] == -3) patch[cell] = rows[i][cell];
      EXPECT_TRUE(rows[i][cell] == -3 || rows[i][cell] == patch[cell]);
    }
  }
  EXPECT_EQ(masks.size(), 100u);
  for (const auto& [patch, count] : masks) EXPECT_EQ(count, 20);
}

// Rows follow from the options alone, not from the threads; and no patch is in two splits.
RC_GTEST_PROP(MinesweeperPatchTaskLaws, RowsDoNotDependOnThreads, ()) {
  const std::string source = *rc::gen::element<std::string>("report", "play");
  GenerateOptions options =
      options_with(*rc::gen::inRange<std::uint64_t>(1, 4000),
                   {{"source", source},
                    {"masks", *rc::gen::inRange(1, 30)},
                    {"bomb_share", *rc::gen::inRange(0, 11) / 10.0},
                    {"flags", *rc::gen::arbitrary<bool>()},
                    {"duplicates", source == "play" || *rc::gen::arbitrary<bool>()},
                    {"order", *rc::gen::element<std::string>("mixed", "safe-first", "bombs-first",
                                                             "alternate:1", "alternate:15")}});
  options.seed = Seed{*rc::gen::arbitrary<std::uint64_t>()};
  options.validation = *rc::gen::inRange(0, 45) / 100.0;
  options.test = *rc::gen::inRange(0, 45) / 100.0;
  const DataSet one = generated_patches(options, 1), three = generated_patches(options, 3);
  RC_ASSERT(one.row_count() == options.count);
  RC_ASSERT(one.checksum() == three.checksum());
  RC_ASSERT(check_data_set(one).ok());
}

TEST(MinesweeperPatchTask, LargeSetsDoNotDependOnThreadsEither) {
  for (const char* order : {"mixed", "alternate:5"}) {
    const GenerateOptions options = options_with(200'000, {{"order", order}});
    const DataSet one = generated_patches(options, 1), three = generated_patches(options, 3);
    EXPECT_EQ(one.checksum(), three.checksum());
    const Numbers group = column(one, "group", all_of(one));
    std::map<int, int> masks;
    for (const int patch : group) ++masks[patch];
    EXPECT_EQ(masks.size(), 20'000u);
    for (const auto& [patch, count] : masks) EXPECT_EQ(count, 10);
  }
}

TEST(MinesweeperPatchTask, OrdersAreThoseOfTheReport) {
  const auto bombs = [](const std::string& order, double share) {
    GenerateOptions options = options_with(4000, {{"order", order}, {"bomb_share", share}});
    const DataSet data = generated_patches(options);
    return column(data, "bomb", data.rows(Split::training));
  };
  const Numbers safe_first = bombs("safe-first", 0.5), bombs_first = bombs("bombs-first", 0.5);
  EXPECT_TRUE(std::is_sorted(safe_first.begin(), safe_first.end()));
  EXPECT_TRUE(std::is_sorted(bombs_first.rbegin(), bombs_first.rend()));
  for (const int run : {1, 5, 10, 15}) {
    const Numbers rows = bombs("alternate:" + std::to_string(run), 0.5);
    const auto ones = std::count(rows.begin(), rows.end(), 1);
    const auto both = 2 * std::min(ones, static_cast<std::ptrdiff_t>(rows.size()) - ones);
    for (int i = 0; i < both / (2 * run) * (2 * run); ++i) {
      ASSERT_EQ(rows[static_cast<std::size_t>(i)], i / run % 2) << run << " " << i;
    }
  }
  const Numbers mixed = bombs("mixed", 0.3);
  int changes = 0;
  for (std::size_t i = 1; i < mixed.size(); ++i) changes += mixed[i] != mixed[i - 1];
  const double expected = 2 * 0.3 * 0.7 * static_cast<double>(mixed.size());
  EXPECT_NEAR(changes, expected, 0.15 * expected);
  EXPECT_NEAR(static_cast<double>(std::count(mixed.begin(), mixed.end(), 1)),
              0.3 * static_cast<double>(mixed.size()), 0.05 * static_cast<double>(mixed.size()));
}

TEST(MinesweeperPatchTask, WithoutDuplicatesAllPatchesDiffer) {
  GenerateOptions options = options_with(60'000, {{"duplicates", false}, {"masks", 60}});
  options.more["encoder"] = "patch-3";
  const auto different = [](const DataSet& data) {
    const auto rows = patches_of(data, "patch-3");
    const Numbers group = column(data, "group", all_of(data));
    const Numbers bomb = column(data, "bomb", all_of(data));
    std::map<int, std::vector<float>> shown;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      auto& patch = shown.try_emplace(group[i], rows[i]).first->second;
      for (std::size_t cell = 0; cell < 9; ++cell) {
        if (patch[cell] == -3) patch[cell] = rows[i][cell];
      }
      patch[4] = bomb[i] != 0 ? -1.0f : patch[4];
    }
    // Cells that no mask shows are bombs, all but surely; the safe centre is never shown.
    std::set<std::vector<float>> patches;
    for (const auto& [number, patch] : shown) patches.insert(patch);
    return static_cast<double>(patches.size()) / static_cast<double>(shown.size());
  };
  EXPECT_GT(different(generated_patches(options)), 0.99);
  options.more["duplicates"] = true;
  EXPECT_LT(different(generated_patches(options)), 0.8);
}

// What a search finds first is what comes most often: patches with few bombs.
TEST(MinesweeperPatchTask, APoolGivesRarePatchesTheirShare) {
  const auto bombs = [](std::uint64_t pool) {
    GenerateOptions options = options_with(4000, {{"duplicates", false}, {"masks", 1}});
    options.more["pool"] = pool;
    const DataSet data = generated_patches(options);
    EXPECT_EQ(column(data, "bomb", all_of(data)).size(), 4000u);
    double numbers = 0;
    for (const auto& row : patches_of(data, "patch-5")) {
      numbers += static_cast<double>(
          std::count_if(row.begin(), row.end(), [](float code) { return code >= 2; }));
    }
    return numbers;
  };
  EXPECT_GT(bombs(40'000), 1.1 * bombs(0));
  EXPECT_EQ(bombs(40'000), bombs(40'000));
}

TEST(MinesweeperPatchTask, TooFewDifferentPatchesAreAnError) {
  GenerateOptions options = options_with(
      100'000, {{"duplicates", false}, {"masks", 1}, {"board", "4x4x1"}, {"bomb_share", 1.0}});
  options.more["encoder"] = "patch-3";
  ThreadPool pool(2);
  const auto data = generate_in_memory(minesweeper_patch_task(), options, pool);
  ASSERT_FALSE(data.ok());
  // One bomb in the centre, and nine ways to lay walls.
  EXPECT_EQ(data.error().message,
            "duplicates: found 9 different patches of 100000; expected fewer rows, more masks for "
            "each, or duplicates");
}

TEST(MinesweeperPatchTask, TheEightSymmetriesOfTheSquare) {
  const auto maps = minesweeper_patch_task().encoder("patch-5").value()->symmetries();
  ASSERT_EQ(maps.size(), 8u);
  std::set<std::vector<std::uint32_t>> different;
  for (const SymmetryMaps& symmetry : maps) {
    ASSERT_EQ(symmetry.size(), 1u);
    EXPECT_EQ(symmetry[0].column, "input");
    const auto& source = symmetry[0].source;
    different.insert(source);
    EXPECT_EQ(source[12], 12u);
    // Neighbours stay neighbours.
    const auto distance = [](std::uint32_t a, std::uint32_t b) {
      const auto gap = [](std::uint32_t x, std::uint32_t y) { return x < y ? y - x : x - y; };
      return std::max(gap(a / 5, b / 5), gap(a % 5, b % 5));
    };
    for (std::uint32_t a = 0; a < 25; ++a) {
      for (std::uint32_t b = 0; b < 25; ++b) {
        EXPECT_EQ(distance(source[a], source[b]), distance(a, b));
      }
    }
  }
  EXPECT_EQ(different.size(), 8u);
  EXPECT_EQ(maps[0][0].source[1], 1u) << "the identity comes first";
}

nn::NetworkSpec spec_of(const std::string& head, const char* last) {
  return nn::parse_network(
             {{"input", {25}},
              {"heads", {{head, {{{"type", "dense"}, {"units", 1}}, {{"type", last}}}}}}},
             "test")
      .value();
}

TEST(MinesweeperPatchEvaluation, MeasuresTheReportsErrors) {
  const nn::NetworkSpec spec = spec_of("bomb", "sigmoid");
  const auto evaluated = [&](float says, std::string_view set) {
    FakePredictor model(spec, [&](std::span<const float>, std::size_t count, auto& outputs) {
      outputs.assign(1, std::vector<float>(count, says));
    });
    return minesweeper_patch_task().evaluate(model, "patch-5", set).value();
  };
  for (const char* set : {"fresh", "fresh-flags"}) {
    const auto metrics = evaluated(0.25f, set);
    EXPECT_DOUBLE_EQ(find_metric(metrics, "mean_absolute_error")->value, 0.5);
    EXPECT_DOUBLE_EQ(find_metric(metrics, "mean_squared_error")->value, (0.0625 + 0.5625) / 2);
    EXPECT_DOUBLE_EQ(find_metric(metrics, "accuracy")->value, 0.5);
    EXPECT_EQ(find_metric(metrics, "accuracy")->n, 100'000);
    // 10,000 patches are right or wrong as wholes: 1.96 * 0.5 / 100.
    EXPECT_NEAR(find_metric(metrics, "accuracy")->interval.high, 0.5 + 0.0098, 1e-4);
  }
}

TEST(MinesweeperPatchEvaluation, ReadsWhatTheNetworkWouldRead) {
  const DataSet data = generated_patches(options_with(5000));
  const nn::NetworkSpec spec = spec_of("bomb", "sigmoid");
  const auto expected = patches_of(data, "patch-5");
  const RowRange training = data.rows(Split::training);
  std::size_t row = 0;
  FakePredictor model(spec, [&](std::span<const float> inputs, std::size_t count, auto& outputs) {
    outputs.assign(1, std::vector<float>(count, 0.75f));
    for (std::size_t i = 0; i < count; ++i, ++row) {
      EXPECT_TRUE(std::equal(expected[row].begin(), expected[row].end(),
                             inputs.begin() + static_cast<std::ptrdiff_t>(25 * i)));
    }
  });
  const auto patches = evaluate_patches(model, "patch-5", data, Split::training).value();
  EXPECT_EQ(patches.size(), training.count);
  EXPECT_EQ(row, training.count);
  const Numbers uncovered = column(data, "uncovered", training);
  for (std::size_t i = 0; i < patches.size(); ++i) {
    EXPECT_EQ(patches[i].uncovered, uncovered[i]);
    EXPECT_EQ(patches[i].error(), patches[i].bomb ? 0.25 : 0.75);
  }
}

TEST(MinesweeperPatchEvaluation, KnowsItsHead) {
  const Task& task = minesweeper_patch_task();
  EXPECT_TRUE(task.encoder("patch-5").value()->check_network(spec_of("bomb", "sigmoid")).ok());
  EXPECT_FALSE(PatchHead::find(spec_of("output", "sigmoid")).value().is_logit);
  const PatchHead logit = PatchHead::find(spec_of("bomb", "relu")).value();
  EXPECT_TRUE(logit.is_logit);
  EXPECT_EQ(logit.probability(0), 0.5f);
  EXPECT_EQ(
      task.encoder("patch-3").value()->check_network(spec_of("bomb", "sigmoid")).error().message,
      "the network's input is 25; expected 9, what the encoder 'patch-3' gives");
  const auto wide =
      nn::parse_network({{"input", {25}}, {"layers", {{{"type", "dense"}, {"units", 2}}}}}, "test");
  EXPECT_EQ(task.encoder("patch-5").value()->check_network(*wide).error().message,
            "the network has no head 'bomb' of 1 output");
}

TEST(MinesweeperPatchTask, WrongOptionsAreNamed) {
  const auto message = [](Json more, auto change) {
    GenerateOptions options = options_with(100, std::move(more));
    change(options);
    const auto status = minesweeper_patch_task().check(options);
    return status ? std::string("good") : status.error().message;
  };
  const auto same = [](auto&) {};
  EXPECT_EQ(message(Json::object(), same), "good");
  EXPECT_EQ(message(Json::object(), [](auto& o) { o.more["encoder"] = "patch-4"; }),
            "unknown encoder 'patch-4'; did you mean 'patch-3'? (known: patch-3, patch-5, patch-7, "
            "patch-9)");
  EXPECT_EQ(message(Json::object(), [](auto& o) { o.more["teacher"] = "minimax:2"; }),
            "unknown teacher 'minimax:2' (known: exact)");
  EXPECT_EQ(message(Json::object(), [](auto& o) { o.count = 0; }),
            "the count is 0; expected from 1 to 1000000000 masked patches");
  EXPECT_EQ(message(Json::object(), [](auto& o) { o.test = 0.9; }),
            "the shares of validation and test are 0.1 and 0.9; expected 0.9 in all at most");
  EXPECT_EQ(
      message({{"bord", "10x10x10"}}, same),
      "unknown option 'bord'; did you mean 'board'? (known: board, pool, order, source, masks, "
      "flags, encoder, teacher, bomb_share, duplicates)");
  EXPECT_EQ(message({{"board", "10x9x10"}}, [](auto& o) { o.more["encoder"] = "patch-9"; }),
            "board: has 10 x 9 cells; expected 10 rows and columns at least for patch-9, or source "
            "'play'");
  EXPECT_EQ(message({{"board", "3x3x2"}, {"source", "play"}}, same), "good");
  EXPECT_EQ(message({{"board", "10x10x0"}}, same),
            "board: expected a bomb and two safe cells at least");
  EXPECT_EQ(message({{"bomb_share", 1.5}}, same), "bomb_share is 1.5; expected from 0 to 1, or -1");
  EXPECT_EQ(message({{"bomb_share", -1}}, same),
            "bomb_share: -1, as the boards have it, needs source 'play'");
  EXPECT_EQ(message({{"bomb_share", -1}, {"source", "play"}, {"order", "safe-first"}}, same),
            "bomb_share: -1, as the boards have it, needs order 'mixed'");
  EXPECT_EQ(message({{"masks", 0}}, same), "masks is 0; expected a whole number from 1 to 10000");
  EXPECT_EQ(message({{"source", "games"}}, same), "unknown source 'games' (known: play, report)");
  EXPECT_EQ(message({{"duplicates", false}, {"source", "play"}}, same),
            "duplicates: source 'play' has nothing to compare; expected true");
  EXPECT_EQ(message({{"pool", 5}}, same),
            "pool: only patches without duplicates are drawn from one; expected duplicates false");
  EXPECT_EQ(message({{"pool", -1}}, same),
            "pool is -1; expected a whole number from 0 to 100000000");
  EXPECT_EQ(message({{"order", "alternate:0"}}, same),
            "order 'alternate:0': the run is '0'; expected a whole number from 1 to 1000000000");
  EXPECT_EQ(message({{"order", "random"}}, same),
            "unknown order 'random' (known: mixed, safe-first, bombs-first, alternate:ROWS)");
}

}  // namespace
}  // namespace damier::learn
