// Whole boards of minesweeper as a task: labels against a count of all arrangements, symmetries,
// splits, threads, options.

#include "damier/learn/minesweeper/board_task.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

#include "tests/model/fake_predictor.h"
#include <gtest/gtest.h>

#include "damier/exact/minesweeper/end_game.h"
#include "damier/model/minesweeper/board_encoder.h"

namespace damier::learn {
namespace {

using namespace model;

using games::minesweeper::Code;
using games::minesweeper::Observation;

GenerateOptions small_options(std::uint64_t count) {
  GenerateOptions options = minesweeper_board_task().defaults();
  options.count = count;
  options.more["encoder"] = "board-10";
  options.more.update({{"board", "4x5x4"}, {"certain", 0.5}});
  return options;
}

DataSet generated_boards(const GenerateOptions& options, int threads = 1) {
  ThreadPool pool(threads);
  auto data = generate_in_memory(minesweeper_board_task(), options, pool);
  EXPECT_TRUE(data.ok()) << data.error().text();
  return *std::move(data);
}

// All columns of all rows, as they are stored.
std::vector<std::vector<std::byte>> all_bytes(const DataSet& data) {
  std::vector<std::vector<std::byte>> all;
  for (std::size_t k = 0; k < data.columns().size(); ++k) {
    all.emplace_back(static_cast<std::size_t>(data.row_count() * data.columns()[k].row_bytes()));
    EXPECT_TRUE(data.read(static_cast<int>(k), {0, data.row_count()}, all.back()).ok());
  }
  return all;
}

template <class T>
std::vector<T> column(const DataSet& data, std::string_view name) {
  return data.values<T>(data.column_index(name), {0, data.row_count()}).value();
}

// A row with its board cut out of the frame again.
struct Row {
  Observation board;
  std::vector<std::size_t> places;  // in the frame, by cell
};
Row row_of(std::span<const int> input, int frame) {
  Row row;
  int top = frame, bottom = -1, left = frame, right = -1;
  for (int i = 0; i < frame * frame; ++i) {
    if (input[static_cast<std::size_t>(i)] == kWallCode) continue;
    top = std::min(top, i / frame);
    bottom = std::max(bottom, i / frame);
    left = std::min(left, i % frame);
    right = std::max(right, i % frame);
  }
  row.board.rows = bottom - top + 1;
  row.board.cols = right - left + 1;
  row.board.bombs = input[static_cast<std::size_t>(frame * frame)];
  for (int r = top; r <= bottom; ++r) {
    for (int c = left; c <= right; ++c) {
      row.places.push_back(static_cast<std::size_t>(r * frame + c));
      const int code = input[row.places.back()];
      row.board.cells.push_back(code == kMaskedCode ? Code::masked : static_cast<Code>(code));
    }
  }
  return row;
}

// In how many arrangements each cell holds a bomb, and how many there are, by trying all.
std::pair<std::vector<int>, int> count_arrangements(const Observation& board) {
  std::vector<std::size_t> masked;
  for (std::size_t i = 0; i < board.cells.size(); ++i) {
    if (board.cells[i] == Code::masked) masked.push_back(i);
  }
  std::vector<int> with_bomb(board.cells.size());
  int total = 0;
  for (std::uint32_t set = 0; set < (1u << masked.size()); ++set) {
    if (std::popcount(set) != board.bombs) continue;
    std::vector<int> bombs(board.cells.size());
    for (std::size_t k = 0; k < masked.size(); ++k) bombs[masked[k]] = set >> k & 1;
    bool fits = true;
    for (int r = 0; r < board.rows && fits; ++r) {
      for (int c = 0; c < board.cols && fits; ++c) {
        if (board.at(r, c) == Code::masked) continue;
        int around = 0;
        for (int y = std::max(0, r - 1); y <= std::min(board.rows - 1, r + 1); ++y) {
          for (int x = std::max(0, c - 1); x <= std::min(board.cols - 1, c + 1); ++x) {
            around += bombs[static_cast<std::size_t>(y * board.cols + x)];
          }
        }
        fits = around == static_cast<int>(board.at(r, c));
      }
    }
    if (!fits) continue;
    ++total;
    for (std::size_t i = 0; i < bombs.size(); ++i) with_bomb[i] += bombs[i];
  }
  return {with_bomb, total};
}

TEST(MinesweeperBoards, BombsAreThoseOfAllArrangements) {
  const DataSet data = generated_boards(small_options(120));
  const auto input = column<int>(data, "input"), masked = column<int>(data, "masked");
  const auto bomb = column<float>(data, "bomb");
  constexpr std::size_t kSquares = 100;
  for (std::size_t row = 0; row < data.row_count(); ++row) {
    const Row read = row_of(std::span(input).subspan(row * (kSquares + 1), kSquares + 1), 10);
    ASSERT_EQ(read.board.rows, 4);
    ASSERT_EQ(read.board.cols, 5);
    ASSERT_EQ(read.board.bombs, 4);
    const auto [with_bomb, total] = count_arrangements(read.board);
    ASSERT_GT(total, 0);
    int cells = 0;
    for (std::size_t i = 0; i < read.places.size(); ++i) {
      const std::size_t at = row * kSquares + read.places[i];
      const bool is_masked = read.board.cells[i] == Code::masked;
      EXPECT_EQ(masked[at], is_masked ? 1 : 0);
      if (!is_masked) continue;
      ++cells;
      EXPECT_NEAR(bomb[at], static_cast<double>(with_bomb[i]) / total, 1e-6);
      EXPECT_EQ(bomb[at] == 0, with_bomb[i] == 0);
    }
    // Outside the board nothing is to be learnt.
    const auto marks = std::span(masked).subspan(row * kSquares, kSquares);
    EXPECT_EQ(std::count(marks.begin(), marks.end(), 1), cells);
  }
}

TEST(MinesweeperBoards, WinsAreExactWhereTheEndIsNear) {
  const DataSet data = generated_boards(small_options(300));
  const auto input = column<int>(data, "input"), tried = column<int>(data, "tried");
  const auto win = column<int>(data, "win");
  constexpr std::size_t kSquares = 100;
  int compared = 0;
  for (std::size_t row = 0; row < data.row_count(); ++row) {
    const Row read = row_of(std::span(input).subspan(row * (kSquares + 1), kSquares + 1), 10);
    const auto end = exact::minesweeper::end_game(read.board, {.arrangements = 100});
    if (!end) continue;
    ++compared;
    for (const auto& move : end->moves) {
      const std::size_t at = row * kSquares + read.places[static_cast<std::size_t>(move.cell)];
      EXPECT_EQ(tried[at], move.safe > 0 ? 1 : 0);
      if (move.safe > 0) {
        EXPECT_NEAR(win[at] / 250.0, move.win / move.safe, 0.0021);
      }
    }
  }
  EXPECT_GT(compared, 50);
}

// With no others asked for, safe cells are in rows only where simple deductions do not find them.
TEST(MinesweeperBoards, SafeCellsThatTakeCountingAlwaysBecomeRows) {
  GenerateOptions options = small_options(400);
  options.more.update({{"board", "8x8x14"}, {"certain", 0.0}});
  const DataSet data = generated_boards(options);
  const auto input = column<int>(data, "input"), masked = column<int>(data, "masked");
  const auto bomb = column<float>(data, "bomb");
  constexpr std::size_t kSquares = 100;
  int hard = 0;
  for (std::size_t row = 0; row < data.row_count(); ++row) {
    bool safe = false;
    for (std::size_t i = row * kSquares; i < (row + 1) * kSquares; ++i) {
      safe = safe || (masked[i] == 1 && bomb[i] == 0);
    }
    if (!safe) continue;
    ++hard;
    exact::minesweeper::Board board;
    const Row read = row_of(std::span(input).subspan(row * (kSquares + 1), kSquares + 1), 10);
    ASSERT_TRUE(board.load(read.board).ok());
    board.deduce();
    EXPECT_TRUE(board.safe().empty());
  }
  EXPECT_GT(hard, 4);
}

TEST(MinesweeperBoards, TheLargestFrameHoldsExpertBoards) {
  GenerateOptions options = small_options(3);
  options.more["encoder"] = "board-32";
  options.more.update({{"board", "16x30x99"}});
  const DataSet data = generated_boards(options);
  const auto input = column<int>(data, "input");
  constexpr std::size_t kWidth = 32 * 32 + 1;
  ASSERT_EQ(input.size(), data.row_count() * kWidth);
  for (std::size_t row = 0; row < data.row_count(); ++row) {
    const Row read = row_of(std::span(input).subspan(row * kWidth, kWidth), 32);
    EXPECT_EQ(read.board.rows, 16);
    EXPECT_EQ(read.board.cols, 30);
    EXPECT_EQ(read.board.bombs, 99);
  }
  const Task& task = minesweeper_board_task();
  options.more.update({{"board", "32x32x256"}});
  EXPECT_EQ(task.check(options).error().message, "board '32x32x256'; expected 255 bombs at most");
  options.more = {{"encoder", "board-32"}, {"greatest_density", 0.5}};
  EXPECT_EQ(task.check(options).error().message,
            "greatest_density is 0.5: 512 bombs on boards of 32x32; expected 255 at most");
}

// Games that were played on win as often as the search says, within chance.
TEST(MinesweeperBoards, WinsByPlayAreNeitherTooManyNorTooFew) {
  GenerateOptions options = small_options(700);
  options.more.update({{"board", "5x5x4"}, {"certain", 0.0}, {"tries", 8}});
  const DataSet data = generated_boards(options);
  const auto input = column<int>(data, "input"), tried = column<int>(data, "tried");
  const auto win = column<int>(data, "win");
  constexpr std::size_t kSquares = 100;
  double expected = 0, found = 0, variance = 0;
  int labels = 0;
  for (std::size_t row = 0; row < data.row_count(); ++row) {
    const Row read = row_of(std::span(input).subspan(row * (kSquares + 1), kSquares + 1), 10);
    const auto end = exact::minesweeper::end_game(read.board, {.arrangements = 600});
    if (!end || end->arrangements <= 120) continue;
    for (const auto& move : end->moves) {
      const std::size_t at = row * kSquares + read.places[static_cast<std::size_t>(move.cell)];
      if (tried[at] == 0) continue;
      const double probability = move.win / move.safe;
      EXPECT_TRUE(win[at] == 0 || win[at] == kWinParts);
      expected += probability;
      found += win[at] / 250.0;
      variance += probability * (1 - probability);
      ++labels;
    }
  }
  ASSERT_GT(labels, 200);
  // Labels of one position depend on each other, and the quick look ahead loses a little.
  EXPECT_NEAR(found, expected, 5 * std::sqrt(variance) + 0.01 * labels);
}

TEST(MinesweeperBoards, PlanesByHand) {
  // 2 x 2 cells in a frame of 3 x 3: a wall on the right and below.
  const std::vector<std::uint8_t> codes = {1, 9, 10, 9, 9, 10, 10, 10, 10};
  std::vector<float> planes(kBoardPlanes * 9);
  expand_board(std::span<const std::uint8_t>(codes), 1, std::span(planes));
  for (std::size_t plane = 0; plane < kBoardPlanes; ++plane) {
    for (std::size_t cell = 0; cell < 9; ++cell) {
      float expected = 0;
      const bool inside = codes[cell] != kWallCode;
      if (plane == 1) expected = cell == 0 ? 1.0f : 0.0f;
      if (plane == kMaskedCode) expected = codes[cell] == kMaskedCode ? 1.0f : 0.0f;
      if (inside && plane == 10) expected = 1;
      if (inside && plane == 11) expected = 1.0f / 3;
      if (inside && plane == 12) expected = 2.0f / 8;
      if (inside && plane == 13) expected = 2.0f / 64;
      EXPECT_FLOAT_EQ(planes[plane * 9 + cell], expected) << plane << " " << cell;
    }
  }
  EXPECT_EQ(board_code(Code::flag), kMaskedCode);
  EXPECT_EQ(board_code(Code::bomb), kMaskedCode);
  EXPECT_EQ(board_code(Code::wall), kWallCode);
  EXPECT_EQ(board_code(static_cast<Code>(8)), 8);
}

TEST(MinesweeperBoards, SymmetriesKeepTheLabelsRight) {
  const DataSet data = generated_boards(small_options(20));
  const auto input = column<int>(data, "input");
  const auto bomb = column<float>(data, "bomb");
  constexpr std::size_t kSquares = 100;
  const auto symmetries = minesweeper_board_task().encoder("board-10").value()->symmetries();
  ASSERT_EQ(symmetries.size(), 8u);
  std::set<std::vector<std::uint32_t>> different;
  for (std::size_t s = 0; s < symmetries.size(); ++s) {
    const auto& input_map = symmetries[s][0];
    const auto& bomb_map = symmetries[s][1];
    ASSERT_EQ(input_map.column, "input");
    ASSERT_EQ(bomb_map.column, "bomb");
    different.insert(bomb_map.source);
    for (std::size_t row = 0; row < data.row_count(); ++row) {
      std::vector<int> turned(kSquares + 1);
      for (std::size_t i = 0; i <= kSquares; ++i) {
        turned[i] = input[row * (kSquares + 1) + input_map.source[i]];
      }
      const Row read = row_of(turned, 10);
      const auto [with_bomb, total] = count_arrangements(read.board);
      ASSERT_GT(total, 0);
      for (std::size_t i = 0; i < read.places.size(); ++i) {
        if (read.board.cells[i] != Code::masked) continue;
        const float label = bomb[row * kSquares + bomb_map.source[read.places[i]]];
        EXPECT_NEAR(label, static_cast<double>(with_bomb[i]) / total, 1e-6);
      }
    }
  }
  EXPECT_EQ(different.size(), 8u);
}

TEST(MinesweeperBoards, AreTheSameOnAnyNumberOfThreads) {
  GenerateOptions options = minesweeper_board_task().defaults();
  options.count = 1500;
  const DataSet one = generated_boards(options, 1), three = generated_boards(options, 3);
  EXPECT_EQ(all_bytes(one), all_bytes(three));
  EXPECT_EQ(one.row_count(), 1500u);
}

TEST(MinesweeperBoards, GamesStayTogether) {
  GenerateOptions options = minesweeper_board_task().defaults();
  options.count = 2000;
  options.validation = options.test = 0.2;
  const DataSet data = generated_boards(options);
  EXPECT_TRUE(check_data_set(data).ok());
  for (const Split split : {Split::training, Split::validation, Split::test}) {
    EXPECT_GT(data.rows(split).count, 200u) << name_of(split);
  }
  options.split = "none";
  EXPECT_EQ(generated_boards(options).rows(Split::training).count, 2000u);
}

TEST(MinesweeperBoards, AreOfManySizesAndDensities) {
  RandomStream random(Seed{3}, "test");
  std::set<std::pair<int, int>> sizes;
  double least = 1, greatest = 0;
  BoardMix mix;
  mix.smallest = 6;
  mix.largest = 12;
  for (int i = 0; i < 4000; ++i) {
    const BoardSize size = draw_board(mix, random);
    EXPECT_TRUE(size.rows >= 6 && size.rows <= 12 && size.cols >= 6 && size.cols <= 12);
    const double density = static_cast<double>(size.bombs) / (size.rows * size.cols);
    least = std::min(least, density);
    greatest = std::max(greatest, density);
    sizes.insert({size.rows, size.cols});
  }
  EXPECT_EQ(sizes.size(), 49u);
  EXPECT_LT(least, 0.05);
  EXPECT_GT(greatest, 0.23);
  EXPECT_LT(greatest, 0.26);
}

TEST(MinesweeperBoards, WrongOptionsAreAnsweredInOneLine) {
  struct Case {
    std::string name;
    Json value;
    std::string message;
  };
  const std::vector<Case> cases = {
      {"smalest", 5, "unknown option 'smalest'; did you mean 'smallest'?"},
      {"smallest", "five", "smallest is \"five\"; expected a whole number"},
      {"smallest", 5.5, "smallest is 5.5; expected a whole number"},
      {"smallest", 17, "smallest is 17; expected a whole number from 2 to 16"},
      {"largest", 4, "smallest is 5; expected no more than largest, 4"},
      {"least_density", true, "least_density is true; expected a number"},
      {"least_density", 1.5, "least_density is 1.5; expected a number from 0 to 1"},
      {"least_density", 0.5, "least_density is 0.5; expected no more than greatest_density, 0.24"},
      {"tries", -1, "tries is -1; expected a whole number from 0 to 1000"},
      {"board", 7, "board is 7; expected a text"},
      {"board", "10x10", "board '10x10'; expected ROWSxCOLUMNSxBOMBS, as 10x10x10"},
      {"board", "5x5x25", "board '5x5x25'; expected ROWSxCOLUMNSxBOMBS"},
      {"board", "16x30x99", "board '16x30x99'; expected 16x16 cells at most"},
  };
  const Task& task = minesweeper_board_task();
  for (const Case& wrong : cases) {
    GenerateOptions options = task.defaults();
    options.more[wrong.name] = wrong.value;
    const auto status = task.check(options);
    ASSERT_FALSE(status.ok()) << wrong.message;
    EXPECT_EQ(status.error().message.find(wrong.message), 0u) << status.error().message;
  }
  GenerateOptions options = task.defaults();
  EXPECT_TRUE(task.check(options).ok());
  options.count = 0;
  EXPECT_FALSE(task.check(options).ok());
  options = task.defaults();
  options.more["states"] = "net:/no/such/model";
  EXPECT_FALSE(task.check(options).ok());
  options.more["states"] = "all";
  EXPECT_FALSE(task.check(options).ok());
  options = task.defaults();
  options.more["encoder"] = "flat";
  EXPECT_FALSE(task.check(options).ok());
  // Games that are over with their first cell.
  options = task.defaults();
  options.more["board"] = "3x3x8";
  ThreadPool pool(1);
  const auto nothing = generate_in_memory(task, options, pool);
  ASSERT_FALSE(nothing.ok());
  EXPECT_NE(nothing.error().message.find("gave no position"), std::string::npos);
}

TEST(MinesweeperBoards, EvaluationKnowsThePerfectNetwork) {
  const DataSet data = generated_boards(small_options(200));
  const auto bomb = column<float>(data, "bomb");
  const Task& task = minesweeper_board_task();
  const auto spec = nn::parse_network_text(
      R"({"input": [14, 10, 10], "heads": {"bomb": [
        {"type": "conv2d", "channels": 1, "kernel": 1}, {"type": "flatten"}]}})",
      "test");
  ASSERT_TRUE(spec.ok()) << spec.error().text();
  EXPECT_TRUE(task.encoder("board-10").value()->check_network(*spec).ok());
  EXPECT_FALSE(task.encoder("board-12").value()->check_network(*spec).ok());
  // It says what the data say; or the contrary.
  for (const float sign : {1.0f, -1.0f}) {
    std::size_t row = 0;
    FakePredictor model(*spec,
                        [&](std::span<const float> inputs, std::size_t count, auto& outputs) {
                          EXPECT_EQ(inputs.size(), count * kBoardPlanes * 100);
                          outputs.assign(1, {});
                          for (std::size_t i = 0; i < count * 100; ++i) {
                            const float p = std::clamp(bomb[row * 100 + i], 1e-6f, 1 - 1e-6f);
                            outputs[0].push_back(sign * std::log(p / (1 - p)));
                          }
                          row += count;
                        });
    double choices = 0;
    for (const Split split : {Split::training, Split::validation, Split::test}) {
      const auto metrics = task.evaluate(model, "board-10", data, split);
      ASSERT_TRUE(metrics.ok()) << metrics.error().text();
      const Metric* safe = find_metric(*metrics, task.main_metric());
      ASSERT_NE(safe, nullptr);
      choices += safe->value * static_cast<double>(safe->n);
      if (sign > 0) {
        EXPECT_NEAR(find_metric(*metrics, "bomb_error")->value, 0, 1e-5);
        EXPECT_NEAR(find_metric(*metrics, "guess_excess")->value, 0, 1e-5);
        EXPECT_EQ(safe->value, safe->n > 0 ? 1 : 0);
      }
    }
    if (sign < 0) {
      EXPECT_EQ(choices, 0);
    }
  }
}

}  // namespace
}  // namespace damier::learn
