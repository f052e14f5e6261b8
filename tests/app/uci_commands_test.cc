// `uci`, other engines as players, clocks, books and annotated games, as a user runs them.

#include <fstream>

#include "tests/app/stored_program.h"
#include "tests/search/chess/fake_engine.h"
#include <gtest/gtest.h>

#include "damier/base/files/child_process.h"
#include "damier/base/json/json.h"
#include "damier/base/text/text.h"

namespace damier::app {
namespace {

using search::chess::FakeEngine;

class UciCommands : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.path() / name; }
  Ran run(std::vector<std::string> arguments, const std::string& input = "") const {
    return damier(std::move(arguments), input, {{"DAMIER_STORE", path("runs.db")}});
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name)) << text;
  }

 private:
  TemporaryFolder folder_;
};

TEST_F(UciCommands, AnswersToTheEndOfItsInput) {
  const Ran ran = run({"uci"}, "uci\nposition startpos moves f2f3 e7e5 g2g4\ngo depth 3\n");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.err, "");
  EXPECT_NE(ran.out.find("uciok\n"), std::string::npos);
  EXPECT_EQ(last_line(ran.out).substr(0, 13), "bestmove d8h4");
  EXPECT_EQ(run({"uci"}, "go infinite\nquit\n").code, 0);
  EXPECT_EQ(run({"uci"}, "").code, 0);
}

TEST_F(UciCommands, EveryLineIsHeardAtOnce) {
  // Both talk to each other line by line: one that kept its answers back would wait for ever.
  const Ran ran = run({"match", "chess", std::string("uci:") + DAMIER_PROGRAM + " uci,nodes=200",
                       "random", "--games", "2", "--seed", "1", "--threads", "1"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.err.find("loses"), std::string::npos) << ran.err;
  EXPECT_NE(ran.out.find("2 games"), std::string::npos);
}

TEST_F(UciCommands, AnEngineThatFailsLosesTheGame) {
  const std::vector<std::pair<std::string, std::string>> failures = {
      {"exit 3", "ended with code 3"},
      {"kill -11 $$", "was killed by signal 11"},
      {"echo bestmove a1a8", "plays 'a1a8', which is no legal move in "},
      {":", "does not answer: bestmove was expected"}};
  for (const auto& [on_go, reason] : failures) {
    const FakeEngine fake(on_go);
    const Ran ran = run({"match", "chess", "uci:" + fake.path() + ",patience=0.05,name=fake",
                         "random", "--games", "2", "--seed", "1"});
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_NE(ran.err.find("game 1: fake (white) loses: engine "), std::string::npos) << ran.err;
    EXPECT_NE(ran.err.find(reason), std::string::npos) << ran.err;
    EXPECT_NE(ran.out.find("0.0 %"), std::string::npos) << ran.out;
  }
  EXPECT_EQ(run({"verify"}).code, 0);
  const FakeEngine fake("exit 3");
  const Ran ran = run({"analyze", "chess", "--player", "uci:" + fake.path()});
  EXPECT_EQ(ran.code, 1);
  EXPECT_EQ(ran.err, "damier: engine '" + fake.path() + "' ended with code 3\n");
}

TEST_F(UciCommands, ClocksScoresAndEndingsAreInThePgn) {
  const Ran ran =
      run({"match", "chess", "engine", "engine:name=other", "--tc", "20+0.5", "--games", "2",
           "--adjudicate", "draw=1/100000/2,resign", "--pgn", path("games.pgn"), "--seed", "3"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const std::string pgn = contents(path("games.pgn"));
  EXPECT_NE(pgn.find("[TimeControl \"20+0.5\"]"), std::string::npos) << pgn;
  EXPECT_NE(pgn.find("[Termination \"adjudication\"]"), std::string::npos);
  EXPECT_NE(pgn.find("{[%eval "), std::string::npos);
  EXPECT_NE(pgn.find("[%clk 0:00:"), std::string::npos);
  EXPECT_NE(pgn.find("1/2-1/2"), std::string::npos);
  const Ran again =
      run({"match", "chess", "engine", "engine:name=other", "--tc", "20+0.5", "--games", "2",
           "--adjudicate", "draw=1/100000/2,resign", "--seed", "3", "--resume"});
  EXPECT_EQ(again.code, 0);
  EXPECT_NE(again.err.find("nothing is left to play"), std::string::npos) << again.err;
}

TEST_F(UciCommands, OpeningsComeFromABook) {
  write(
      "book.epd",
      "# a comment\nrnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - bm Nf3; id \"open\";\n"
      "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n");
  const Ran ran = run({"match", "chess", "first", "random", "--games", "4", "--book",
                       path("book.epd"), "--pgn", path("games.pgn"), "--seed", "1"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const std::string pgn = contents(path("games.pgn"));
  EXPECT_NE(pgn.find("[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]"), std::string::npos);
  write("book.pgn", "1. e4 c5 2. Nf3 d6 *\n\n1. d4 d5 *\n");
  const Ran games = run({"match", "chess", "first", "random", "--games", "4", "--book",
                         path("book.pgn"), "--opening", "3", "--pgn", path("more.pgn")});
  ASSERT_EQ(games.code, 0) << games.err;
  EXPECT_NE(contents(path("more.pgn")).find("1. e4 c5 2. Nf3"), std::string::npos);
  EXPECT_NE(contents(path("more.pgn")).find("1. d4 d5"), std::string::npos);
  write("bad.epd", "\n8/8/8/8/8/8/8/8 w - -\n");
  const Ran bad = run({"match", "chess", "first", "random", "--book", path("bad.epd")});
  EXPECT_EQ(bad.code, 2);
  EXPECT_TRUE(bad.err.starts_with("damier: " + path("bad.epd") + ":2: ")) << bad.err;
  EXPECT_EQ(run({"match", "chess", "first", "random", "--tc", "soon"}).err,
            "damier: --tc: 'soon' is no time control; expected BASE+INCREMENT in seconds, as "
            "10+0.1\n");
}

TEST_F(UciCommands, ShowsTheBestLines) {
  const Ran ran = run({"analyze", "chess", "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", "--player",
                       "engine:depth=4", "--lines", "2", "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const Json json = parse_json(ran.out, "output").value();
  EXPECT_EQ(json["moves"][0]["move"], "Ra8#");
  EXPECT_EQ(json["moves"][0]["line"][0], "Ra8#");
  EXPECT_TRUE(json["moves"][1].contains("results"));
}

TEST_F(UciCommands, WritesAGameWithItsMistakes) {
  write("game.pgn", "[White \"A\"]\n[Black \"B\"]\n\n1. f3 {dubious} e5 2. g4 Qh4# 0-1\n");
  const Ran ran = run(
      {"analyze", "chess", path("game.pgn"), "--player", "engine:depth=4", "-o", path("out.pgn")});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const std::string pgn = contents(path("out.pgn"));
  EXPECT_NE(pgn.find("[White \"A\"]"), std::string::npos);
  EXPECT_NE(pgn.find("dubious"), std::string::npos);
  EXPECT_NE(pgn.find("g4 $4"), std::string::npos) << pgn;
  EXPECT_NE(pgn.find("was better."), std::string::npos);
  EXPECT_NE(pgn.find("(2. "), std::string::npos);
  EXPECT_NE(pgn.find("Accuracy of black:"), std::string::npos) << pgn;
  const Ran again = run({"analyze", "chess", path("out.pgn"), "--player", "engine:depth=2"});
  EXPECT_EQ(again.code, 0) << again.err;
}

TEST_F(UciCommands, PlaysAgainstARealEngine) {
  if (!find_program("stockfish")) GTEST_SKIP() << "stockfish is not installed";
  const Ran ran =
      run({"match", "chess", "engine:nodes=500", "uci:stockfish,nodes=200,Hash=1,Skill Level=0",
           "--games", "2", "--seed", "1", "--threads", "1"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.err.find("loses"), std::string::npos) << ran.err;
}

using SlowUciCommands = UciCommands;

TEST_F(SlowUciCommands, AHundredGamesAgainstItselfWithoutAnError) {
  const std::string player = std::string("uci:") + DAMIER_PROGRAM + " uci,seconds=0.05";
  const Ran ran = run({"match", "chess", player + ",name=a", player + ",name=b", "--games", "100",
                       "--seed", "1", "--adjudicate", "resign,draw"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.err.find("loses"), std::string::npos) << ran.err;
  EXPECT_NE(ran.out.find("100 games"), std::string::npos) << ran.out;
}

}  // namespace
}  // namespace damier::app
