// Moves as text: SAN and UCI.

#include "damier/games/chess/san.h"

#include "tests/games/chess/test_kit.h"
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace damier::games::chess {
namespace {

struct Written {
  const char* fen;
  const char* uci;
  const char* san;
};

TEST(ChessSan, SaysTheLeastThatTellsMovesApart) {
  const Written table[] = {
      {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e2e4", "e4"},
      {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "g1f3", "Nf3"},
      {"4k3/8/8/8/8/8/8/1N1K1N2 w - - 0 1", "b1d2", "Nbd2"},
      {"4k3/8/8/1N6/8/8/8/1N2K3 w - - 0 1", "b1c3", "N1c3"},
      {"6k1/8/8/8/4Q2Q/8/8/1K5Q w - - 0 1", "h4e1", "Qh4e1"},
      {"6k1/8/8/8/4Q2Q/8/8/1K5Q w - - 0 1", "e4e1", "Qee1"},
      {"6k1/8/8/8/4Q2Q/8/8/1K5Q w - - 0 1", "h1e1", "Q1e1"},
      // The knight on f1 is pinned: no other knight can go to d2.
      {"4k3/8/8/8/8/8/8/1N1K1N1r w - - 0 1", "b1d2", "Nd2"},
      {"rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", "e5f6", "exf6"},
      {"1n5k/P7/8/8/8/8/8/K7 w - - 0 1", "a7b8q", "axb8=Q+"},
      {"1n5k/P7/8/8/8/8/8/K7 w - - 0 1", "a7a8n", "a8=N"},
      {"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", "O-O"},
      {"r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8c8", "O-O-O"},
      {"5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O+"},
      {"6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "a1a8", "Ra8#"},
      {"rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2", "d8h4", "Qh4#"},
  };
  const Chess game;
  for (const Written& row : table) {
    const State state = read_fen(game, row.fen);
    const auto move = find_uci(game.generator(), state, row.uci);
    ASSERT_TRUE(move) << row.uci;
    EXPECT_EQ(game.move_text(state, *move), row.san) << row.fen;
    EXPECT_EQ(uci_text(*move, false), row.uci);
    EXPECT_TRUE(read_move(game, state, row.san) == *move);
    EXPECT_TRUE(read_move(game, state, row.uci) == *move);
  }
}

TEST(ChessSan, TakesWhatPeopleWrite) {
  const Chess game;
  const auto same = [&](const char* fen, std::initializer_list<const char*> texts) {
    const State state = read_fen(game, fen);
    const Move first = read_move(game, state, *texts.begin());
    for (const char* text : texts) {
      EXPECT_TRUE(read_move(game, state, text) == first) << text;
    }
  };
  same("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
       {"O-O", "0-0", "o-o", "O-O+", "e1g1", "e1h1", " O-O ", "O-O!?"});
  same("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", {"O-O-O", "0-0-0", "e1c1", "e1a1"});
  same("1n5k/P7/8/8/8/8/8/K7 w - - 0 1",
       {"axb8=Q+", "axb8Q", "ab8=Q", "axb8(Q)", "axb8=Q#", "axb8/Q", "a7b8q", "a7xb8=Q", "axb8=q"});
  same("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
       {"exf6", "exf6 e.p.", "exf6e.p.", "e5f6", "ef6", "e5xf6", "exf6 ep", "Pexf6"});
  same("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
       {"Nf3", "Ngf3", "Ng1f3", "Ng1-f3", "g1f3", "Nf3!", "Nxf3", "Nf3+", "g1f3+"});
}

TEST(ChessSan, SaysWhyAMoveIsNotTaken) {
  struct Wrong {
    const char* fen;
    const char* text;
    const char* message;
  };
  const char* const start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
  const Wrong table[] = {
      {start, "hello", "'hello' is not a move; moves are written"},
      {start, "", "is not a move"},
      {start, "Ne5", "'Ne5' is not a legal move here; no knight of White can go to e5"},
      {start, "e5", "no pawn of White can go to e5"},
      {start, "O-O", "White cannot castle short now"},
      {start, "0-0-0", "White cannot castle long now"},
      {start, "e2e5", "'e2e5' is not a legal move here"},
      {start, "Nhf3", "did you mean Nf3?"},
      {"4k3/8/8/8/8/8/8/1N1K1N2 w - - 0 1", "Nd2", "can be more than one move; write Nbd2 or Nfd2"},
      {"7k/P7/8/8/8/8/8/K7 w - - 0 1", "a8", "a pawn on the last rank is promoted: a8=Q+, a8=N"},
      {"7k/P7/8/8/8/8/8/K7 w - - 0 1", "a8=K", "is not a move"},
      {"7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "Kg8", "'Kg8' cannot be played; the game is over"},
  };
  const Chess game;
  for (const Wrong& wrong : table) {
    const auto move = game.parse_move(read_fen(game, wrong.fen), wrong.text);
    ASSERT_FALSE(move) << wrong.text;
    EXPECT_NE(move.error().message.find(wrong.message), std::string::npos)
        << move.error().message << "\nexpected: " << wrong.message;
  }
}

TEST(ChessUci, CastlingIsTheKingTakingItsRookInChess960) {
  const Chess game;
  const State usual = read_fen(game, "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
  const Move castling = read_move(game, usual, "O-O");
  EXPECT_EQ(uci_text(castling, false), "e1g1");
  EXPECT_EQ(uci_text(castling, true), "e1h1");
  const State other = read_fen(game, "4k3/8/8/8/8/8/8/5K1R w K - 0 1");
  EXPECT_EQ(uci_text(read_move(game, other, "O-O"), false), "f1h1");
  EXPECT_FALSE(is_castling(read_move(game, other, "f1g1"))) << "a step of the king";
}

RC_GTEST_PROP(ChessSan, WhatIsWrittenIsRead, (std::uint64_t seed)) {
  const Chess game = any_chess(seed);
  for (const RandomPly& ply : random_game(game, seed, 120)) {
    for (const Move move : game.legal_moves(ply.before)) {
      const std::string san = game.move_text(ply.before, move);
      RC_ASSERT(find_san(game.generator(), ply.before, san) == move);
      for (const bool chess960 : {false, true}) {
        RC_ASSERT(find_uci(game.generator(), ply.before, uci_text(move, chess960)) == move);
      }
    }
  }
}

RC_GTEST_PROP(ChessSan, AnyTextIsAMoveOrAnErrorInOneLine, (const std::string& text)) {
  const Chess game;
  const auto move = game.parse_move(game.initial(), text);
  if (!move) RC_ASSERT(move.error().message.find('\n') == std::string::npos);
}

}  // namespace
TEST(ChessSan, PiecesHaveTheLettersOfALanguage) {
  const auto french = [](std::string_view text) { return san_in_language(text, Language::french); };
  EXPECT_EQ(french("Nf3 Bxe5+ Qh4# Rad1 Kd1 e8=Q O-O exd5 g1f3"),
            "Cf3 Fxe5+ Dh4# Tad1 Rd1 e8=D O-O exd5 g1f3");
  EXPECT_EQ(french("'Nd2' of Black; Queen"), "'Cd2' of Black; Queen") << "words stay";
  for (const char* move : {"Nf3", "Bxe5+", "Qh4#", "Rad1", "Kd1", "exd8=N+", "O-O-O", "Ng1-f3"}) {
    EXPECT_EQ(san_in_english(french(move), Language::french), move);
  }
  EXPECT_EQ(san_in_english("Nf3", Language::french), "Nf3");
  EXPECT_EQ(san_in_english("Foo", Language::french), "Foo");
  EXPECT_EQ(san_in_english("Rd1", Language::english), "Rd1");
}

}  // namespace damier::games::chess
