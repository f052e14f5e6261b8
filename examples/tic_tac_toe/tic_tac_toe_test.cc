#include "tic_tac_toe.h"

#include <gtest/gtest.h>

#include "damier/testing/kit.h"

namespace tic_tac_toe {
namespace {

TEST(TicTacToe, PassesTheKit) {
  const TicTacToe game;
  kit::check_random_games(game, 100, 9);
  kit::check_perft(game, game.initial(), 6);
}

TEST(TicTacToe, PerftIsAsPublished) {
  const TicTacToe game;
  EXPECT_EQ(perft(game, game.initial(), 5), 15120u);
  EXPECT_EQ(perft(game, game.initial(), 9), 127872u);
}

TEST(TicTacToe, WrongPositionsAreNamed) {
  const TicTacToe game;
  EXPECT_EQ(game.parse_position("xx./.../... o").error().text(),
            "position 'xx./.../... o': the sides have not moved in turn");
}

}  // namespace
}  // namespace tic_tac_toe
