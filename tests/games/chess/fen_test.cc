// Positions as text.

#include "damier/games/chess/fen.h"

#include "tests/games/chess/test_kit.h"
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace damier::games::chess {
namespace {

struct WrongFen {
  const char* fen;
  const char* message;  // a part of it
};

TEST(ChessFen, SaysWhichFieldIsWrongAndWhy) {
  const WrongFen table[] = {
      {"", "expected 4 or 6 fields"},
      {"8/8/8/8/8/8/8/8 w - -", "board: White has 0 kings, not one"},
      {"8/8/8/8/8/8/8/8 w -", "expected 4 or 6 fields"},
      {"4k3/8/8/8/8/8/8/4K3 w - - 0", "expected 4 or 6 fields"},
      {"4k3/8/8/8/8/8/4K3 w - - 0 1", "board: expected 8 ranks separated by '/', found 7"},
      {"4k3/8/8/8/8/8/8/8/4K3 w - - 0 1", "board: expected 8 ranks separated by '/', found 9"},
      {"4k3/8/8/7/8/8/8/4K3 w - - 0 1", "board: rank 5 has fewer squares than 8"},
      {"4k3/8/8/8/44p/8/8/4K3 w - - 0 1", "board: rank 4 has more squares than 8"},
      {"4k3/8/8/8/8/8/8/4K2X w - - 0 1", "board: 'X' in rank 1 is neither a piece"},
      {"4k3/8/8/8/9/8/8/4K3 w - - 0 1", "board: '9' in rank 4"},
      {"4k3/8/8/8/8/8/8/3KK3 w - - 0 1", "board: White has 2 kings, not one"},
      {"8/8/8/8/8/8/8/4K3 w - - 0 1", "board: Black has 0 kings, not one"},
      {"4k3/8/8/8/8/8/8/P3K3 w - - 0 1", "board: a pawn on a1"},
      {"4k2p/8/8/8/8/8/8/4K3 w - - 0 1", "board: a pawn on h8"},
      {"4k3/pppppppp/p7/8/8/8/8/4K3 w - - 0 1", "board: Black has 9 pawns, more than 8"},
      {"4k3/8/8/8/8/Q7/PPPPPPPP/RNBQKBNR w - - 0 1",
       "board: White has too many pieces: 1 must have been promoted, and 8 pawns"},
      {"4k3/4Q3/8/8/8/8/8/4K3 w - - 0 1",
       "board: Black is in check from e7, but it is White's move"},
      {"8/8/8/3kK3/8/8/8/8 w - - 0 1", "board: the kings on e5 and d5 stand side by side"},
      {"4k3/8/3N1N2/8/4R3/8/8/4K3 b - - 0 1", "board: 3 pieces give check at once"},
      {"4k3/8/8/8/8/8/8/4K3 x - - 0 1", "side to move: expected w or b, found 'x'"},
      {"4k3/8/8/8/8/8/8/4K2R w KX - 0 1", "castling: 'X' is not one of KQkq"},
      {"4k3/8/8/8/8/8/4K3/7R w K - 0 1", "castling: K is impossible, White's king is on e2"},
      {"4k3/8/8/8/8/8/8/4K2R w Q - 0 1", "castling: Q is impossible, White has no rook left of"},
      {"4k2r/8/8/8/8/8/8/4K3 w q - 0 1", "castling: q is impossible, Black has no rook left of"},
      {"4k3/8/8/8/8/8/8/4K2R w B - 0 1", "castling: B is impossible, White has no rook on the b-"},
      {"4k3/8/8/8/8/8/8/4K1RR w HG - 0 1", "castling: G is the second right of White on that"},
      {"4k3/8/8/8/8/8/8/4K2R w KK - 0 1", "castling: K is the second right"},
      {"4k3/8/8/8/8/8/8/4K3 w - x9 0 1", "en passant: expected a square or -, found 'x9'"},
      {"4k3/8/8/3pP3/8/8/8/4K3 w - d5 0 1",
       "en passant: with White to move the square is on rank 6, not d5"},
      {"4k3/8/8/4P3/8/8/8/4K3 w - d6 0 1", "en passant: no pawn of Black on d5 has just passed d6"},
      {"4k3/3r4/8/3pP3/8/8/8/4K3 w - d6 0 1", "en passant: d7 and d6 must be empty"},
      {"4k3/8/8/8/8/8/8/4K3 w - - x 1", "half-move clock"},
      {"4k3/8/8/8/8/8/8/4K3 w - - 0 0", "move number"},
      {"4k3/8/8/8/8/8/8/4K3 w - - 0 99999", "move number"},
  };
  const Chess game;
  for (const WrongFen& wrong : table) {
    const auto state = game.parse_position(wrong.fen);
    ASSERT_FALSE(state) << wrong.fen;
    EXPECT_NE(state.error().message.find(wrong.message), std::string::npos)
        << state.error().message << "\nexpected: " << wrong.message;
  }
}

TEST(ChessFen, KeepsEveryField) {
  const Chess game;
  for (const char* fen :
       {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
        "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 37 91", "1r2k1r1/8/8/8/8/8/8/R1R1K2R w KCkq - 0 1"}) {
    EXPECT_EQ(game.position_text(read_fen(game, fen)), fen);
  }
}

TEST(ChessFen, FourFieldsAndLooseSpacesAreEnough) {
  const Chess game;
  EXPECT_EQ(game.position_text(read_fen(game, "  4k3/8/8/8/8/8/8/4K2R  w K -  ")),
            "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
}

TEST(ChessFen, ShredderAndXFenRightsMeanTheSame) {
  const Chess game;
  EXPECT_TRUE(read_fen(game, "1rkr4/8/8/8/8/8/8/1RKR4 w DBdb - 0 1") ==
              read_fen(game, "1rkr4/8/8/8/8/8/8/1RKR4 w KQkq - 0 1"));
  EXPECT_FALSE(read_fen(game, "4k3/8/8/8/8/8/8/R1R1K3 w C - 0 1") ==
               read_fen(game, "4k3/8/8/8/8/8/8/R1R1K3 w Q - 0 1"));
}

RC_GTEST_PROP(ChessFen, WhatIsWrittenIsRead, (std::uint64_t seed)) {
  const Chess game = any_chess(seed);
  for (const RandomPly& ply : random_game(game, seed, 150)) {
    const std::string text = game.position_text(ply.after);
    const auto state = game.parse_position(text);
    RC_ASSERT(state.ok());
    RC_ASSERT(*state == ply.after);
    RC_ASSERT(state->halfmove_clock == ply.after.halfmove_clock);
    RC_ASSERT(state->move_number == ply.after.move_number);
    RC_ASSERT(game.position_text(*state) == text);
  }
}

// Any damage is either still a position or an error in one line.
RC_GTEST_PROP(ChessFen, DamagedTextNeverCrashes, (std::uint64_t seed)) {
  RandomStream random(Seed{seed}, "damage");
  const Chess game(kNoDraws);
  const auto line = random_game(game, seed, 60);
  std::string text = game.position_text(line.back().after);
  for (int i = 0; i < 3; ++i) {
    constexpr std::string_view kLetters = "KQRBNPkqrbnp12345678/wb- abcdefgh";
    text[random.below(text.size())] = kLetters[random.below(kLetters.size())];
  }
  const auto state = game.parse_position(text);
  if (state) {
    RC_ASSERT(game.count_moves(*state) == static_cast<int>(game.legal_moves(*state).size()));
    RC_ASSERT(game.parse_position(game.position_text(*state)).value() == *state);
  } else {
    RC_ASSERT(state.error().message.find('\n') == std::string::npos);
  }
}

}  // namespace
}  // namespace damier::games::chess
