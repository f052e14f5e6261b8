// The board to look at.

#include "tests/games/chess/test_kit.h"
#include <gtest/gtest.h>

#include "damier/games/chess/chess_picture.h"

namespace damier::games::chess {
namespace {

TEST(ChessPicture, LettersAreEnglishOrFrench) {
  std::string english, french;
  for (const Kind kind :
       {Kind::king, Kind::queen, Kind::rook, Kind::bishop, Kind::knight, Kind::pawn}) {
    english += piece_letter({kind, Side::first}, Language::english);
    french += piece_letter({kind, Side::first}, Language::french);
  }
  EXPECT_EQ(english, "KQRBNP");
  EXPECT_EQ(french, "RDTFCP");
  EXPECT_EQ(piece_letter({Kind::knight, Side::second}, Language::french), 'c');
  EXPECT_EQ(piece_figure({Kind::knight, Side::second}), "♞");
}

TEST(ChessPicture, EitherSideMaySitBelow) {
  const Chess game;
  const Picture white = game.picture(game.initial(), {});
  EXPECT_EQ(white.row_labels.front(), "8");
  EXPECT_EQ(white.col_labels.front(), "a");
  EXPECT_EQ(white.at(7, 4).tokens.front().glyph, "♔");
  EXPECT_EQ(white.at(7, 4).tokens.front().ascii, "K");
  const Picture black = chess_picture(game.generator(), game.initial(), {},
                                      {.bottom = Side::second, .language = Language::french});
  EXPECT_EQ(black.row_labels.front(), "1");
  EXPECT_EQ(black.col_labels.front(), "h");
  EXPECT_EQ(black.at(7, 3).tokens.front().glyph, "♚");
  EXPECT_EQ(black.at(7, 3).tokens.front().ascii, "r");
}

TEST(ChessPicture, MarksTheLastMoveAndAKingInCheck) {
  const Chess game;
  State state = read_fen(game, "5k2/8/8/8/8/8/8/4K2R w K - 0 1");
  const Move castling = read_move(game, state, "O-O");
  game.play(state, castling);
  const Picture picture = game.picture(state, std::span(&castling, 1));
  EXPECT_EQ(picture.at(7, 4).shade, Shade::highlight);
  EXPECT_EQ(picture.at(7, 6).shade, Shade::highlight);
  EXPECT_EQ(picture.at(7, 7).shade, Shade::none);
  EXPECT_EQ(picture.at(0, 5).tokens.front().ink, Ink::alert);
  EXPECT_EQ(picture.caption, "Move 1, Black to move, in check; White has ♖ more");
  EXPECT_EQ(picture.ascii_caption, "Move 1, Black to move, in check; White has R more");
}

}  // namespace
}  // namespace damier::games::chess
