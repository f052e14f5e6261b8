// Chess as a user of the program meets it.

#include <fstream>

#include "tests/app/program.h"
#include "tests/base/temporary_folder.h"
#include <gtest/gtest.h>

#include "damier/base/files/files.h"
#include "damier/base/json/json.h"
#include "damier/games/chess/pgn.h"

namespace damier::app {
namespace {

TEST(ChessCommands, PerftIsAsPublished) {
  EXPECT_EQ(last_line(damier({"perft", "chess", "4"}).out), "197281");
  EXPECT_EQ(last_line(damier({"perft", "chess", "--position",
                              "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - "
                              "0 1",
                              "3"})
                          .out),
            "97862");
  EXPECT_EQ(
      last_line(
          damier({"perft", "chess", "--position", "k7/8/2N5/1N6/8/8/8/K6n b - - 0 1", "6"}).out),
      "588695")
      << "too little material to mate ends no line";
}

constexpr std::string_view kGames = R"([Event "a"]
[Date "2001.02.03"]
[White "x"]
[WhiteElo "2000"]
[BlackElo "?"]
[Result "1-0"]

1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0

[Event "b"]
[Result "1-0"]

1. e4 Ke8 1-0

[Event "c"]
[Date "1999.??.??"]
[WhiteElo "2101"]
[BlackElo "1999"]
[FEN "4k3/8/8/8/8/8/8/4K2R w K - 0 1"]

1. O-O (1. Rh8+ {check}) Kd7 1/2-1/2
)";

TEST(ChessCommands, DataTellsWhatIsInAFileOfGames) {
  const TemporaryFolder folder;
  const std::string file = folder.path() / "games.pgn";
  ASSERT_TRUE(write_file_atomically(file, kGames));
  const Ran text = damier({"data", file});
  EXPECT_EQ(text.code, 0) << text.err;
  for (const std::string& part :
       {file + ": 2 games, 1 faulty, ", std::string("1-0                     1   50.0 %\n"),
        std::string("plies                   9  2 to 7 a game, 4.5 on average\n"),
        std::string("positions              11\n"), std::string("1  games from a position of"),
        std::string("3  1999 to 2101, 2033.3 on average\n"),
        std::string("2  1999.??.?? to 2001.02.03\n"), file + ":13:7: move 1: "}) {
    EXPECT_NE(text.out.find(part), std::string::npos) << part << "\n" << text.out;
  }
  // From a pipe, whose name says nothing.
  const Ran piped = damier({"data", "-", "--format", "pgn", "--json"}, std::string(kGames));
  ASSERT_EQ(piped.code, 0) << piped.err;
  const Json json = parse_json(piped.out, "output").value();
  EXPECT_EQ(json["schema"], "damier/pgn/1");
  EXPECT_EQ(json["file"], "standard input");
  EXPECT_EQ(json["bytes"], kGames.size());
  EXPECT_EQ(json["games"], 2);
  EXPECT_EQ(json["results"], Json({{"1-0", 1}, {"0-1", 0}, {"1/2-1/2", 1}, {"*", 0}}));
  EXPECT_EQ(json["positions"], 11);
  EXPECT_EQ(json["ratings"]["highest"], 2101);
  EXPECT_EQ(json["dates"]["first"], "1999.??.??");
  EXPECT_EQ(json["faulty"], 1);
  EXPECT_EQ(json["faults"][0]["line"], 13);
}

TEST(ChessCommands, DataTakesNoMoreMemoryForALongFileOfGames) {
  const TemporaryFolder folder;
  const std::string file = folder.path() / "games.pgn";
  std::string many;
  while (many.size() < (std::size_t{1} << 20)) many += kGames;
  {
    std::ofstream out(file);
    for (int i = 0; i < 24; ++i) out << many;
  }
  constexpr int kMegabytes = 128;  // of addresses; the file alone has 24 of bytes
  const Ran ran = damier_within(kMegabytes, {"data", file, "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const Json json = parse_json(ran.out, "output").value();
  EXPECT_EQ(json["games"], 2 * json["faulty"].get<int>());
  EXPECT_EQ(json["faults"].size(), 10u) << "the first ones";
}

TEST(ChessCommands, AFileWithoutAGameIsRefused) {
  const TemporaryFolder folder;
  const std::string empty = folder.path() / "empty.pgn", noise = folder.path() / "noise.pgn";
  ASSERT_TRUE(write_file_atomically(empty, "\n\n"));
  ASSERT_TRUE(write_file_atomically(noise, "no game at all\n"));
  const auto error = [](const std::vector<std::string>& arguments) {
    const Ran ran = damier(arguments);
    EXPECT_EQ(ran.code, 2);
    EXPECT_EQ(ran.out, "");
    return ran.err;
  };
  EXPECT_EQ(error({"data", empty}),
            "damier: " + empty + ": has no game; expected Portable Game Notation\n");
  EXPECT_TRUE(error({"data", noise}).starts_with("damier: " + noise + ":1:1: move 1: "));
  EXPECT_TRUE(error({"data", folder.path() / "no.pgn"}).ends_with("No such file or directory\n"));
  EXPECT_EQ(error({"data", "x", "--format", "pgn", "--csv", "y"}),
            "damier: --csv: is for data sets; expected no --format with it\n");
}

TEST(ChessCommands, PlayGoesOnFromTheEndOfAPgnGame) {
  const TemporaryFolder folder;
  const std::string file = folder.path() / "games.pgn";
  ASSERT_TRUE(write_file_atomically(file, kGames));
  // Mate: nothing is left to play.
  const Ran over = damier({"play", "chess", "--load", file, "--ascii"}, "quit\n");
  EXPECT_EQ(over.code, 0) << over.err;
  EXPECT_NE(over.out.find("White wins"), std::string::npos) << over.out;
  const std::string after = "damier/play/1\",\"event\":\"move\",\"ply\":3,\"side\":\"white\"";
  for (const auto& [source, input] :
       std::vector<std::pair<std::string, std::string>>{{file, ""}, {"-", std::string(kGames)}}) {
    const Ran ran = damier({"play", "chess", "--load", source, "--number", "3", "--as", "none",
                            "--vs", "first", "--seed", "4", "--json"},
                           input);
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(ran.err, "seed 4\n");
    EXPECT_NE(ran.out.find(after), std::string::npos) << ran.out;
  }
  const auto refusal = [&](std::vector<std::string> arguments) {
    const Ran ran = damier(std::move(arguments));
    EXPECT_EQ(ran.code, 2);
    return ran.err;
  };
  EXPECT_TRUE(refusal({"play", "--load", file, "--number", "2"})
                  .starts_with("damier: " + file + ":13:7: move 1: "));
  EXPECT_EQ(refusal({"play", "--load", file, "--number", "4"}),
            "damier: " + file + ": holds 3 games; --number is 4\n");
  EXPECT_EQ(refusal({"play", "bremen", "--load", file}),
            "damier: " + file + ": is a game of chess; expected bremen\n");
  EXPECT_NE(refusal({"play", "--load", file, "--rules", "moves=75"}).find("brings its own rules"),
            std::string::npos);
}

TEST(ChessCommands, APgnGameMayGoOnWhereADrawCouldBeClaimed) {
  const TemporaryFolder folder;
  const std::string file = folder.path() / "game.pgn";
  std::string moves;
  for (int i = 0; i < 3; ++i) moves += "Nf3 Nf6 Ng1 Ng8 ";
  ASSERT_TRUE(write_file_atomically(file, moves + "e4 *\n"));
  const Ran ran = damier({"play", "--load", file, "--vs", "human"}, "e5\nquit\n");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find("repetition=5"), std::string::npos) << ran.out;
}

TEST(ChessCommands, AnalyzeGivesEveryMoveOfAGameItsJudgement) {
  const TemporaryFolder folder;
  const std::string file = folder.path() / "games.pgn";
  ASSERT_TRUE(write_file_atomically(file, kGames));
  const std::vector<std::string> seen = {"--player", "minimax:2", "--threads", "2"};
  const auto analyzed = [&](std::vector<std::string> words) {
    words.insert(words.begin(), "analyze");
    words.insert(words.end(), seen.begin(), seen.end());
    const Ran ran = damier(words);
    EXPECT_EQ(ran.code, 0) << ran.err;
    return ran.out;
  };
  const std::string text = analyzed({file});
  for (const char* part : {"7 moves of chess, seen by minimax:2", "x – ?, a, 2001.02.03, 1-0",
                           "    6  black  Nf6", "blunder", "    7  white  Qxf7#  wins in 1 ply",
                           "white: 4 of 4 moves as good as the best"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
  const Json json = parse_json(analyzed({"chess", file, "--json"}), "output").value();
  EXPECT_EQ(json["schema"], "damier/analyze-game/1");
  ASSERT_EQ(json["moves"].size(), 7u);
  EXPECT_EQ(json["moves"][5]["judgement"], "blunder") << "it lets mate in";
  EXPECT_EQ(json["moves"][5]["exact"], "loss");
  EXPECT_EQ(json["moves"][6]["judgement"], nullptr);
  EXPECT_EQ(json["sides"]["black"]["blunders"], 1);
  EXPECT_EQ(parse_json(analyzed({"chess", "--load", file, "--json", "--number", "3"}), "output")
                .value()["moves"]
                .size(),
            2u);
}

// A search of odd depth sees the captures of one side only: thoughts of two positions in a row must
// not be compared.
TEST(ChessCommands, GoodMovesAreNotCalledMistakes) {
  const TemporaryFolder folder;
  const std::string file = folder.path() / "games.pgn";
  ASSERT_TRUE(write_file_atomically(file, kGames));
  const Ran ran = damier({"analyze", file, "--player", "minimax:3", "--json"});
  const Json json = parse_json(ran.out, "output").value();
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(json["moves"][i]["judgement"], nullptr) << i;
  EXPECT_EQ(json["moves"][5]["judgement"], "blunder");
}

TEST(ChessCommands, MatchesGoOutAsPgn) {
  const TemporaryFolder folder;
  const std::string file = folder.path() / "games.pgn";
  const Ran ran = damier({"match", "chess", "minimax:2", "random", "--games", "4", "--seed", "1",
                          "--no-store", "--pgn", file});
  ASSERT_EQ(ran.code, 0) << ran.err;
  std::ifstream in(file);
  std::vector<std::string> results;
  const auto totals = games::chess::read_pgn(
      in, file, {},
      [&](games::chess::PgnGame& game) {
        results.push_back(game.result);
        EXPECT_FALSE(game.line.empty());
        EXPECT_EQ(game.tag("White") == "minimax:2", results.size() % 2 == 1);
      },
      [](const Error& error) { ADD_FAILURE() << error.text(); });
  EXPECT_EQ(totals.games, 4);
  EXPECT_EQ(results, (std::vector<std::string>{"1-0", "0-1", "1-0", "0-1"}));
}

TEST(ChessCommands, PlayTakesSanAndUciAndWritesPgn) {
  const TemporaryFolder folder;
  const std::string file = folder.path() / "game.pgn";
  const Ran ran =
      damier({"play", "chess", "--vs", "human", "--pgn", file}, "f3\ne7e5\ng4\nQh4\nquit\n");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find("Black wins"), std::string::npos) << ran.out;
  const std::string pgn = read_file(file, 1 << 16).value();
  EXPECT_NE(pgn.find("1. f3 e5 2. g4 Qh4# 0-1"), std::string::npos) << pgn;
}

TEST(ChessCommands, ARematchGoesIntoTheSamePgnFile) {
  const TemporaryFolder folder;
  const std::string file = folder.path() / "games.pgn";
  const Ran ran = damier({"play", "chess", "--vs", "human", "--pgn", file},
                         "f3\ne5\ng4\nQh4\nrematch\ne4\nquit\n");
  EXPECT_EQ(ran.code, 0) << ran.err;
  const std::string pgn = contents(file);
  EXPECT_NE(pgn.find("2. g4 Qh4# 0-1"), std::string::npos) << pgn;
  EXPECT_NE(pgn.find("1. e4 *"), std::string::npos) << pgn;
}

TEST(ChessCommands, TheBoardTurnsAndSpeaksFrench) {
  const Ran white = damier({"play", "chess", "--vs", "human", "--letters", "--ascii"}, "quit\n");
  const Ran french =
      damier({"play", "chess", "--vs", "human", "--lang", "fr", "--ascii"}, "quit\n");
  EXPECT_NE(white.out.find('Q'), std::string::npos);
  EXPECT_NE(french.out.find('D'), std::string::npos) << "la dame";
  const Ran black =
      damier({"play", "chess", "--as", "black", "--vs", "first", "--letters", "--ascii"}, "quit\n");
  EXPECT_LT(black.out.find("1"), black.out.rfind("8")) << black.out;
}

TEST(ChessCommands, WrongPositionsAndOptionsGetOneLine) {
  const auto error_of = [](std::vector<std::string> arguments) {
    const Ran ran = damier(std::move(arguments));
    EXPECT_EQ(ran.code, 2);
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
    return ran.err;
  };
  EXPECT_NE(error_of({"solve", "chess", "--position", "kk6/8/8/8/8/8/8/K7 w - - 0 1"}).find("king"),
            std::string::npos);
  EXPECT_EQ(error_of({"play", "fanorona", "--letters"}),
            "damier: --letters goes with chess, not with fanorona\n");
  EXPECT_EQ(error_of({"match", "fanorona", "random", "first", "--no-store", "--pgn", "x.pgn"}),
            "damier: --pgn goes with chess, not with fanorona\n");
}

TEST(ChessCommands, SolveFindsTheMate) {
  const Ran ran = damier({"solve", "chess", "--position", "7k/R7/8/8/8/8/1R6/K7 w - - 0 1"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find("win for white, who moves, in 1 ply"), std::string::npos) << ran.out;
}

}  // namespace
}  // namespace damier::app
