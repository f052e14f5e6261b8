#include "damier/games/domineering/domineering.h"

#include <map>
#include <set>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "damier/base/parallel/isa.h"
#include "damier/games/perft.h"

namespace damier::games::domineering {
namespace {

std::set<std::string> moves_of(const Domineering& game, const State& state) {
  std::set<std::string> texts;
  for (const Move move : game.legal_moves(state)) texts.insert(game.move_text(state, move));
  return texts;
}

// The moves again, from the position's text.
std::set<std::string> plain_moves(const std::string& text) {
  std::vector<std::string> rows(1);
  for (const char c : text.substr(0, text.size() - 2)) {
    if (c == '/') {
      rows.emplace_back();
    } else {
      rows.back() += c;
    }
  }
  const bool vertical = text.back() == 'v';
  std::set<std::string> found;
  for (std::size_t y = 0; y + (vertical ? 1 : 0) < rows.size(); ++y) {
    for (std::size_t x = 0; x + (vertical ? 0 : 1) < rows[y].size(); ++x) {
      const char other = vertical ? rows[y + 1][x] : rows[y][x + 1];
      if (rows[y][x] == '.' && other == '.') {
        found.insert(std::string(1, static_cast<char>('a' + x)) + std::to_string(y + 1));
      }
    }
  }
  return found;
}

TEST(Domineering, FiftySixOpeningMovesEach) {
  const Domineering game;
  EXPECT_EQ(game.legal_moves(game.initial()).size(), 56u);
  EXPECT_EQ(game.legal_moves({game.initial().free, Side::second}).size(), 56u);
}

TEST(Domineering, Perft) {
  const Domineering game;
  EXPECT_EQ(perft(game, game.initial(), 1), 56u);
  EXPECT_EQ(perft(game, game.initial(), 3), 146580u);
}

TEST(Domineering, VerticalCoversDownwardsHorizontalToTheRight) {
  const Domineering game(2, 3);
  State state = game.initial();
  EXPECT_EQ(moves_of(game, state), (std::set<std::string>{"a1", "b1", "c1"}));
  game.play(state, *game.parse_move(state, "a1"));
  EXPECT_EQ(game.position_text(state), "#../#.. h");
  EXPECT_EQ(moves_of(game, state), (std::set<std::string>{"b1", "b2"}));
  game.play(state, *game.parse_move(state, "b2"));
  EXPECT_EQ(game.position_text(state), "#../### v");
  EXPECT_EQ(game.outcome(state), Outcome::second_wins) << "Vertical cannot move and loses";
}

TEST(Domineering, TheActionIsTheCell) {
  const Domineering game;
  const auto move = *game.parse_move(game.initial(), "c2");
  EXPECT_EQ(index(game.action(game.initial(), move)), 8 * 1 + 2);
}

RC_GTEST_PROP(Domineering, AgreesWithThePlainMoves, ()) {
  const int rows = *rc::gen::inRange(1, 9), cols = *rc::gen::inRange(1, 9);
  const Domineering game(rows, cols);
  State state = game.initial();
  state.free &= *rc::gen::arbitrary<std::uint64_t>() | *rc::gen::arbitrary<std::uint64_t>();
  state.side = *rc::gen::element(Side::first, Side::second);
  RC_ASSERT(moves_of(game, state) == plain_moves(game.position_text(state)));
}

// Who wins a small board with best play: plain search with a memory of positions.
bool mover_wins(const Domineering& game, const State& state, std::map<std::uint64_t, bool>& known) {
  const auto at = known.find(game.hash(state));
  if (at != known.end()) return at->second;
  bool wins = false;
  for (const Move move : game.legal_moves(state)) {
    State next = state;
    game.play(next, move);
    if (!mover_wins(game, next, known)) {
      wins = true;
      break;
    }
  }
  return known[game.hash(state)] = wins;
}

// 1: the first player wins, 2: the second, V: Vertical, H: Horizontal, whoever begins.
void check_winners(const std::map<std::pair<int, int>, char>& known) {
  for (const auto& [size, winner] : known) {
    const Domineering game(size.first, size.second);
    std::map<std::uint64_t, bool> memory;
    const bool vertical_first = mover_wins(game, game.initial(), memory);
    const bool horizontal_first = mover_wins(game, {game.initial().free, Side::second}, memory);
    const char found = vertical_first && horizontal_first     ? '1'
                       : !vertical_first && !horizontal_first ? '2'
                       : vertical_first                       ? 'V'
                                                              : 'H';
    EXPECT_EQ(found, winner) << size.first << "x" << size.second;
  }
}

TEST(Domineering, SmallBoardsHaveTheirKnownWinners) {
  check_winners({{{2, 2}, '1'},
                 {{3, 3}, '1'},
                 {{4, 4}, '1'},
                 {{2, 3}, '1'},
                 {{2, 4}, 'H'},
                 {{2, 5}, 'V'},
                 {{2, 6}, '1'},
                 {{2, 7}, '1'},
                 {{3, 4}, 'H'},
                 {{4, 2}, 'V'}});
}

TEST(SlowDomineering, LargerBoardsHaveTheirKnownWinners) {
  check_winners({{{4, 5}, 'V'}, {{5, 4}, 'H'}, {{5, 5}, '2'}, {{4, 6}, '1'}});
}

TEST(SlowDomineering, TwoHundredMillionRandomGames) {
  const Domineering game;
  const auto tally = random_playouts(game, game.initial(), 200000000, Seed{7});
  EXPECT_NEAR(static_cast<double>(tally.first_wins) / 2e8, 0.5089, 0.0002);
  EXPECT_NEAR(static_cast<double>(tally.plies) / 2e8, 27.923, 0.001);
}

TEST(Domineering, RandomPlayFromTheEmptyBoardIsAsPublished) {
  const Domineering game;
  const auto tally = random_playouts(game, game.initial(), 1000000, Seed{1});
  EXPECT_EQ(tally.games, 1000000u);
  EXPECT_NEAR(static_cast<double>(tally.first_wins) / 1e6, 0.509, 0.002);
  EXPECT_NEAR(static_cast<double>(tally.plies) / 1e6, 27.9, 0.05);
}

TEST(Domineering, FastPlayoutsHaveTheDistributionOfPlainOnes) {
  // Lengths of games on a small board, both ways: the counts must agree within chance.
  const Domineering game(4, 5);
  constexpr int kGames = 200000;
  const auto fast = random_playouts(game, game.initial(), kGames, Seed{2});
  RandomStream random(Seed{2}, "plain");
  PlayoutTally plain;
  double squares = 0;
  for (int i = 0; i < kGames; ++i) {
    const Playout playout = random_playout(game, game.initial(), random, 64);
    plain +=
        {1, playout.outcome == Outcome::first_wins, 0, static_cast<std::uint64_t>(playout.plies)};
    squares += static_cast<double>(playout.plies) * playout.plies;
  }
  const double mean = static_cast<double>(plain.plies) / kGames;
  const double deviation = std::sqrt((squares / kGames - mean * mean) * 2 / kGames);
  EXPECT_NEAR(static_cast<double>(fast.plies) / kGames, mean, 4 * deviation);
  const double share = static_cast<double>(plain.first_wins) / kGames;
  EXPECT_NEAR(static_cast<double>(fast.first_wins) / kGames, share,
              4 * std::sqrt(share * (1 - share) * 2 / kGames));
}

TEST(Domineering, BothKernelsPlayTheSameGames) {
  if (!can_run(Isa::bmi2)) GTEST_SKIP() << "this processor has the plain kernel only";
  for (const auto& [rows, cols] : {std::pair{8, 8}, {3, 5}, {1, 64}, {64, 1}, {1, 1}, {7, 9}}) {
    const Domineering game(rows, cols);
    for (const Side side : {Side::first, Side::second}) {
      const State state{game.initial().free, side};
      EXPECT_EQ(random_playouts(game, state, 10001, Seed{4}, 7, Isa::plain),
                random_playouts(game, state, 10001, Seed{4}, 7, Isa::bmi2))
          << rows << "x" << cols;
    }
  }
}

TEST(Domineering, PlayoutsOfAFinishedPositionAreLost) {
  const Domineering game(1, 4);
  const auto tally = random_playouts(game, game.initial(), 10, Seed{1});
  EXPECT_EQ(tally.first_wins, 0u) << "Vertical cannot move on one row";
  EXPECT_EQ(tally.plies, 0u);
}

TEST(Domineering, FeaturesAreTakenFreeAndPlayer) {
  const Domineering game(2, 2);
  std::vector<float> features(12);
  game.write_features(*game.parse_position("#./.. h"), features);
  EXPECT_EQ(features, (std::vector<float>{1, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1}));
}

TEST(Domineering, WrongBoardsAndPositionsAreNamed) {
  const auto board = [](std::string value) {
    return Domineering::make({{"board", std::move(value)}}).error().text();
  };
  EXPECT_EQ(board("8"), "board '8' is not of the form ROWSxCOLS, as 8x8");
  EXPECT_EQ(board("8x8x3"), "board '8x8x3' is not of the form ROWSxCOLS, as 8x8");
  EXPECT_EQ(board("9x8"), "board 9x8 has 72 cells; expected 1 to 64");
  EXPECT_EQ(board("0x8"), "board 0x8 has 0 cells; expected 1 to 64");
  EXPECT_EQ(board("1000000x1000000"),
            "board 1000000x1000000 has 1000000000000 cells; expected 1 to 64");
  const Domineering game(2, 3);
  const auto error = [&](std::string_view text) {
    return game.parse_position(text).error().text();
  };
  EXPECT_EQ(error(".../.x. v"), "position '.../.x. v': row 2, column 2 is 'x'; expected . or #");
  EXPECT_EQ(error("... v"), "position '... v': has 1 row; expected 2 (the board is 2x3)");
  EXPECT_EQ(error("..../.. v"), "position '..../.. v': row 1 has 4 cells; expected 3");
  EXPECT_NE(error(".../..."), "");
}

}  // namespace
}  // namespace damier::games::domineering
