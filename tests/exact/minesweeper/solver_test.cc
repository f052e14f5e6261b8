#include "damier/exact/minesweeper/solver.h"

#include <limits>
#include <set>
#include <sstream>

#include "tests/exact/minesweeper/boards.h"
#include <gtest/gtest.h>

namespace damier::exact::minesweeper {
namespace {

using games::minesweeper::Act;
using games::minesweeper::FirstClick;
using games::minesweeper::Minesweeper;
using games::minesweeper::Move;

int wins(const Minesweeper& game, int games, std::uint64_t seed,
         const SolverOptions& options = {}) {
  Solver solver(options);
  RandomStream random(Seed{seed}, "test.solver");
  int won = 0;
  for (int i = 0; i < games; ++i) won += solver.play(game, Seed{random()}, random).won;
  return won;
}

TEST(MinesweeperSolver, OpensAProvenCell) {
  Solver solver;
  RandomStream random(Seed{1}, "test.solver");
  const Move move = solver.choose(board("2 4 2\n#2##\n#2##\n"), random);
  EXPECT_EQ(move.act, Act::open);
  const Move proven = solver.choose(board("1 5 1\n#10##\n"), random);
  EXPECT_EQ(proven.cell % 5 >= 3, true);
}

TEST(MinesweeperSolver, LiftsAFlagThatStandsOnTheCellToBeOpened) {
  Solver solver;
  RandomStream random(Seed{1}, "test.solver");
  EXPECT_EQ(solver.choose(board("1 4 1\n#10F\n"), random), (Move{Act::flag, 3}));
  EXPECT_EQ(solver.choose(board("2 4 2\n#20F\n#20#\n"), random), (Move{Act::open, 7}))
      << "a safe cell without a flag comes first";
}

TEST(MinesweeperSolver, OpensAnyCellFirstOrACorner) {
  const Observation fresh = board("3 3 2\n###\n###\n###\n");
  std::set<int> anywhere, corners;
  Solver plain, corner({.first = FirstCell::corner});
  RandomStream random(Seed{1}, "test.solver");
  for (int i = 0; i < 300; ++i) {
    anywhere.insert(plain.choose(fresh, random).cell);
    corners.insert(corner.choose(fresh, random).cell);
  }
  EXPECT_EQ(anywhere.size(), 9u);
  EXPECT_EQ(corners, (std::set<int>{0, 2, 6, 8}));
}

// Takes one cell for the likeliest to win.
Adviser fond_of(std::size_t cell, float win) {
  return [cell, win](const Observation& board) {
    Opinion opinion = {std::vector<float>(board.cells.size(), 0.5f),
                       std::vector<float>(board.cells.size(), 0.5f)};
    opinion.win[cell] = win;
    return opinion;
  };
}

// Says the same number of every cell.
Adviser monotonous(float number) {
  return [number](const Observation& board) {
    return Opinion{std::vector<float>(board.cells.size(), number),
                   std::vector<float>(board.cells.size(), number)};
  };
}

TEST(MinesweeperSolver, AnAdviserThatTalksNonsenseGetsAMaskedCellOpened) {
  const Observation guess = board("3 3 3\n1##\n###\n###\n");
  RandomStream random(Seed{1}, "test.solver");
  for (const float number : {std::numeric_limits<float>::quiet_NaN(), -7.0f, 9.0f,
                             std::numeric_limits<float>::infinity()}) {
    // Without room to count, the adviser alone decides.
    Solver solver({.state_limit = 0, .adviser = monotonous(number)});
    EXPECT_NE(solver.choose(guess, random).cell, 0) << number;
  }
}

TEST(MinesweeperSolver, TakesAdviceThatPromisesEnough) {
  const Observation guess = board(
      "8 8 10\n########\n########\n########\n###1####\n########\n########\n########\n########\n");
  RandomStream random(Seed{1}, "test.solver");
  const Move own = Solver().choose(guess, random);
  constexpr int kFar = 63;
  ASSERT_NE(own.cell, kFar);
  const auto choice = [&](float win, double gain) {
    Solver solver({.adviser = fond_of(kFar, win), .adviser_gain = gain});
    return solver.choose(guess, random).cell;
  };
  EXPECT_EQ(choice(0.9f, 0.1), kFar);
  EXPECT_EQ(choice(0.5f, 0.1), own.cell);
  EXPECT_EQ(choice(0.55f, 0.2), own.cell);
  // A certain cell needs no advice.
  Solver solver({.adviser = fond_of(0, 1.0f)});
  EXPECT_GE(solver.choose(board("1 5 1\n#10##\n"), random).cell, 3);
}

TEST(MinesweeperSolver, SeesOnlyWhatAPlayerSees) {
  // The same game through observations only, one move at a time.
  const Minesweeper game(9, 9, 10);
  Solver fast, step_by_step;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    RandomStream first(Seed{seed}, "test.solver"), again(Seed{seed}, "test.solver");
    const games::HiddenResult result = fast.play(game, Seed{seed}, first);
    auto state = game.deal(Seed{seed});
    while (game.outcome(state) == games::Outcome::ongoing) {
      game.play(state, step_by_step.choose(game.observe(state), again));
    }
    EXPECT_EQ(result.won, game.outcome(state) == games::Outcome::first_wins) << "seed " << seed;
    EXPECT_EQ(result.score, game.score(state)) << "seed " << seed;
  }
}

TEST(MinesweeperSolver, PlaysTheSameWhateverItPlayedBefore) {
  // Early guesses are kept from game to game; a fresh solver has none.
  Solver experienced;
  for (const Minesweeper& game : {Minesweeper(6, 6, 4), Minesweeper(4, 9, 4), Minesweeper(9, 4, 4),
                                  Minesweeper(6, 6, 7), Minesweeper(8, 8, 14)}) {
    RandomStream random(Seed{3}, "test.solver");
    for (int i = 0; i < 200; ++i) experienced.play(game, Seed{random()}, random);
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      auto state = game.deal(Seed{seed});
      game.open(state, static_cast<int>(seed) % game.rows(), static_cast<int>(seed) % game.cols());
      while (game.outcome(state) == games::Outcome::ongoing) {
        Solver fresh;
        const Move move = fresh.choose(game.observe(state), random);
        ASSERT_EQ(experienced.choose(game.observe(state), random), move) << "seed " << seed;
        game.play(state, move);
      }
    }
  }
}

TEST(MinesweeperSolver, TellsBoardsApart) {
  const auto key = [](std::string_view text, int most) {
    Board loaded;
    EXPECT_TRUE(loaded.load(board(text)));
    return loaded.key(most);
  };
  EXPECT_EQ(key("2 3 1\n1##\n###\n", 2), key("2 3 1\n1##\n###\n", 1));
  EXPECT_NE(key("2 3 1\n1##\n###\n", 2), key("2 3 2\n1##\n###\n", 2));
  EXPECT_NE(key("2 3 1\n1##\n###\n", 2), key("2 3 1\n2##\n###\n", 2));
  EXPECT_NE(key("2 3 1\n1##\n###\n", 2), key("3 2 1\n1#\n##\n##\n", 2));
  EXPECT_NE(key("2 3 1\n1##\n###\n", 2), key("2 3 1\n#1#\n###\n", 2));
  EXPECT_EQ(key("2 3 1\n11#\n###\n", 1), std::nullopt);
}

TEST(MinesweeperSolver, AnswersOnAnyBoard) {
  RandomStream random(Seed{2}, "test.solver");
  Solver solver({.state_limit = 5'000});
  for (int i = 0; i < 500; ++i) {
    Observation view{1 + static_cast<int>(random.below(12)),
                     1 + static_cast<int>(random.below(12)),
                     static_cast<int>(random.below(40)),
                     {}};
    for (int cell = 0; cell < view.rows * view.cols; ++cell) {
      const bool masked = random.below(3) != 0;
      view.cells.push_back(masked ? Code::masked
                                  : static_cast<Code>(static_cast<int>(random.below(13)) - 4));
    }
    view.cells[0] = Code::masked;
    const Move move = solver.choose(view, random);
    ASSERT_LT(move.cell, view.cells.size());
    const Code code = view.cells[move.cell];
    EXPECT_EQ(code, move.act == Act::flag ? Code::flag : Code::masked);
  }
}

// The exact numbers are a signature: they change when the solver plays differently, and then longer
// runs of the same games must win more.
TEST(MinesweeperSolver, WinsAsOftenAsItShould) {
  EXPECT_EQ(wins(Minesweeper(6, 6, 4), 2000, 1), 1870);  // best play: 93.19 %
  EXPECT_EQ(wins(Minesweeper(10, 10, 10), 2000, 1), 1834);
  EXPECT_EQ(wins(Minesweeper(16, 30, 99), 100, 1), 40);
}

TEST(MinesweeperSolver, WinsWhatCannotBeLost) {
  EXPECT_EQ(wins(Minesweeper(8, 8, 0), 10, 1), 10);
  EXPECT_EQ(wins(Minesweeper(8, 8, 63), 10, 1), 10);
  EXPECT_EQ(wins(Minesweeper(1, 1, 0), 1, 1), 1);
}

// In percent, within about four standard deviations of what longer runs gave.
TEST(SlowMinesweeperSolver, WinsAsOftenAsItShould) {
  const SolverOptions corner{.first = FirstCell::corner};
  EXPECT_NEAR(wins(Minesweeper(6, 6, 4), 20'000, 2) / 200.0, 93.1, 0.7);
  EXPECT_NEAR(wins(Minesweeper(6, 6, 4), 20'000, 2, corner) / 200.0, 95.6, 0.6);
  EXPECT_NEAR(wins(Minesweeper(10, 10, 10), 20'000, 2) / 200.0, 92.4, 0.8);
  EXPECT_NEAR(wins(Minesweeper(10, 10, 10, FirstClick::opening), 20'000, 2) / 200.0, 98.5, 0.4);
  EXPECT_NEAR(wins(Minesweeper(10, 10, 20), 10'000, 2) / 100.0, 58.0, 2.0);
  EXPECT_NEAR(wins(Minesweeper(16, 16, 40), 5'000, 2) / 50.0, 73.4, 2.6);
  EXPECT_NEAR(wins(Minesweeper(16, 30, 99), 2'000, 2) / 20.0, 36.8, 4.4);
}

TEST(MinesweeperSolver, PlaysTheLargestBoard) {
  EXPECT_GE(wins(Minesweeper(64, 64, 300, FirstClick::opening), 3, 1), 2);
  wins(Minesweeper(64, 64, 1500, FirstClick::opening), 3, 1);
}

}  // namespace
}  // namespace damier::exact::minesweeper
