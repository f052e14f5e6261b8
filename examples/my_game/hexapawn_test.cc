#include "hexapawn.h"

#include <gtest/gtest.h>

#include "damier/testing/kit.h"

namespace hexapawn {
namespace {

TEST(Hexapawn, PassesTheKit) {
  const Hexapawn game;
  kit::check_random_games(game, 100, 20);
  kit::check_perft(game, game.initial(), 5);
}

TEST(Hexapawn, ASideThatCannotMoveLoses) {
  const Hexapawn game;
  const State state = game.parse_position("..../b.../w.../.... b").value();
  EXPECT_EQ(game.outcome(state), Outcome::first_wins);
  EXPECT_EQ(game.ending(state), "no move is left");
}

TEST(Hexapawn, PawnsTakeDiagonallyOnly) {
  const Hexapawn game;
  const State state = game.parse_position("..../bb../w.../.... w").value();
  const auto moves = game.legal_moves(state);
  ASSERT_EQ(moves.size(), 1u);
  EXPECT_EQ(game.move_text(state, moves[0]), "a2b3");
}

}  // namespace
}  // namespace hexapawn
