#include "damier/games/connect_four/connect_four.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "damier/base/numbers/random.h"
#include "damier/base/text/text.h"
#include "damier/games/perft.h"

namespace damier::games::connect_four {
namespace {

State after(const ConnectFour& game, std::string_view moves) {
  State state = game.initial();
  for (const char move : moves) {
    game.play(state, game.parse_move(state, std::string_view(&move, 1)).value());
  }
  return state;
}

// Whether a letter stands four times in a line, from the position's text.
bool plain_four(const std::string& text, char letter) {
  const auto rows = split(std::string_view(text).substr(0, text.size() - 2), '/');
  const int height = static_cast<int>(rows.size()), width = static_cast<int>(rows[0].size());
  const auto is = [&](int row, int col) {
    return row >= 0 && row < height && col >= 0 && col < width &&
           rows[static_cast<std::size_t>(row)][static_cast<std::size_t>(col)] == letter;
  };
  for (int row = 0; row < height; ++row) {
    for (int col = 0; col < width; ++col) {
      for (const auto& [down, right] : {std::pair{0, 1}, {1, 0}, {1, 1}, {1, -1}}) {
        int length = 0;
        while (length < 4 && is(row + length * down, col + length * right)) ++length;
        if (length == 4) return true;
      }
    }
  }
  return false;
}

TEST(ConnectFour, Perft) {
  const ConnectFour game;
  // 7^7 less the seven ways to overfill a column; then games begin to end.
  const std::uint64_t known[] = {1, 7, 49, 343, 2401, 16807, 117649, 823536, 5673234};
  for (int depth = 0; depth <= 8; ++depth) {
    EXPECT_EQ(perft(game, game.initial(), depth), known[depth]) << depth;
  }
}

TEST(ConnectFour, DiscsFallOntoTheLowestFreeCell) {
  const ConnectFour game;
  EXPECT_EQ(game.position_text(after(game, "ddc")),
            "......./......./......./......./...y.../..rr... y");
}

TEST(ConnectFour, AFullColumnTakesNoMore) {
  const ConnectFour game;
  const State state = after(game, "aaaaaa");
  EXPECT_EQ(game.legal_moves(state).size(), 6u);
  EXPECT_FALSE(game.parse_move(state, "a"));
}

RC_GTEST_PROP(ConnectFour, WinsAreLinesOfFourInEveryDirection, ()) {
  const int rows = *rc::gen::inRange(4, 8), cols = *rc::gen::inRange(4, 9);
  RC_PRE((rows + 1) * cols <= 64);
  const ConnectFour game(rows, cols);
  RandomStream random(Seed{*rc::gen::arbitrary<std::uint32_t>()}, "connect_four_test");
  State state = game.initial();
  for (;;) {
    const std::string text = game.position_text(state);
    RC_ASSERT(!plain_four(text, state.side == Side::first ? 'r' : 'y'));
    const bool won = plain_four(text, state.side == Side::first ? 'y' : 'r');
    RC_ASSERT((game.outcome(state) == win_of(opponent(state.side))) == won);
    const auto moves = game.legal_moves(state);
    if (moves.empty()) break;
    game.play(state, moves[random.below(moves.size())]);
  }
  RC_ASSERT(game.outcome(state) != Outcome::ongoing);
}

TEST(ConnectFour, AFullBoardWithoutFourInALineIsADraw) {
  const ConnectFour game(4, 4);
  const State state = after(game, "dcbacaaaddbcdbcb");
  EXPECT_EQ(game.outcome(state), Outcome::draw);
  EXPECT_EQ(game.ending(state), "the board is full");
}

TEST(ConnectFour, TheHeuristicSeesCellsThatCompleteALine) {
  const ConnectFour game;
  const State even = after(game, "ag"), threat = after(game, "bgcgd");
  EXPECT_EQ(game.heuristic(even), 0);
  EXPECT_LT(game.heuristic(threat), -50) << "Red completes its line on either side";
}

TEST(ConnectFour, WrongPositionsAreRefusedWithTheReason) {
  const ConnectFour game;
  const std::string empty = "......./......./......./......./......./.......";
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {empty, "the side to move"},
      {empty + " y", "the sides drop in turn"},
      {"......./......./......./......./...r.../....... y", "hangs in the air"},
      {"......./......./......./......./......./...x... y", "row 6, column 4"},
      {"......./....... r", "has 2 rows"},
      {"......./......./......./....... /yyyy.../rrrr... r", "row 4 has 8 cells"},
      {"......./......./......./......./......./rrryyrr r", "5 red and 2 yellow"},
      {"......./......./......./......./yyy..../rrrr... y", ""},
      {"......./......./......./....y../yyy..../rrrr... r", "hangs"},
      {"......./......./......./y....../yyy..../rrrr... r", "has won already"},
  };
  for (const auto& [text, message] : wrong) {
    const auto state = game.parse_position(text);
    EXPECT_EQ(static_cast<bool>(state), message.empty()) << text;
    if (!state) {
      EXPECT_NE(state.error().text().find(message), std::string::npos) << state.error().text();
    }
  }
}

TEST(ConnectFour, AnyCellOfAColumnCanBePointedAt) {
  const ConnectFour game;
  const State state = after(game, "d");
  const Gesture gesture = game.gesture(state, game.parse_move(state, "d").value());
  EXPECT_EQ(gesture.kind, "drop");
  EXPECT_EQ(gesture.cells, (std::vector{31, 3, 10, 17, 24, 38}));
}

TEST(ConnectFour, APositionCanBePutTogether) {
  const ConnectFour game;
  const State state = after(game, "ddcabc");
  const auto pieces = ConnectFour::pieces();
  Placement placement = placement_of(game.picture(state, {}), state.side, pieces);
  EXPECT_EQ(game.text_of(placement), game.position_text(state));
  put_alone(placement, 38, pieces[1]);
  EXPECT_EQ(game.text_of(placement), "......./......./......./......./..yy.../yrry... r");
  put_alone(placement, 38, pieces[1]);
  EXPECT_FALSE(game.parse_position(game.text_of(placement))) << "the disc above hangs in the air";
}

}  // namespace
}  // namespace damier::games::connect_four
