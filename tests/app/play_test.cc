// `damier play` at the keyboard: whole games, every word, saving and loading.

#include "tests/app/program.h"
#include "tests/base/temporary_folder.h"
#include <gtest/gtest.h>

#include "damier/base/files/files.h"
#include "damier/base/json/json.h"
#include "damier/games/registry.h"
#include "damier/play/ratings/strength.h"

namespace damier::app {
namespace {

std::vector<Json> json_lines(const std::string& text) {
  std::vector<Json> lines;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = text.find('\n', at);
    lines.push_back(parse_json(text.substr(at, end - at), "output").value());
    at = end + 1;
  }
  return lines;
}

TEST(Play, AGameOfBremenFromTheKeyboardToTheEnd) {
  // The opponent's moves follow from the seed, so this person can look them up: a first game
  // against oneself shows what random answers, and the same moves are typed again.
  const std::vector<Json> watched = json_lines(
      damier({"play", "bremen", "--as", "none", "--vs", "random", "--seed", "1", "--json"}).out);
  std::string typed;
  for (const Json& line : watched) {
    if (line["event"] == "move" && line["side"] == "blue") {
      typed += line["move"].get<std::string>() + "\n";
    }
  }
  const Ran ran =
      damier({"play", "bremen", "--as", "blue", "--vs", "random", "--seed", "1", "--json"}, typed);
  EXPECT_EQ(ran.code, 0);
  const std::vector<Json> lines = json_lines(ran.out);
  ASSERT_EQ(lines.size(), watched.size());
  EXPECT_EQ(lines.back()["event"], "end");
  EXPECT_EQ(lines.back()["ending"], watched.back()["ending"]);
  EXPECT_EQ(lines[lines.size() - 2], watched[watched.size() - 2]);
}

TEST(Play, EveryGameCanBeWatchedToItsEnd) {
  for (const std::string& game : games::builtin_games().names()) {
    for (const char* style : {"--ascii", "--json"}) {
      const Ran ran =
          damier({"play", game, "--as", "none", "--vs", "random", "--seed", "5", style});
      EXPECT_EQ(ran.code, 0) << ran.err;
      EXPECT_EQ(ran.err, "seed 5\n") << "the seed used is always printed";
      EXPECT_EQ(ran.out,
                damier({"play", game, "--as", "none", "--vs", "random", "--seed", "5", style}).out)
          << game << ": the same seed, the same game";
    }
  }
}

TEST(Play, ItsWordsAreAnswered) {
  const Ran ran = damier({"play", "fanorona", "--seed", "1"},
                         "help\nmoves\n7-4\nundo\nundo\nboard\nrules\nmvoes\n9-9\nresign\n\n");
  EXPECT_EQ(ran.code, 0);
  for (const char* expected :
       {"save FILE   save the game", "6-3 6-4 7-4 8-4 8-5", "Black plays ",
        "This is the beginning of the game.", "Nine points, 0 to 8", "or did you mean 'moves'?",
        "'9-9' is not a legal move here", "White resigns; black wins."}) {
    EXPECT_NE(ran.out.find(expected), std::string::npos) << expected << "\n" << ran.out;
  }
}

TEST(Play, AGameThatIsOverListsNoMovesButOffersAnother) {
  const Ran ran = damier({"play", "fanorona", "--vs", "random", "--seed", "1", "--ascii"},
                         "resign\nmoves\nhint\n7-4\nanalyze\nswap\nresign\nrematch\n");
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.out.find("6-3 6-4"), std::string::npos) << ran.out;
  for (const char* expected :
       {"The game is over: rematch, swap (a rematch with sides swapped), analyze, undo, save FILE "
        "or quit\n",
        "No move was played.", "White: random   Black: human", "Black resigns; white wins."}) {
    EXPECT_NE(ran.out.find(expected), std::string::npos) << expected << "\n" << ran.out;
  }
  EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 3) << "a seed a game: " << ran.err;
  EXPECT_EQ(ran.err, damier({"play", "fanorona", "--vs", "random", "--seed", "1", "--ascii"},
                            "resign\nswap\nresign\nrematch\n")
                         .err)
      << "which follow from the first";
  const Ran alone = damier({"play", "minesweeper", "--seed", "1"}, "resign\nswap\nrematch\na1\n");
  EXPECT_NE(alone.out.find("The game is over: rematch, analyze, undo"), std::string::npos);
}

TEST(Play, SaysWhomYouMeetAndHowStrongThatIs) {
  const auto greeting = [](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "play");
    return damier(arguments, "quit\n").out;
  };
  const auto levels = play::strength_of("fanorona")->levels;
  const std::string usual = greeting({"fanorona"});
  EXPECT_NE(usual.find("Black: " + levels[4] + "\n" + levels[4] + ", level 5 of 10: "),
            std::string::npos)
      << usual;
  EXPECT_NE(usual.find(" Elo above random, "), std::string::npos) << usual;
  EXPECT_NE(greeting({"fanorona", "--level", "10"}).find("level 10 of 10: "), std::string::npos);
  EXPECT_NE(greeting({"domineering", "--board", "4x4", "--level", "1"})
                .find("below the strongest, measured under the usual rules"),
            std::string::npos);
  EXPECT_NE(greeting({"fanorona", "--vs", "net"}).find("net: "), std::string::npos)
      << "anybody who was measured";
  const auto refusal = [](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "play");
    const Ran ran = damier(arguments, "quit\n");
    EXPECT_EQ(ran.code, 2);
    return ran.err;
  };
  EXPECT_EQ(refusal({"fanorona", "--level", "3", "--vs", "random"}),
            "damier: --level and --vs both say who plays the other side; expected one of them\n");
  EXPECT_EQ(refusal({"minesweeper", "--level", "3"}),
            "damier: --level: minesweeper has one player, and so no opponent\n");
  EXPECT_NE(refusal({"fanorona", "--level", "11"}).find("--level"), std::string::npos);
}

TEST(Play, BoardsLookAsTheyShould) {
  const Ran ran = damier({"play", "fanorona", "--seed", "1"}, "quit\n");
  EXPECT_NE(ran.out.find("  □─────□─────□\n"
                         "  │ ╲   │   ╱ │\n"
                         "  │   ╲ │ ╱   │\n"
                         "  3─────4─────5\n"
                         "  │   ╱ │ ╲   │\n"
                         "  │ ╱   │   ╲ │\n"
                         "  ○─────○─────○\n"),
            std::string::npos)
      << ran.out;
  const Ran plain = damier({"play", "fanorona", "--seed", "1", "--ascii"}, "quit\n");
  EXPECT_NE(plain.out.find("  b-----b-----b\n  | \\   |   / |\n"), std::string::npos) << plain.out;
  for (const char c : plain.out) EXPECT_GE(c, 0) << "plain characters only";
}

TEST(Play, ASavedGameGoesOnAsItWouldHave) {
  const TemporaryFolder folder;
  const std::string file = folder.path() / "game.json";
  const Ran whole = damier({"play", "bremen", "--seed", "3", "--json"}, "d@a1\ng@b1\nc@c1\nr@d1\n");
  ASSERT_EQ(whole.code, 0);
  ASSERT_EQ(damier({"play", "bremen", "--seed", "3"}, "d@a1\ng@b1\nsave " + file + "\n").code, 0);
  const Ran rest = damier({"play", "--load", file, "--json"}, "c@c1\nr@d1\n");
  ASSERT_EQ(rest.code, 0) << rest.err;
  const auto all = json_lines(whole.out), last = json_lines(rest.out);
  ASSERT_EQ(last.size(), 4u);
  EXPECT_TRUE(std::equal(last.begin(), last.end(), all.end() - 4));
}

TEST(Play, ASavedGameCanBeAnalyzedMoveByMove) {
  const TemporaryFolder folder;
  const std::string file = folder.path() / "game.json";
  // 7-4 keeps the draw; what random answers follows from the seed.
  ASSERT_EQ(damier({"play", "fanorona", "--seed", "3"}, "7-4\nsave " + file + "\n").code, 0);
  const Ran ran = damier({"analyze", file, "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const Json json = parse_json(ran.out, "output").value();
  ASSERT_EQ(json["moves"].size(), 2u);
  EXPECT_EQ(json["game"], "fanorona");
  EXPECT_EQ(json["moves"][0]["exact"], "draw");
  EXPECT_EQ(json["moves"][0]["loss"], 0.0);
  EXPECT_EQ(damier({"analyze", "fanorona", "--load", file, "--json"}).out.substr(0, 200),
            ran.out.substr(0, 200));
}

TEST(Play, ASavedGameOfMinesweeperIsComparedWithWhatCouldBeKnown) {
  const TemporaryFolder folder;
  const std::string file = folder.path() / "game.json";
  // One bomb on 2x2 behind the first cell: three cells are equally likely to hold it.
  ASSERT_EQ(damier({"play", "minesweeper", "--board", "2x2x1", "--seed", "1"},
                   "a1\nb1\nsave " + file + "\n")
                .code,
            0);
  const Ran text = damier({"analyze", "minesweeper", file});
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_NE(text.out.find("1  player  a1    bomb 0.0 %\n"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("2  player  b1    bomb 33.3 %\n"), std::string::npos) << text.out;
  const Json json = parse_json(damier({"analyze", file, "--json"}).out, "output").value();
  EXPECT_EQ(json["moves"][1]["loss"], 0.0) << "no cell was safer";
  EXPECT_EQ(damier({"analyze", file, "--player", "net"}).code, 2);
}

TEST(Play, MinesweeperOpensFlagsChordsAndCounts) {
  const Ran ran = damier({"play", "minesweeper", "--board", "2x2x1", "--seed", "1"},
                         "a1\n!a1\n!b1\n!a2\n!b2\nundo\nundo\nundo\nquit\n");
  EXPECT_EQ(ran.code, 0);
  EXPECT_NE(ran.out.find("a1 cannot be flagged: it is open already"), std::string::npos);
  EXPECT_NE(ran.out.find("all 1 flags are set"), std::string::npos);
  const Ran end = damier({"play", "minesweeper", "--board", "9x9x1", "--seed", "1"}, "a1\n\n");
  EXPECT_NE(end.out.find("Won: every safe cell is open."), std::string::npos) << end.out;
  EXPECT_NE(end.out.find("3BV 1"), std::string::npos) << end.out;
  EXPECT_NE(end.out.find("score 80"), std::string::npos) << end.out;
}

TEST(Play, MinesweepersAdviceKnowsThatTheFirstCellIsSafe) {
  const auto play = [](std::vector<std::string> more, const std::string& input) {
    std::vector<std::string> arguments = {"play", "minesweeper", "--seed", "1", "--ascii"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return damier(arguments, input).out;
  };
  const std::string hint = play({}, "!a1\nhint\nquit\n");
  EXPECT_NE(hint.find("any cell is safe"), std::string::npos) << hint;
  EXPECT_EQ(hint.find("12%"), std::string::npos) << "10 bombs in 81 cells";
  EXPECT_NE(play({"--rules", "first=any"}, "hint\nquit\n").find("a bomb with 12.3 %"),
            std::string::npos);
  const std::string overlay = play({"--overlay"}, "a1\nquit\n");
  const std::size_t caption = overlay.find("10 bombs, 0 flags, 0 of 71 safe cells open");
  ASSERT_NE(caption, std::string::npos) << overlay;
  EXPECT_GT(overlay.find("12%"), caption) << "before the first cell is opened\n" << overlay;
  EXPECT_NE(overlay.find("1 of 71 safe cells open"), std::string::npos) << overlay;
}

TEST(Play, LoadRefusesWhatDoesNotFit) {
  const TemporaryFolder folder;
  const std::string file = folder.path() / "game.json";
  ASSERT_EQ(damier({"play", "fanorona", "--seed", "3"}, "7-4\nsave " + file + "\n").code, 0);
  const auto refusal = [&](std::vector<std::string> arguments) {
    const Ran ran = damier(std::move(arguments));
    EXPECT_EQ(ran.code, 2);
    return ran.err;
  };
  EXPECT_EQ(refusal({"play", "bremen", "--load", file}),
            "damier: " + file + ": is a game of fanorona; expected bremen\n");
  EXPECT_NE(refusal({"play", "--load", file, "--seed", "4"}).find("--load brings its own"),
            std::string::npos);
  const std::string text = read_file(file, 10000).value();
  ASSERT_TRUE(write_file_atomically(file, text.substr(0, text.size() / 2)));
  EXPECT_TRUE(refusal({"play", "--load", file}).starts_with("damier: " + file + ":"));
}

TEST(Play, ASaveThatFailsIsToldAndTheGameGoesOn) {
  const Ran ran =
      damier({"play", "fanorona", "--seed", "3"}, "7-4\nsave\nsave /nowhere/x.json\nmoves\n");
  EXPECT_EQ(ran.code, 0);
  EXPECT_NE(ran.out.find("save needs the name of a file"), std::string::npos);
  EXPECT_NE(ran.out.find("/nowhere/x.json: cannot be written"), std::string::npos);
}

}  // namespace
}  // namespace damier::app
