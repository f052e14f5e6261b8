// The generic test kit on chess, under the rule options that change how it is played.

#include "damier/testing/kit.h"

#include <gtest/gtest.h>

#include "damier/games/chess/chess.h"

namespace damier::games::chess {
namespace {

TEST(ChessKit, RandomGames) {
  const Chess game;
  kit::check_random_games(game, 4, 160);
  kit::check_perft(game, game.initial(), 3);
}

TEST(ChessKit, RandomGamesOfChess960) {
  for (const int start : {0, 331, 959}) {
    const Chess game({.chess960 = true, .start = start, .move_rule = 75});
    kit::check_random_games(game, 1, 100);
    kit::check_perft(game, game.initial(), 3);
  }
}

TEST(ChessKit, RandomGamesFromPositionsFullOfCastlingAndPromotion) {
  const Chess game;
  for (const char* fen :
       {"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", "8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1",
        "1rkr4/8/8/8/8/8/8/1RKR4 w DBdb - 0 1"}) {
    const auto state = game.parse_position(fen);
    ASSERT_TRUE(state) << state.error().text();
    kit::check_texts(game, *state);
    kit::check_moves(game, *state);
    kit::check_symmetries(game, *state);
    kit::check_perft(game, *state, 3);
  }
}

TEST(SlowChessKit, ManyMoreGames) {
  kit::check_random_games(Chess(), 60, 400);
  kit::check_random_games(Chess(kNoDraws), 10, 600);
  for (int start = 0; start < 960; start += 48) {
    kit::check_random_games(Chess({.chess960 = true, .start = start}), 1, 200);
  }
}

}  // namespace
}  // namespace damier::games::chess
