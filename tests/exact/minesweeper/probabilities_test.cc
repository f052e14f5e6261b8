#include "damier/exact/minesweeper/probabilities.h"

#include <cmath>
#include <sstream>

#include "tests/exact/minesweeper/boards.h"
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "damier/base/numbers/random.h"
#include "damier/exact/minesweeper/natural.h"
#include "damier/games/minesweeper/minesweeper.h"

namespace damier::exact::minesweeper {
namespace {

using games::minesweeper::Code;
using games::minesweeper::Minesweeper;
using games::minesweeper::Observation;

bool is_masked(Code code) { return code == Code::masked || code == Code::flag; }

template <class Visit>
void for_neighbours(const Observation& view, int cell, Visit visit) {
  const int row = cell / view.cols, col = cell % view.cols;
  for (int r = std::max(0, row - 1); r <= std::min(view.rows - 1, row + 1); ++r) {
    for (int c = std::max(0, col - 1); c <= std::min(view.cols - 1, col + 1); ++c) {
      if (r != row || c != col) visit(r * view.cols + c);
    }
  }
}

// The same answers by trying every set of bombs, one after the other.
struct PlainCount {
  explicit PlainCount(const Observation& view)
      : bombs(view.cells.size()), shown(view.cells.size()) {
    std::vector<int> masked;
    int left = view.bombs;
    for (int i = 0; i < view.rows * view.cols; ++i) {
      if (is_masked(view.cells[at(i)])) masked.push_back(i);
      left -= view.cells[at(i)] == Code::bomb;
    }
    for (std::uint64_t set = 0; set < std::uint64_t{1} << masked.size(); ++set) {
      if (bit_count(set) != left) continue;
      std::vector<int> bomb(view.cells.size());
      for (std::size_t i = 0; i < masked.size(); ++i) bomb[at(masked[i])] = set >> i & 1;
      for (std::size_t i = 0; i < bomb.size(); ++i) bomb[i] |= view.cells[i] == Code::bomb;
      std::vector<int> around(view.cells.size());
      bool fits = true;
      for (int i = 0; i < view.rows * view.cols; ++i) {
        for_neighbours(view, i, [&](int n) { around[at(i)] += bomb[at(n)]; });
        const int code = static_cast<int>(view.cells[at(i)]);
        fits = fits && (code < 0 || code == around[at(i)]);
      }
      if (!fits) continue;
      ++arrangements;
      for (const int i : masked) {
        bombs[at(i)] += bomb[at(i)];
        if (bomb[at(i)] == 0) shown[at(i)] |= 1u << around[at(i)];
      }
    }
  }
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  int arrangements = 0;
  std::vector<int> bombs;       // by cell: arrangements with a bomb there
  std::vector<unsigned> shown;  // by cell: the set of numbers it can show
};

// At most 16 masked cells. Some cells are flagged, some bombs visible, some cells walls.
Observation random_set_up(RandomStream& random, bool honest) {
  Observation view{
      1 + static_cast<int>(random.below(6)), 1 + static_cast<int>(random.below(6)), 0, {}};
  const int cells = view.rows * view.cols;
  const double density = random.uniform() * 0.6, openness = 0.3 + random.uniform() * 0.6;
  std::vector<int> bomb(PlainCount::at(cells));
  for (int& b : bomb) view.bombs += b = random.uniform() < density;
  int masked = 0;
  for (int i = 0; i < cells; ++i) {
    int number = 0;
    for_neighbours(view, i, [&](int n) { number += bomb[PlainCount::at(n)]; });
    const bool keep = masked < 16 && random.uniform() > openness;
    if (bomb[PlainCount::at(i)] != 0 && !keep && random.below(2) == 0 && masked < 16) {
      view.cells.push_back(Code::masked);
      ++masked;
    } else if (keep) {
      view.cells.push_back(random.below(8) == 0 ? Code::flag : Code::masked);
      ++masked;
    } else if (bomb[PlainCount::at(i)] != 0) {
      view.cells.push_back(Code::bomb);
    } else {
      view.cells.push_back(random.below(20) == 0 ? Code::wall : static_cast<Code>(number));
    }
  }
  if (!honest) {  // one thing wrong, perhaps
    view.bombs = std::max(0, view.bombs + static_cast<int>(random.below(3)) - 1);
    Code& code = view.cells[random.below(view.cells.size())];
    if (games::minesweeper::is_number(code)) code = static_cast<Code>(random.below(9));
  }
  return view;
}

Observation random_play(RandomStream& random) {
  while (true) {
    const int rows = 2 + static_cast<int>(random.below(4)),
              cols = 2 + static_cast<int>(random.below(4));
    const int bombs =
        static_cast<int>(random.below(static_cast<std::uint64_t>(rows * cols / 2 + 1)));
    const Minesweeper game(rows, cols, bombs);
    auto state = game.deal(Seed{random()});
    const auto openings = 1 + random.below(8);
    for (std::uint64_t i = 0; i < openings && game.outcome(state) == games::Outcome::ongoing; ++i) {
      game.play(state, random_opening(game, state, random));
    }
    Observation view = game.observe(state);
    if (std::count_if(view.cells.begin(), view.cells.end(), is_masked) <= 16) return view;
  }
}

void expect_as_plain_count(const Observation& view) {
  SCOPED_TRACE(Minesweeper().observation_text(view));
  const PlainCount plain(view);
  const auto found = probabilities(view);
  ASSERT_EQ(found.ok(), plain.arrangements > 0);
  if (!found) {
    EXPECT_TRUE(found.error().text().starts_with("no arrangement of bombs fits"))
        << found.error().text();
    EXPECT_EQ(found.error().text().find('\n'), std::string::npos);
    return;
  }
  EXPECT_EQ(found->arrangements, std::to_string(plain.arrangements));
  EXPECT_NEAR(found->arrangements_log10, std::log10(plain.arrangements), 1e-9);
  for (std::size_t i = 0; i < view.cells.size(); ++i) {
    if (!is_masked(view.cells[i])) {
      EXPECT_EQ(found->bomb[i], Probabilities::kNotMasked);
      EXPECT_EQ(found->dead[i], 0);
      continue;
    }
    const double expected = static_cast<double>(plain.bombs[i]) / plain.arrangements;
    EXPECT_NEAR(found->bomb[i], expected, 1e-13) << "cell " << i;
    // Certainty is certainty.
    EXPECT_EQ(found->bomb[i] == 0, plain.bombs[i] == 0) << "cell " << i;
    EXPECT_EQ(found->bomb[i] == 1, plain.bombs[i] == plain.arrangements) << "cell " << i;
    EXPECT_EQ(found->dead[i] != 0, bit_count(plain.shown[i]) == 1) << "cell " << i;
  }
}

TEST(MinesweeperProbabilities, OneNumberSharesItsBombs) {
  const auto found = probabilities(board("2 3 1\n#1#\n###\n"));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->arrangements, "5");
  EXPECT_DOUBLE_EQ(found->at(0, 0), 0.2);
  EXPECT_FALSE(found->is_masked(0, 1));
}

TEST(MinesweeperProbabilities, FlagsAreNotesAndVisibleBombsAreFacts) {
  const auto flagged = probabilities(board("1 3 1\nF1#\n"));
  ASSERT_TRUE(flagged);
  EXPECT_DOUBLE_EQ(flagged->at(0, 0), 0.5);
  const auto seen = probabilities(board("1 3 1\n*1#\n"));
  ASSERT_TRUE(seen);
  EXPECT_EQ(seen->at(0, 2), 0);
  EXPECT_FALSE(seen->is_masked(0, 0));
}

TEST(MinesweeperProbabilities, ACoinTossIsDead) {
  // The two cells on the right: one bomb, and neither cell would tell which.
  const auto found = probabilities(board("2 3 1\n01#\n01#\n"));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->arrangements, "2");
  EXPECT_DOUBLE_EQ(found->at(0, 2), 0.5);
  EXPECT_EQ(found->dead[2], 1);
  EXPECT_EQ(found->dead[5], 1);
}

TEST(MinesweeperProbabilities, EqualEveryArrangementTriedOneByOne) {
  RandomStream random(Seed{1}, "test.probabilities");
  for (int i = 0; i < 700; ++i) {
    expect_as_plain_count(random_set_up(random, true));
    expect_as_plain_count(random_play(random));
    if (HasFailure()) break;
  }
}

TEST(MinesweeperProbabilities, ImpossibleBoardsAreToldFromPossibleOnes) {
  RandomStream random(Seed{2}, "test.probabilities");
  for (int i = 0; i < 700 && !HasFailure(); ++i)
    expect_as_plain_count(random_set_up(random, false));
}

TEST(MinesweeperProbabilities, AnErrorNamesWhatDoesNotFit) {
  const auto message = [](std::string_view text) {
    const auto found = probabilities(board(text));
    return found ? "it fits" : found.error().text();
  };
  EXPECT_EQ(message("1 3 1\n03#\n"),
            "no arrangement of bombs fits: the 3 at b1 has 1 masked cells and 0 visible bombs "
            "around it");
  EXPECT_EQ(message("1 5 4\n#1#1#\n"),
            "no arrangement of bombs fits: 2 masked bombs or fewer have room, but 4 are left");
  EXPECT_EQ(message("1 3 0\n#1#\n"),
            "no arrangement of bombs fits: the numbers need 1 masked bombs or more, but 0 are "
            "left");
  EXPECT_EQ(message("1 3 1\n*2*\n"),
            "no arrangement of bombs fits: 2 bombs are visible, but the board has 1");
  EXPECT_EQ(message("3 3 3\n1#1\n###\n1#2\n"),
            "no arrangement of bombs fits: the 2 at c3 contradicts the numbers near it");
  EXPECT_EQ(message("1 5 1\n#1##1\n"),
            "no arrangement of bombs fits: the numbers need 2 masked bombs or more, but 1 are "
            "left");
}

void expect_sum_is_bombs(const Observation& view) {
  const auto found = probabilities(view, {.dead_cells = false});
  ASSERT_TRUE(found) << found.error().text();
  double sum = 0;
  for (const double p : found->bomb) sum += std::max(0.0, p);
  EXPECT_NEAR(sum, view.bombs, 1e-9 * view.bombs);
}

// A few cells opened that are known to be safe, as a player would.
Observation opened(const Minesweeper& game, std::uint64_t seed, int openings) {
  auto state = game.deal(Seed{seed});
  RandomStream random(Seed{seed}, "test.opened");
  for (int i = 0; i < openings && game.outcome(state) == games::Outcome::ongoing; ++i) {
    const auto move = random_opening(game, state, random);
    const int row = move.cell / game.cols(), col = move.cell % game.cols();
    if (state.dealt && (state.bombs[PlainCount::at(row)] >> col & 1) != 0) continue;
    game.play(state, move);
  }
  return game.observe(state);
}

TEST(MinesweeperProbabilities, SumUpToTheBombsOnLargeBoards) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    expect_sum_is_bombs(opened(Minesweeper(16, 30, 99), seed, 40));
    expect_sum_is_bombs(opened(Minesweeper(64, 64, 600), seed, 60));
    expect_sum_is_bombs(opened(Minesweeper(64, 64, 2000), seed, 30));
  }
  expect_sum_is_bombs(opened(Minesweeper(64, 64, 4000), 1, 20));
}

TEST(MinesweeperProbabilities, AnEmptyBoardHasAllItsArrangements) {
  Observation view{16, 30, 99, std::vector<Code>(480, Code::masked)};
  const auto found = probabilities(view);
  ASSERT_TRUE(found);
  // C(480, 99), exactly.
  EXPECT_EQ(found->arrangements,
            "560220999337421345429058985775821108059290502723897901281458"
            "809527214479570631168198385673295159633481600");
  EXPECT_DOUBLE_EQ(found->at(7, 11), 99.0 / 480);
  view = {64, 64, 2048, std::vector<Code>(4096, Code::masked)};
  const auto large = probabilities(view);
  ASSERT_TRUE(large);
  EXPECT_EQ(large->arrangements.size(), 1232u);
  EXPECT_DOUBLE_EQ(large->at(0, 0), 0.5);
}

TEST(MinesweeperProbabilities, AreAsSymmetricAsTheBoard) {
  // The same game seen in the mirror and from the side.
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Minesweeper game(9, 9, 10);
    const Observation view = opened(game, seed, 12);
    Observation mirrored = view, turned = view;
    for (int row = 0; row < 9; ++row) {
      for (int col = 0; col < 9; ++col) {
        mirrored.cells[PlainCount::at(row * 9 + 8 - col)] = view.at(row, col);
        turned.cells[PlainCount::at(col * 9 + row)] = view.at(row, col);
      }
    }
    const auto found = probabilities(view), in_mirror = probabilities(mirrored),
               from_side = probabilities(turned);
    ASSERT_TRUE(found && in_mirror && from_side);
    EXPECT_EQ(found->arrangements, in_mirror->arrangements);
    EXPECT_EQ(found->arrangements, from_side->arrangements);
    for (int row = 0; row < 9; ++row) {
      for (int col = 0; col < 9; ++col) {
        EXPECT_NEAR(found->at(row, col), in_mirror->at(row, 8 - col), 1e-13);
        EXPECT_NEAR(found->at(row, col), from_side->at(col, row), 1e-13);
      }
    }
  }
}

TEST(MinesweeperProbabilities, ALongFrontCostsLittle) {
  // A snake of ones between two masked rows, as long as a board can be.
  Observation view{64, 64, 900, std::vector<Code>(4096, Code::masked)};
  for (int row = 2; row < 64; row += 4) {
    for (int col = 0; col < 64; ++col) view.cells[PlainCount::at(row * 64 + col)] = Code{1};
  }
  expect_sum_is_bombs(view);
}

TEST(MinesweeperProbabilities, TooEntangledNumbersAreAnErrorAndNotAHang) {
  Observation view{64, 64, 1000, std::vector<Code>(4096, Code::masked)};
  for (int cell = 0; cell < 4096; ++cell) {
    if ((cell / 64 + cell % 64) % 2 == 0) view.cells[PlainCount::at(cell)] = Code{2};
  }
  const auto found = probabilities(view, {.state_limit = 100'000});
  ASSERT_FALSE(found);
  EXPECT_NE(found.error().text().find("too entangled"), std::string::npos);
}

TEST(MinesweeperProbabilities, AnyBoardGivesAnAnswer) {
  RandomStream random(Seed{5}, "test.garbage");
  for (int i = 0; i < 400; ++i) {
    Observation view{static_cast<int>(random.below(12)),
                     static_cast<int>(random.below(12)),
                     static_cast<int>(random.below(60)) - 5,
                     {}};
    const int least = random.below(2) == 0 ? -4 : -3;
    for (int cell = 0; cell < view.rows * view.cols; ++cell) {
      const bool masked = random.below(3) != 0;
      const auto number = static_cast<int>(random.below(static_cast<std::uint64_t>(3 - least)));
      view.cells.push_back(masked ? Code::masked : static_cast<Code>(least + number));
    }
    if (random.below(30) == 0 && !view.cells.empty()) view.cells.pop_back();
    if (random.below(30) == 0 && !view.cells.empty()) view.cells[0] = static_cast<Code>(77);
    const auto found = probabilities(view, {.state_limit = 20'000});
    if (!found) {
      EXPECT_FALSE(found.error().text().empty());
      EXPECT_EQ(found.error().text().find('\n'), std::string::npos);
      continue;
    }
    for (const double p : found->bomb) EXPECT_TRUE(p == -1 || (p >= 0 && p <= 1));
  }
}

RC_GTEST_PROP(MinesweeperNaturals, AddAndMultiplyLikeTheMachinesNumbers,
              (std::uint32_t a, std::uint32_t b, std::uint32_t c)) {
  Natural value = Natural(std::uint64_t{a}) * Natural(std::uint64_t{b});
  value += Natural(std::uint64_t{c});
  const std::uint64_t expected = std::uint64_t{a} * b + c;
  RC_ASSERT(value.str() == std::to_string(expected));
  RC_ASSERT(value == Natural(expected));
  RC_ASSERT(expected == 0 || ratio(value, Natural(expected)) == 1);
}

RC_GTEST_PROP(MinesweeperNaturals, WideNumbersKeepTheirRatio, (std::uint32_t a, std::uint32_t b)) {
  const double x = 1.0 + a, y = 1.0 + b;
  Wide large = Wide(x), larger = Wide(y);
  for (int i = 0; i < 50; ++i) {
    large = large * Wide(0x1p200);
    larger = larger * Wide(0x1p200);
  }
  RC_ASSERT(std::abs(ratio(large, larger) / (x / y) - 1) < 1e-14);
  Wide sum = large;
  sum += larger;
  RC_ASSERT(std::abs(ratio(sum, larger) / ((x + y) / y) - 1) < 1e-14);
}

TEST(SlowMinesweeperProbabilities, EqualEveryArrangementTriedOneByOne) {
  RandomStream random(Seed{3}, "test.probabilities");
  for (int i = 0; i < 20'000 && !HasFailure(); ++i) {
    expect_as_plain_count(random_set_up(random, i % 4 != 0));
    expect_as_plain_count(random_play(random));
  }
}

}  // namespace
}  // namespace damier::exact::minesweeper
