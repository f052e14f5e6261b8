#include "damier/exact/minesweeper/end_game.h"

#include <map>
#include <set>
#include <sstream>

#include "tests/exact/minesweeper/boards.h"
#include <gtest/gtest.h>

#include "damier/base/numbers/random.h"
#include "damier/games/minesweeper/minesweeper.h"

namespace damier::exact::minesweeper {
namespace {

using games::minesweeper::Minesweeper;

// The best probability to win, from the rules alone: every bomb set, every order of openings, one
// cell at a time. A view is the cells opened and what they show; nothing is left out or cut off.
class PlainSearch {
 public:
  explicit PlainSearch(const Observation& view) : view_(view) {
    const int cells = view.rows * view.cols;
    for (std::uint32_t set = 0; set < std::uint32_t{1} << cells; ++set) {
      bool fits = bit_count(set) == view.bombs;
      for (int i = 0; fits && i < cells; ++i) {
        const int code = static_cast<int>(view.cells[static_cast<std::size_t>(i)]);
        if (code >= 0) fits = (set >> i & 1) == 0 && number(set, i) == code;
        if (code == static_cast<int>(Code::bomb)) fits = (set >> i & 1) != 0;
      }
      if (fits) sets_.push_back(set);
    }
    for (int i = 0; i < cells; ++i) {
      const Code code = view.cells[static_cast<std::size_t>(i)];
      if (code != Code::masked && code != Code::flag) opened_ |= 1u << i;
    }
  }

  std::size_t arrangements() const { return sets_.size(); }
  int wins() { return best(sets_, opened_); }
  // After opening one cell.
  int wins_after(int cell) { return after(sets_, opened_, cell); }

 private:
  int number(std::uint32_t set, int cell) const {
    int bombs = 0;
    const int row = cell / view_.cols, col = cell % view_.cols;
    for (int r = std::max(0, row - 1); r <= std::min(view_.rows - 1, row + 1); ++r) {
      for (int c = std::max(0, col - 1); c <= std::min(view_.cols - 1, col + 1); ++c) {
        if (r != row || c != col) bombs += (set >> (r * view_.cols + c) & 1) != 0;
      }
    }
    return bombs;
  }

  int after(const std::vector<std::uint32_t>& sets, std::uint32_t opened, int cell) {
    std::map<int, std::vector<std::uint32_t>> parts;
    for (const std::uint32_t set : sets) {
      if ((set >> cell & 1) == 0) parts[number(set, cell)].push_back(set);
    }
    int total = 0;
    for (const auto& [shown, part] : parts) total += best(part, opened | 1u << cell);
    return total;
  }

  int best(const std::vector<std::uint32_t>& sets, std::uint32_t opened) {
    const int cells = view_.rows * view_.cols;
    const std::uint32_t all = (std::uint32_t{1} << cells) - 1;
    // Won in every arrangement whose bombs are all that is left; as many bombs in each, so either
    // the game is over or it is in none.
    if (!sets.empty() && (opened | sets[0]) == all &&
        bit_count(all & ~opened) == bit_count(sets[0] & ~opened)) {
      return 1;
    }
    const auto [place, fresh] = known_.try_emplace({opened, sets}, 0);
    if (!fresh) return place->second;
    int most = 0;
    for (int cell = 0; cell < cells; ++cell) {
      if ((opened >> cell & 1) == 0) most = std::max(most, after(sets, opened, cell));
    }
    known_[{opened, sets}] = most;
    return most;
  }

  Observation view_;
  std::uint32_t opened_ = 0;
  std::vector<std::uint32_t> sets_;
  std::map<std::pair<std::uint32_t, std::vector<std::uint32_t>>, int> known_;
};

void expect_as_plain_search(const Observation& view) {
  SCOPED_TRACE(Minesweeper().observation_text(view));
  PlainSearch plain(view);
  const auto found = end_game(view, {.arrangements = 2000});
  ASSERT_TRUE(found);
  ASSERT_EQ(found->arrangements, static_cast<int>(plain.arrangements()));
  EXPECT_DOUBLE_EQ(found->win * found->arrangements, plain.wins());
  for (const EndGameMove& move : found->moves) {
    EXPECT_DOUBLE_EQ(move.win * found->arrangements, plain.wins_after(move.cell))
        << "cell " << move.cell;
  }
}

TEST(MinesweeperEndGame, ACoinTossIsHalf) {
  const auto found = end_game(board("2 3 1\n01#\n01#\n"));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->arrangements, 2);
  EXPECT_DOUBLE_EQ(found->win, 0.5);
  ASSERT_EQ(found->moves.size(), 2u);
  EXPECT_DOUBLE_EQ(found->moves[0].safe, 0.5);
}

TEST(MinesweeperEndGame, AWonBoardIsWon) {
  const auto found = end_game(board("1 3 1\n01#\n"));
  ASSERT_TRUE(found);
  EXPECT_DOUBLE_EQ(found->win, 1);
}

TEST(MinesweeperEndGame, TooManyArrangementsGiveNothing) {
  EXPECT_FALSE(end_game(board("2 3 3\n###\n###\n"), {.arrangements = 19}));
  EXPECT_TRUE(end_game(board("2 3 3\n###\n###\n"), {.arrangements = 20}));
  EXPECT_FALSE(end_game(board("3 3 4\n###\n###\n###\n"), {.arrangements = 200, .work = 100}));
  EXPECT_FALSE(end_game(board("1 3 3\n#1#\n"))) << "no arrangement at all";
}

TEST(MinesweeperEndGame, EqualsAPlainSearchOfEveryOrderOfOpenings) {
  for (const auto& text : {"2 3 2\n###\n###\n", "3 3 2\n###\n###\n###\n", "2 4 3\n####\n####\n",
                           "1 6 2\n######\n", "3 3 4\n#2#\n###\n###\n"}) {
    expect_as_plain_search(board(text));
  }
  RandomStream random(Seed{4}, "test.end_game");
  for (int i = 0; i < 150 && !HasFailure(); ++i) {
    const int rows = 2 + static_cast<int>(random.below(3)),
              cols = 2 + static_cast<int>(random.below(3));
    const Minesweeper game(rows, cols, 1 + static_cast<int>(random.below(4)) % (rows * cols - 1));
    auto state = game.deal(Seed{random()});
    do {
      game.play(state, random_opening(game, state, random));
    } while (random.below(2) == 0 && game.outcome(state) == games::Outcome::ongoing);
    const Observation view = game.observe(state);
    const auto masked = std::count(view.cells.begin(), view.cells.end(), Code::masked);
    if (game.outcome(state) == games::Outcome::ongoing && masked <= 9) expect_as_plain_search(view);
  }
}

// The share of games that best play wins when `cell` is opened first and is safe.
double optimum(int rows, int cols, int bombs, int cell) {
  Observation view{rows, cols, bombs,
                   std::vector<Code>(static_cast<std::size_t>(rows * cols), Code::masked)};
  double wins = 0, arrangements = 0;
  for (int shown = 0; shown <= 8; ++shown) {
    view.cells[static_cast<std::size_t>(cell)] = static_cast<Code>(shown);
    const auto found = end_game(view, {.arrangements = 3000, .work = ~std::uint64_t{0}});
    if (!found) continue;  // it cannot show that number
    wins += found->win * found->arrangements;
    arrangements += found->arrangements;
  }
  return wins / arrangements;
}

TEST(MinesweeperEndGame, BestPlayFromAFirstCell) {
  Observation fresh{3, 3, 2, std::vector<Code>(9, Code::masked)};
  PlainSearch plain(fresh);
  EXPECT_NEAR(optimum(3, 3, 2, 0), plain.wins_after(0) / 28.0, 1e-12);
}

// Counted whole by others: 5 x 5 with 3 bombs and a random first cell is won 86.433 times in 100.
TEST(SlowMinesweeperEndGame, FiveByFiveWithThreeBombs) {
  const std::vector<std::pair<int, int>> kinds = {{0, 4}, {1, 8}, {2, 4}, {6, 4}, {7, 4}, {12, 1}};
  double total = 0;
  for (const auto& [cell, count] : kinds) total += count * optimum(5, 5, 3, cell);
  EXPECT_NEAR(total / 25, 0.86433, 5e-6);
}

}  // namespace
}  // namespace damier::exact::minesweeper
