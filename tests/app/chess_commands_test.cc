// Chess as a user of the program meets it.

#include <fstream>

#include "tests/app/program.h"
#include "tests/base/temporary_folder.h"
#include <gtest/gtest.h>

#include "damier/base/files.h"
#include "damier/games/chess/pgn_reader.h"

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
  EXPECT_EQ(error_of({"play", "fanorona", "--lang", "fr"}),
            "damier: --lang goes with chess, not with fanorona\n");
  EXPECT_EQ(error_of({"match", "fanorona", "random", "first", "--no-store", "--pgn", "x.pgn"}),
            "damier: --pgn goes with chess, not with fanorona\n");
}

TEST(ChessCommands, SolveFindsTheMate) {
  const Ran ran = damier({"solve", "chess", "--position", "7k/R7/8/8/8/8/1R6/K7 w - - 0 1"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find("win for white, who moves, in 1 plies"), std::string::npos) << ran.out;
}

}  // namespace
}  // namespace damier::app
