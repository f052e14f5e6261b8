// Games in PGN, read and written.

#include "damier/games/chess/pgn.h"

#include <sstream>

#include "tests/games/chess/test_kit.h"
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "damier/games/chess/san.h"

namespace damier::games::chess {
namespace {

struct Read {
  std::vector<PgnGame> games;
  std::vector<std::string> errors;
};

Read read_all(const std::string& text, PgnReaderOptions options = {}) {
  Read read;
  std::istringstream in(text);
  const PgnTotals totals = read_pgn(
      in, "file.pgn", options, [&](PgnGame& game) { read.games.push_back(game); },
      [&](const Error& error) { read.errors.push_back(error.text()); });
  EXPECT_EQ(totals.games, std::ssize(read.games));
  EXPECT_EQ(totals.broken, std::ssize(read.errors));
  return read;
}

std::string moves_text(const PgnGame& game) {
  const Chess rules(kNoDraws);
  std::string text;
  State state = game.start;
  for (const PgnPly& ply : game.line) {
    text += (text.empty() ? "" : " ") + rules.move_text(state, ply.move);
    rules.play(state, ply.move);
  }
  return text;
}

constexpr const char* kOpera = R"([Event "Paris Opera"]
[Site "Paris FRA"]
[Date "1858.??.??"]
[Round "?"]
[White "Morphy, Paul"]
[Black "Duke of Brunswick \"and\" Count Isouard"]
[Result "1-0"]
[ECO "C41"]

1.e4 e5 2.Nf3 d6 3.d4 Bg4?! {This is a weak move
already.} 4.dxe5 Bxf3 (4...dxe5 5.Qxd8+ (5.Nxe5 Bxd1) 5...Kxd8 6.Nxe5) 5.Qxf3 dxe5
6.Bc4 Nf6 7.Qb3 $1 $14 Qe7 8.Nc3 c6 9.Bg5 b5 10.Nxb5 cxb5 11.Bxb5+ Nbd7 12.O-O-O
Rd8 13.Rxd7 Rxd7 14.Rd1 Qe6 15.Bxd7+ Nxd7 16.Qb8+!! Nxb8 ; the end is near
17.Rd8# 1-0 {White mates}
)";

TEST(ChessPgn, ReadsTagsMovesVariationsNagsAndComments) {
  const Read read = read_all(kOpera);
  ASSERT_EQ(read.errors, std::vector<std::string>{});
  ASSERT_EQ(read.games.size(), 1u);
  const PgnGame& game = read.games[0];
  EXPECT_EQ(game.tag("Black"), "Duke of Brunswick \"and\" Count Isouard");
  EXPECT_EQ(game.tag("ECO"), "C41");
  EXPECT_EQ(game.tag("Nothing"), "");
  EXPECT_EQ(game.result, "1-0");
  EXPECT_EQ(game.comment, "White mates");
  EXPECT_EQ(game.line.size(), 33u);
  EXPECT_EQ(moves_text(game).substr(0, 20), "e4 e5 Nf3 d6 d4 Bg4 ");
  EXPECT_EQ(game.line[5].nags, std::vector<std::uint8_t>{6});
  EXPECT_EQ(game.line[5].comment, "This is a weak move already.");
  EXPECT_EQ(game.line[12].nags, (std::vector<std::uint8_t>{1, 14}));
  EXPECT_EQ(game.line[30].nags, std::vector<std::uint8_t>{3});
  EXPECT_EQ(game.line[31].comment, "the end is near");
  ASSERT_EQ(game.line[7].variations.size(), 1u);
  const PgnLine& variation = game.line[7].variations[0];
  ASSERT_EQ(variation.size(), 4u);
  ASSERT_EQ(variation[1].variations.size(), 1u);
  EXPECT_EQ(variation[1].variations[0].size(), 2u);
}

TEST(ChessPgn, VariationsAndCommentsCanBePassedOver) {
  const Read read = read_all(kOpera, {.variations = false, .comments = false});
  ASSERT_EQ(read.games.size(), 1u);
  EXPECT_EQ(read.games[0].line.size(), 33u);
  EXPECT_TRUE(read.games[0].line[7].variations.empty());
  EXPECT_EQ(read.games[0].line[5].comment, "");
}

TEST(ChessPgn, ReadsClocksAndEvaluations) {
  const Read read = read_all(
      "1. e4 { [%eval 0.17] [%clk 0:00:30] } 1... c5 { [%eval -1.05] [%clk 1:02:03.5] a comment "
      "[%csl Gd4] } 2. Nf3 {[%eval #-3]} *");
  ASSERT_EQ(read.games.size(), 1u);
  const PgnLine& line = read.games[0].line;
  ASSERT_EQ(line.size(), 3u);
  EXPECT_EQ(line[0].eval, (PgnEval{false, 17}));
  EXPECT_EQ(line[0].clock, 30.0);
  EXPECT_EQ(line[0].comment, "");
  EXPECT_EQ(line[1].eval, (PgnEval{false, -105}));
  EXPECT_EQ(line[1].clock, 3723.5);
  EXPECT_EQ(line[1].comment, "a comment [%csl Gd4]");
  EXPECT_EQ(line[2].eval, (PgnEval{true, -3}));
}

TEST(ChessPgn, ReadsOddButUsualForms) {
  for (const char* text :
       {"1.e4 e5 2.Nf3 Nc6 *", "1. e4 e5 2. Nf3 Nc6", "e4 e5 Nf3 Nc6 1-0", "1 e4 e5 2 Nf3 Nc6 *",
        "1. e2e4 e7e5 2. g1f3 b8c6 *",
        "\xEF\xBB\xBF[Event \"x\"]\r\n\r\n1. e4 e5\r\n2. Nf3 Nc6 1/2-1/2\r\n",
        "[Event\"x\"] [Site \"y\"]\n1. e4 e5 2. Nf3 Nc6 *", "%hidden line\n1. e4 e5 2. Nf3 Nc6 0-1",
        "1. e4! e5?? 2. Nf3 !? Nc6 ?! *"}) {
    const Read read = read_all(text);
    ASSERT_EQ(read.errors, std::vector<std::string>{}) << text;
    ASSERT_EQ(read.games.size(), 1u) << text;
    EXPECT_EQ(moves_text(read.games[0]), "e4 e5 Nf3 Nc6") << text;
  }
}

TEST(ChessPgn, ReadsGamesWithoutTagsOneAfterTheOther) {
  const Read read = read_all("1. e4 e5 1-0 1. d4 0-1\n\n1. c4 *\n");
  ASSERT_EQ(read.games.size(), 3u);
  EXPECT_EQ(moves_text(read.games[1]), "d4");
  EXPECT_EQ(moves_text(read.games[2]), "c4");
  EXPECT_EQ(read.games[2].at_line, 3);
}

TEST(ChessPgn, StartsFromAPositionAndPlaysChess960) {
  const Read read = read_all(
      "[Variant \"Chess960\"]\n[SetUp \"1\"]\n"
      "[FEN \"1rk4r/8/8/8/8/8/8/1RK4R w HBhb - 0 1\"]\n\n1. O-O-O Kb7 *\n");
  ASSERT_EQ(read.errors, std::vector<std::string>{});
  ASSERT_EQ(read.games.size(), 1u);
  EXPECT_EQ(moves_text(read.games[0]), "O-O-O Kb7");
}

TEST(ChessPgn, ABrokenGameIsReportedWithItsPlaceAndPassedOver) {
  struct Wrong {
    const char* moves;
    const char* error;
  };
  const Wrong table[] = {
      {"1. e4 e5 2. Ke3 *", "file.pgn:6:13: move 2: 'Ke3' is not a legal move here; no king of"},
      {"1. e4\ne5 2. Qh6 *", "file.pgn:7:7: move 2: 'Qh6' is not a legal move here"},
      {"1. e4 {never closed", "file.pgn:6:7: a comment is not closed: '}' is missing"},
      {"1. e4 (1. d4 *", "a variation is not closed"},
      {"1. e4 ) *", "file.pgn:6:7: ')' without a variation"},
      {"(1. d4) 1. e4 *", "file.pgn:6:1: a variation before the first move"},
      {"1. e4 $999 *", "expected a number from 0 to 255 behind '$'"},
      {"1. e4 [x] *", "file.pgn:6:7: unexpected '[' among the moves"},
      {"1. hello *", "move 1: 'hello' is not a move"},
      {"1. e4 -- 2. d4 *", "a null move was played"},
      {"1x *", "'1x' is neither a move nor a move number"},
      {"?? 1. e4 *", "'\?\?' is no mark of a move"},
  };
  for (const Wrong& wrong : table) {
    const Read read = read_all(std::string("[Event \"one\"]\n\n1. d4 *\n\n[Event \"two\"]\n") +
                               wrong.moves + "\n\n[Event \"three\"]\n\n1. c4 c5 *\n");
    ASSERT_EQ(read.errors.size(), 1u) << wrong.moves;
    EXPECT_NE(read.errors[0].find(wrong.error), std::string::npos)
        << read.errors[0] << "\nexpected: " << wrong.error;
    ASSERT_EQ(read.games.size(), 2u) << wrong.moves;
    EXPECT_EQ(moves_text(read.games[0]), "d4");
    EXPECT_EQ(moves_text(read.games[1]), "c4 c5");
  }
}

TEST(ChessPgn, BrokenTagsAreReported) {
  const auto error = [](const std::string& text) {
    const Read read = read_all(text);
    return read.errors.empty() ? "" : read.errors[0];
  };
  EXPECT_NE(error("[Event \"x]\n\n1. e4 *").find("the value of the tag 'Event' is not closed"),
            std::string::npos);
  EXPECT_NE(error("[Event x]\n\n1. e4 *").find("expected a tag's value in double quotes"),
            std::string::npos);
  EXPECT_NE(error("[Event \"x\"\n\n1. e4 *").find("expected ']' behind the tag 'Event'"),
            std::string::npos);
  EXPECT_NE(error("[FEN \"nonsense\"]\n\n1. e4 *").find("FEN 'nonsense': expected 4 or 6 fields"),
            std::string::npos);
  EXPECT_NE(error("[Variant \"Atomic\"]\n\n1. e4 *").find("the variant 'Atomic' is not played"),
            std::string::npos);
}

TEST(ChessPgn, NestingHasALimit) {
  std::string text = "1. e4 ";
  for (int i = 0; i < 5000; ++i) text += "(1. d4 ";
  EXPECT_NE(read_all(text).errors.at(0).find("nested too deep"), std::string::npos);
}

// Nothing here may take time that grows with the square of the length.
TEST(ChessPgn, LargeNonsenseIsReadInNoTime) {
  const auto repeated = [](std::string_view part) {
    std::string text;
    while (text.size() < 400'000) text += part;
    return text;
  };
  EXPECT_EQ(read_all(repeated("* ")).games.size(), 200'000u);
  EXPECT_EQ(read_all(repeated("1.")).games.size(), 1u);
  EXPECT_EQ(read_all(repeated("x")).errors.size(), 1u);
  EXPECT_EQ(read_all("1. e4 {" + repeated("[%clk 0:00:01] ") + "}").games.at(0).line[0].clock, 1.0);
  EXPECT_EQ(read_all("1. e4 " + repeated("{}(){a}")).games.size(), 1u);
  EXPECT_EQ(read_all(repeated("[a \"b\"]\n")).games.size(), 1u);
  EXPECT_EQ(read_all("1. e4 " + repeated("("), {.variations = false}).errors.size(), 1u);
}

TEST(ChessPgn, AGameWithoutEndIsRefused) {
  const Read read = read_all("[Event \"long\"]\n\n1. e4 {" + std::string(17 << 20, 'x') +
                             "} *\n\n[Event \"short\"]\n\n1. d4 *\n");
  ASSERT_EQ(read.errors.size(), 1u);
  EXPECT_NE(read.errors[0].find("a game of more than 16777216 bytes"), std::string::npos);
  ASSERT_EQ(read.games.size(), 1u);
  EXPECT_EQ(moves_text(read.games[0]), "d4");
}

TEST(ChessPgn, AnEmptyFileHasNoGames) {
  EXPECT_TRUE(read_all("").games.empty());
  EXPECT_TRUE(read_all("\n\n  \n").games.empty());
}

TEST(ChessPgn, WritesTheRosterFirstAndLinesOfLessThan80Columns) {
  PgnGame game = read_all(kOpera).games.at(0);
  const std::string text = pgn_text(game);
  EXPECT_EQ(text.substr(0, text.find("\n\n")), R"([Event "Paris Opera"]
[Site "Paris FRA"]
[Date "1858.??.??"]
[Round "?"]
[White "Morphy, Paul"]
[Black "Duke of Brunswick \"and\" Count Isouard"]
[Result "1-0"]
[ECO "C41"])");
  EXPECT_EQ(text.substr(text.find("\n\n")), R"(

1. e4 e5 2. Nf3 d6 3. d4 Bg4 $6 {This is a weak move already.} 4. dxe5 Bxf3
(4... dxe5 5. Qxd8+ (5. Nxe5 Bxd1) 5... Kxd8 6. Nxe5) 5. Qxf3 dxe5 6. Bc4 Nf6
7. Qb3 $1 $14 Qe7 8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O
Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ $3 Nxb8 {the end is near}
17. Rd8# 1-0 {White mates}
)");
}

TEST(ChessPgn, MakesTheTagsThatAreMissing) {
  PgnGame game;
  const Chess rules({.chess960 = true, .start = 0});
  game.start = rules.initial();
  game.result = "1/2-1/2";
  EXPECT_EQ(pgn_text(game), R"([Event "?"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "?"]
[Black "?"]
[Result "1/2-1/2"]
[Variant "Chess960"]
[SetUp "1"]
[FEN "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1"]

1/2-1/2
)");
}

TEST(ChessPgn, CommentsDoNotBreakWhereALineWouldMeanSomethingElse) {
  for (const char* word : {"%eval", "[Event"}) {
    PgnGame game;
    game.start = Chess().initial();
    game.comment = std::string(74, 'x') + " " + word + " \"y\"";
    const Read read = read_all(pgn_text(game));
    ASSERT_EQ(read.games.size(), 1u);
    EXPECT_EQ(read.games[0].comment, game.comment);
  }
}

// A random game with random remarks and variations.
PgnLine random_line(const Chess& rules, State state, RandomStream& random, int plies, int depth) {
  PgnLine line;
  for (int i = 0; i < plies; ++i) {
    const auto moves = rules.legal_moves(state);
    if (moves.empty()) break;
    PgnPly ply;
    ply.move = moves[random.below(moves.size())];
    if (random.below(8) == 0) ply.nags.push_back(static_cast<std::uint8_t>(random.below(140)));
    if (random.below(8) == 0) ply.comment = "a remark (with signs; $5 and so on)";
    if (i == 0 && random.below(3) == 0) ply.comment_before = "to begin with";
    if (random.below(6) == 0) ply.clock = static_cast<double>(random.below(50'000)) / 10;
    if (random.below(6) == 0) {
      ply.eval = PgnEval{random.below(4) == 0, static_cast<int>(random.below(900)) - 450};
    }
    while (depth > 0 && random.below(10) == 0) {
      ply.variations.push_back(
          random_line(rules, state, random, 1 + static_cast<int>(random.below(6)), depth - 1));
    }
    rules.play(state, ply.move);
    line.push_back(std::move(ply));
  }
  return line;
}

RC_GTEST_PROP(ChessPgn, WhatIsWrittenIsRead, (std::uint64_t seed)) {
  RandomStream random(Seed{seed}, "chess.pgn");
  PgnGame game;
  game.start = any_chess(seed).initial();
  game.tags = {{"Event", "a \"test\" \\ of PGN"}, {"WhiteElo", "2000"}};
  game.result = random.below(2) == 0 ? "1-0" : "*";
  game.line =
      random_line(Chess(kNoDraws), game.start, random, static_cast<int>(random.below(150)), 3);
  if (random.below(2) == 0) game.comment = "the last word";
  const std::string text = pgn_text(game);
  for (std::size_t at = 0, end; (end = text.find('\n', at)) != text.npos; at = end + 1) {
    if (text[at] != '[') RC_ASSERT(end - at < 80u);
  }
  const Read read = read_all(text + "\n" + text);
  RC_ASSERT(read.errors == std::vector<std::string>{});
  RC_ASSERT(read.games.size() == 2u);
  for (const PgnGame& back : read.games) {
    RC_ASSERT(back.line == game.line);
    RC_ASSERT(back.result == game.result);
    RC_ASSERT(back.comment == game.comment);
    RC_ASSERT(back.start == game.start);
    RC_ASSERT(pgn_text(back) == text);
  }
}

// Damage costs at most the games that it touches.
RC_GTEST_PROP(ChessPgn, DamagedTextNeverCrashes, (std::uint64_t seed)) {
  RandomStream random(Seed{seed}, "chess.damage");
  std::string text = std::string(kOpera) + "\n" + kOpera;
  for (int i = 0; i < 5; ++i) {
    constexpr std::string_view kSigns = "{}()[]\"$;%\n.x!1-*\\";
    text[random.below(text.size())] = kSigns[random.below(kSigns.size())];
  }
  const Read read = read_all(text);
  for (const PgnGame& game : read.games) RC_ASSERT(!pgn_text(game).empty());
}

TEST(ChessPgn, NullMovesStandInVariationsOnly) {
  const std::string text = "1. e4 e5 2. Nf3 (2. -- Nf6 3. Z0 {nobody moves} Nxe4) 2... Nc6 *\n";
  const Read read = read_all(text);
  ASSERT_EQ(read.games.size(), 1u) << read.errors.front();
  const PgnLine& variation = read.games[0].line[2].variations.front();
  ASSERT_EQ(variation.size(), 4u);
  EXPECT_EQ(variation[0].move, kNullMove);
  EXPECT_EQ(variation[2].move, kNullMove);
  const std::string written = pgn_text(read.games[0]);
  EXPECT_NE(written.find("(2. -- Nf6 3. -- {nobody moves} 3... Nxe4)"), std::string::npos)
      << written;
  EXPECT_EQ(read_all(written).games.at(0).line, read.games[0].line);
  EXPECT_EQ(read_all("1. e4 -- 2. e5 *\n").errors,
            std::vector<std::string>{
                "file.pgn:1:7: move 1: a null move was played; variations may have one"});
  EXPECT_EQ(
      read_all("1. e4 e5 2. Qh5 Ke7 3. Qxe5# (3. Qxe5+ --) *\n").errors,
      std::vector<std::string>{"file.pgn:1:40: move 3: a null move leaves the king in check"});
}

TEST(ChessPgn, PiecesMayHaveTheLettersOfAnotherLanguage) {
  const Read german = read_all("1. e4 e5 2. Sf3 Sc6 3. Lb5 a6 4. Lxc6 dxc6 5. O-O Dd6 *\n");
  ASSERT_EQ(german.games.size(), 1u);
  EXPECT_EQ(german.games[0].letters, "KDTLS");
  EXPECT_EQ(moves_text(german.games[0]), "e4 e5 Nf3 Nc6 Bb5 a6 Bxc6 dxc6 O-O Qd6");
  const Read french = read_all("1. e4 e5 2. Re2 Fc5 3. Cf3 *\n\n1. e4 *\n");
  ASSERT_EQ(french.games.size(), 2u);
  EXPECT_EQ(french.games[0].letters, "RDTFC");
  EXPECT_EQ(moves_text(french.games[0]), "e4 e5 Ke2 Bc5 Nf3");
  EXPECT_EQ(french.games[1].letters, "");
  const Read promoted =
      read_all("[FEN \"7k/P7/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. a8=D+ Kg7 2. Dd5 *\n");
  ASSERT_EQ(promoted.games.size(), 1u);
  EXPECT_EQ(moves_text(promoted.games[0]), "a8=Q+ Kg7 Qd5");
}

TEST(ChessPgn, AnIllegalMoveDoesNotBecomeLegalInAnotherLanguage) {
  // As a French king Re2 could be played, but Nf6 is not French.
  const Read read = read_all("1. e4 Nf6 2. Re2 *\n");
  ASSERT_EQ(read.errors.size(), 1u);
  EXPECT_TRUE(read.errors[0].starts_with("file.pgn:1:14: move 2: ")) << read.errors[0];
}

}  // namespace
}  // namespace damier::games::chess
