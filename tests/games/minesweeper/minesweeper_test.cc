#include "damier/games/minesweeper/minesweeper.h"

#include <cmath>
#include <map>
#include <queue>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace damier::games::minesweeper {
namespace {

// A state with these bombs: rows of '.' and '*'.
State with_bombs(const std::vector<std::string>& rows) {
  State state;
  state.dealt = true;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    for (std::size_t col = 0; col < rows[row].size(); ++col) {
      if (rows[row][col] == '*') state.bombs[row] |= Row{1} << col;
    }
  }
  return state;
}

void play(const Minesweeper& game, State& state, std::string_view move) {
  const auto parsed = game.parse_move(state, move);
  ASSERT_TRUE(parsed) << parsed.error().text();
  game.play(state, *parsed);
}

std::string view(const Minesweeper& game, const State& state) {
  return game.observation_text(game.observe(state));
}

// The rules again: a queue of cells, one at a time.
class Plain {
 public:
  Plain(const Minesweeper& game, const State& state) : game_(game), state_(state) {}

  void open(int row, int col) {
    std::queue<std::pair<int, int>> queue;
    queue.emplace(row, col);
    while (!queue.empty()) {
      const auto [r, c] = queue.front();
      queue.pop();
      if (get(state_.open, r, c) || get(state_.flags, r, c)) continue;
      state_.open[static_cast<std::size_t>(r)] |= Row{1} << c;
      if (get(state_.bombs, r, c)) {
        state_.lost = true;
        continue;
      }
      int bombs = 0;
      for_neighbours(r, c, [&](int y, int x) { bombs += get(state_.bombs, y, x); });
      if (bombs == 0) for_neighbours(r, c, [&](int y, int x) { queue.emplace(y, x); });
    }
  }

  const State& state() const { return state_; }

 private:
  static bool get(const Grid& grid, int row, int col) {
    return (grid[static_cast<std::size_t>(row)] >> col & 1) != 0;
  }
  template <class Visit>
  void for_neighbours(int row, int col, Visit visit) const {
    for (int r = row - 1; r <= row + 1; ++r) {
      for (int c = col - 1; c <= col + 1; ++c) {
        if ((r != row || c != col) && r >= 0 && r < game_.rows() && c >= 0 && c < game_.cols()) {
          visit(r, c);
        }
      }
    }
  }
  const Minesweeper& game_;
  State state_;
};

TEST(Minesweeper, NumbersCountTheBombsAround) {
  const Minesweeper game(3, 3, 2);
  State state = with_bombs({"*..", "...", "..*"});
  play(game, state, "b2");
  EXPECT_EQ(view(game, state), "3 3 2\n###\n#2#\n###\n");
}

TEST(Minesweeper, AZeroOpensItsNeighboursInTurn) {
  const Minesweeper game(3, 5, 1);
  State state = with_bombs({"....*", ".....", "....."});
  play(game, state, "a1");
  EXPECT_EQ(view(game, state), "3 5 1\n0001#\n00011\n00000\n");
  EXPECT_EQ(game.outcome(state), Outcome::first_wins);
  EXPECT_EQ(game.score(state), 14);
}

TEST(Minesweeper, FlagsStopTheOpening) {
  const Minesweeper game(1, 6, 1);
  State state = with_bombs({".....*"});
  play(game, state, "!c1");
  play(game, state, "a1");
  EXPECT_EQ(view(game, state), "1 6 1\n00F###\n");
  EXPECT_FALSE(game.parse_move(state, "c1")) << "a flagged cell cannot be opened";
  play(game, state, "flag c1");
  play(game, state, "c1");
  EXPECT_EQ(view(game, state), "1 6 1\n00001#\n");
}

TEST(Minesweeper, ThereAreAsManyFlagsAsBombs) {
  const Minesweeper game(1, 6, 1);
  State state = with_bombs({"..*..."});
  play(game, state, "!a1");
  EXPECT_EQ(game.parse_move(state, "!b1").error().text(),
            "b1 cannot be flagged: all 1 flags are set, one for each bomb");
  play(game, state, "!a1");
  play(game, state, "!b1");
}

TEST(Minesweeper, AFatalClickAddsNothingToTheScore) {
  const Minesweeper game(1, 6, 1);
  State state = with_bombs({"..*..."});
  play(game, state, "b1");
  play(game, state, "c1");
  EXPECT_EQ(game.outcome(state), Outcome::second_wins);
  EXPECT_EQ(game.score(state), 1);
  EXPECT_EQ(view(game, state), "1 6 1\n#1*###\n");
}

TEST(Minesweeper, AChordOpensWhatTheFlagsLeave) {
  const Minesweeper game(2, 4, 1);
  State state = with_bombs({"*...", "...."});
  play(game, state, "b1");
  EXPECT_FALSE(game.parse_move(state, "*b1")) << "no flag yet";
  play(game, state, "!a1");
  play(game, state, "*b1");
  EXPECT_EQ(game.outcome(state), Outcome::first_wins);
}

TEST(Minesweeper, AChordOnAWrongFlagLoses) {
  const Minesweeper game(2, 4, 1);
  State state = with_bombs({"*...", "...."});
  play(game, state, "b1");
  play(game, state, "!a2");
  play(game, state, "chord b1");
  EXPECT_EQ(game.outcome(state), Outcome::second_wins);
}

TEST(Minesweeper, TheFirstCellIsProtectedAsTheRuleSays) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const int cell = static_cast<int>(seed % 25);
    const auto open_first = [&](FirstClick first) {
      const Minesweeper game(5, 5, 12, first);
      State state = game.deal(Seed{seed});
      game.open(state, cell / 5, cell % 5);
      int bombs = 0;
      for (const Row row : state.bombs) bombs += bit_count(row);
      EXPECT_EQ(bombs, 12);
      return std::pair{state.lost, game.number(state, cell / 5, cell % 5)};
    };
    EXPECT_FALSE(open_first(FirstClick::safe).first);
    const auto [lost, number] = open_first(FirstClick::opening);
    EXPECT_FALSE(lost);
    EXPECT_EQ(number, 0);
  }
}

TEST(Minesweeper, AnUnprotectedFirstCellIsABombAsOftenAsAnyOther) {
  const Minesweeper game(5, 5, 10, FirstClick::any);
  int lost = 0;
  constexpr int kGames = 20000;
  for (std::uint64_t seed = 0; seed < kGames; ++seed) {
    State state = game.deal(Seed{seed});
    game.open(state, 2, 2);
    lost += state.lost;
  }
  EXPECT_NEAR(lost / double{kGames}, 0.4, 4 * std::sqrt(0.4 * 0.6 / kGames));
}

TEST(Minesweeper, EveryArrangementIsEquallyLikely) {
  // 2x3 cells, 2 bombs, first click on a1: C(5, 2) = 10 arrangements; and crowded boards, where the
  // safe cells are drawn instead, C(5, 4) = 5.
  for (const auto& [bombs, arrangements] : {std::pair{2, 10}, {4, 5}}) {
    const Minesweeper game(2, 3, bombs);
    std::map<Grid, int> counts;
    constexpr int kGames = 50000;
    for (std::uint64_t seed = 0; seed < kGames; ++seed) {
      State state = game.deal(Seed{seed});
      game.open(state, 0, 0);
      ++counts[state.bombs];
    }
    ASSERT_EQ(std::ssize(counts), arrangements);
    const double expected = double{kGames} / arrangements;
    for (const auto& [grid, count] : counts) {
      EXPECT_NEAR(count, expected, 5 * std::sqrt(expected)) << bombs;
    }
  }
}

RC_GTEST_PROP(Minesweeper, AgreesWithThePlainRules, (std::uint64_t seed)) {
  const int rows = *rc::gen::inRange(1, 20), cols = *rc::gen::inRange(1, 65);
  const int bombs = *rc::gen::inRange(0, std::max(1, rows * cols / 4));
  const Minesweeper game(rows, cols, bombs);
  RandomStream random(Seed{seed}, "test");
  State state = game.deal(Seed{seed});
  game.play(state, random_opening(game, state, random));
  for (int i = 0; i < 12 && game.outcome(state) == Outcome::ongoing; ++i) {
    Move move = random_opening(game, state, random);
    if (random.below(4) == 0) {
      move.act = Act::flag;
      if (game.move(state, game.action(state, move))) game.play(state, move);
      continue;
    }
    Plain plain(game, state);
    plain.open(move.cell / cols, move.cell % cols);
    game.play(state, move);
    RC_ASSERT(state == plain.state());
  }
}

TEST(Minesweeper, ThreeBvCountsPatchesAndLonelyNumbers) {
  EXPECT_EQ(Minesweeper(3, 5, 1).three_bv(with_bombs({"....*", ".....", "....."})), 1);
  // No zero at all: every safe cell needs a click.
  EXPECT_EQ(Minesweeper(3, 3, 1).three_bv(with_bombs({"...", ".*.", "..."})), 8);
  // Two patches parted by a wall of bombs whose neighbours are numbers of the patches.
  EXPECT_EQ(Minesweeper(2, 7, 2).three_bv(with_bombs({"...*...", "...*..."})), 2);
  // Two bombs with one safe cell between them.
  EXPECT_EQ(Minesweeper(1, 7, 2).three_bv(with_bombs({"..*.*.."})), 3);
}

TEST(Minesweeper, RandomOpeningsAreUniform) {
  const Minesweeper game(3, 3, 1);
  State state = with_bombs({"*..", "...", "..."});
  state.open[0] = 0b110;  // b1 and c1 are open, a2 is flagged: six cells are left
  state.flags[1] = 0b001;
  std::map<int, int> counts;
  RandomStream random(Seed{1}, "test");
  constexpr int kDraws = 60000;
  for (int i = 0; i < kDraws; ++i) ++counts[random_opening(game, state, random).cell];
  ASSERT_EQ(counts.size(), 6u);
  for (const auto& [cell, count] : counts) EXPECT_NEAR(count, 10000, 500) << cell;
}

TEST(Minesweeper, MovesReadAsWordsAndSigns) {
  const Minesweeper game(30, 64, 9);
  const State state = game.deal(Seed{1});
  const auto move = [&](std::string_view text) { return *game.parse_move(state, text); };
  EXPECT_EQ(move("c4"), (Move{Act::open, 3 * 64 + 2}));
  EXPECT_EQ(move("open c4"), move("o c4"));
  EXPECT_EQ(move("!bl30"), (Move{Act::flag, 29 * 64 + 63}));
  EXPECT_EQ(move("flag  bl30"), move("f bl30"));
  for (const char* wrong : {"", "c", "4", "c0", "c31", "bm1", "c4x", "!!c4", "c04", "C4", "aaa1"}) {
    EXPECT_FALSE(game.parse_move(state, wrong)) << wrong;
  }
}

TEST(Minesweeper, WrongBoardsAreNamed) {
  const auto board = [](std::string value, std::string first = "safe") {
    return Minesweeper::make({{"board", std::move(value)}, {"first", std::move(first)}})
        .error()
        .text();
  };
  EXPECT_EQ(board("5x5x25"),
            "board 5x5x25 has 25 bombs on 25 cells; expected 24 at most with first=safe");
  EXPECT_EQ(board("5x5x17", "opening"),
            "board 5x5x17 has 17 bombs on 25 cells; expected 16 at most with first=opening");
  EXPECT_EQ(board("5x5x26", "any"),
            "board 5x5x26 has 26 bombs on 25 cells; expected 25 at most with first=any");
  EXPECT_EQ(board("65x5x1"), "board 65x5x1 is 65 x 5 cells; expected 1x1 to 64x64");
  EXPECT_EQ(board("5x5"), "board '5x5' is not of the form ROWSxCOLSxBOMBS, as 16x30x99");
  EXPECT_EQ(board("5x5x5", "lucky"), "rule option first is 'lucky'; expected safe|opening|any");
  EXPECT_TRUE(Minesweeper::make({{"board", "expert"}}));
}

TEST(Minesweeper, WrongBoardTextsAreNamedByLineAndColumn) {
  const Minesweeper game;
  const auto error = [&](std::string_view text) {
    return game.parse_observation(text).error().text();
  };
  EXPECT_EQ(error("2 2\n##\n##"),
            "line 1: the header is '2 2'; expected 'rows cols bombs', as '9 9 10'");
  EXPECT_EQ(error("2 2 5\n##\n##"), "line 1: 5 bombs on 4 cells; expected 4 at most");
  EXPECT_EQ(error("0 2 1\n"), "line 1: the board is 0 x 2; expected 1x1 to 64x64");
  EXPECT_EQ(error("2 2 1\n##\n"), "line 2: 1 row; expected 2 as the header says");
  EXPECT_EQ(error("2 2 1\n##\n###"), "line 3: 3 cells; expected 2 as the header says");
  EXPECT_EQ(error("2 2 1\n##\n#x"), "line 3:2: 'x' is no cell; expected 0 to 8, #, F or *");
  EXPECT_EQ(error("2 2 1\nFF\n##"), "2 flags; expected 1 at most, one for each bomb");
  EXPECT_EQ(error("2 2 2\n#1\n11"), "1 cell can hold a bomb; expected 2 at least, the bombs");
  EXPECT_EQ(error("2 2 1\n#5\n##"),
            "line 2:2: the number 5 cannot be right; 0 to 3 bombs are around it");
  EXPECT_EQ(error("2 2 1\n*0\n##"),
            "line 2:2: the number 0 cannot be right; 1 to 3 bombs are around it");
  EXPECT_TRUE(game.parse_observation("2 2 1\r\n#1\r\n11\r\n"));
}

}  // namespace
}  // namespace damier::games::minesweeper
