// The board to look at.

#include "tests/games/chess/test_kit.h"
#include <gtest/gtest.h>

namespace damier::games::chess {
namespace {

TEST(ChessPicture, MarksTheLastMoveAndAKingInCheck) {
  const Chess game;
  State state = read_fen(game, "5k2/8/8/8/8/8/8/4K2R w K - 0 1");
  const Move castling = read_move(game, state, "O-O");
  game.play(state, castling);
  const Picture picture = game.picture(state, std::span(&castling, 1));
  EXPECT_EQ(picture.at(7, 4).shade, Shade::highlight);
  EXPECT_EQ(picture.at(7, 6).shade, Shade::highlight);
  EXPECT_EQ(picture.at(7, 7).shade, Shade::none);
  EXPECT_EQ(picture.at(0, 5).tokens.front(), (Token{"king", Side::second, "checked"}));
  EXPECT_EQ(picture.caption, "Move 1, Black to move, in check; White has {} more");
  EXPECT_EQ(picture.caption_pieces.front(), (std::vector<Token>{{"rook", Side::first}}));
}

TEST(ChessPicture, APromotionSaysWhatThePawnBecomes) {
  const Chess game;
  const State state = read_fen(game, "8/4P3/8/8/8/8/k7/2K5 w - - 0 1");
  const Gesture gesture = game.gesture(state, read_move(game, state, "e8=N"));
  EXPECT_EQ(gesture.kind, "move");
  EXPECT_EQ(gesture.cells, (std::vector{12, 4}));
  EXPECT_EQ(gesture.piece, "knight");
}

}  // namespace
}  // namespace damier::games::chess
