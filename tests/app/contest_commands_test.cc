// solve, analyze, match, tournament, eval, runs and ratings as a user runs them.

#include <algorithm>
#include <csignal>
#include <regex>
#include <set>

#include "tests/app/program.h"
#include "tests/base/temporary_folder.h"
#include <gtest/gtest.h>
#include <sched.h>

#include "damier/base/files/files.h"
#include "damier/base/json/json.h"
#include "damier/base/text/text.h"
#include "damier/games/registry.h"
#include "damier/play/ratings/strength.h"
#include "damier/store/store.h"

namespace damier::app {
namespace {

class ContestCommands : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.path() / name; }
  Environment environment() const { return {{"DAMIER_STORE", path("runs.db")}}; }
  Ran run(std::vector<std::string> arguments, const std::string& input = "") const {
    return damier(std::move(arguments), input, environment());
  }
  Json json(std::vector<std::string> arguments, const std::string& input = "") const {
    arguments.push_back("--json");
    const Ran ran = run(std::move(arguments), input);
    EXPECT_EQ(ran.code, 0) << ran.err;
    const auto parsed = parse_json(ran.out, "output");
    return parsed ? *parsed : Json::object();
  }
  void refused(std::vector<std::string> arguments, const std::string& line,
               const std::string& input = "") const {
    const Ran ran = run(std::move(arguments), input);
    EXPECT_EQ(ran.code, 2);
    EXPECT_EQ(ran.out, "");
    EXPECT_EQ(ran.err, "damier: " + line + "\n");
  }

 private:
  TemporaryFolder folder_;
};

TEST_F(ContestCommands, SolvesFanorona) {
  const Json start = json({"solve", "fanorona"});
  EXPECT_EQ(start["schema"], "damier/solve/1");
  EXPECT_EQ(start["value"], "draw");
  EXPECT_TRUE(start["distance"].is_null());
  const Json counts = json({"solve", "fanorona", "--stats"})["counts"];
  EXPECT_EQ(counts["boards"], 107520);
  EXPECT_EQ(counts["states"], 215040);
  EXPECT_EQ(counts["already_won"], 5096);
  EXPECT_EQ(counts["no_legal_move"], 840);
  EXPECT_EQ(counts["longest_win"], 11);
  EXPECT_EQ(counts["reachable"], 16806);
  const Json won = json({"solve", "fanorona", "--position", "BB..WWWB. w"});
  EXPECT_EQ(won["value"], "win");
  EXPECT_EQ(won["distance"], 1);
}

TEST_F(ContestCommands, SolvesDomineeringBoards) {
  const auto winner = [&](const char* board) {
    return json({"solve", "domineering", "--board", board})["winner"].get<std::string>();
  };
  EXPECT_EQ(winner("4x4"), "first");
  EXPECT_EQ(winner("5x5"), "second");
  EXPECT_EQ(winner("5x6"), "horizontal");
  EXPECT_EQ(winner("6x5"), "vertical");
  EXPECT_EQ(winner("6x7"), "vertical");
}

TEST_F(ContestCommands, SolvesBremenPositionsBySearch) {
  const Json win = json({"solve", "bremen", "--position", "c4d3d3b5/e3a4e2b1 b"});
  EXPECT_EQ(win["value"], "win");
  EXPECT_EQ(win["distance"], 3);
  const Json loss = json({"solve", "bremen", "--position", "a3d2c3e5/a4a3a3a2 b"});
  EXPECT_EQ(loss["value"], "loss");
  EXPECT_EQ(loss["distance"], 2);
  const Json open = json({"solve", "bremen", "a1b1c1d2/a5b5c5d5 r", "--nodes", "1000"});
  EXPECT_EQ(open["value"], "unknown");
}

TEST_F(ContestCommands, AnalyzesEveryMove) {
  const Json exact = json({"analyze", "fanorona", "BB..WWWB. w"});
  EXPECT_EQ(exact["schema"], "damier/analyze/1");
  EXPECT_EQ(exact["player"], "perfect");
  EXPECT_EQ(exact["moves"][0]["exact"]["value"], "win");
  EXPECT_EQ(exact["moves"][0]["exact"]["distance"], 1);
  EXPECT_EQ(exact["pv"].size(), 1u);
  const Json tree = json({"analyze", "domineering", "--board", "5x5", "--player", "uct:2000"});
  EXPECT_EQ(tree["moves"].size(), 20u);
  std::uint64_t visits = 0;
  for (const Json& move : tree["moves"]) {
    visits += move["visits"].is_null() ? 0 : move["visits"].get<std::uint64_t>();
  }
  EXPECT_GE(visits, 1000u);
}

constexpr const char* kCorner = "3 3 2\n#1#\n12#\n###\n";

TEST_F(ContestCommands, AnalyzesMinesweeper) {
  const Json board = json({"analyze", "minesweeper", "--board", "-"}, "2 2 1\n1#\n##\n");
  EXPECT_EQ(board["arrangements"], "3");
  EXPECT_TRUE(board["probability"][0][0].is_null());
  EXPECT_NEAR(board["probability"][0][1].get<double>(), 1.0 / 3, 1e-12);
  EXPECT_EQ(run({"analyze", "minesweeper", "--board", "-"}, kCorner).code, 0);
  refused({"analyze", "minesweeper", "--board", "-"},
          "standard input:1: the header is 'two 2 1'; expected 'rows cols bombs', as '9 9 10'",
          "two 2 1\n");
}

TEST_F(ContestCommands, MatchesGiveScoreIntervalAndElo) {
  const Json match =
      json({"match", "fanorona", "minimax:3", "random", "--games", "20", "--seed", "1"});
  EXPECT_EQ(match["schema"], "damier/match/1");
  EXPECT_EQ(match["games"], 20);
  EXPECT_EQ(match["a"]["player"], "minimax:3");
  EXPECT_EQ(match["a"]["wins"], match["b"]["losses"]);
  EXPECT_EQ(match["seed"], 1);
  EXPECT_LT(match["interval"][0], match["a"]["score"]);
  EXPECT_GT(match["elo"]["interval"][0], 0);
  const Ran text =
      run({"match", "fanorona", "minimax:3", "random", "--games", "20", "--seed", "1"});
  EXPECT_NE(text.out.find("as white"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("Elo"), std::string::npos);
}

TEST_F(ContestCommands, MatchesDoNotDependOnTheThreads) {
  const auto of = [&](const char* threads) {
    Json match = json({"match", "domineering", "uct:100", "flat:5", "--games", "12", "--board",
                       "5x5", "--seed", "3", "--threads", threads});
    match.erase("seconds");
    match.erase("run");
    return match;
  };
  EXPECT_EQ(of("1"), of("4"));
}

TEST_F(ContestCommands, TheSequentialTestStopsEarly) {
  const Json match = json({"match", "fanorona", "perfect", "random", "--games", "2000", "--sprt",
                           "0,100,0.05,0.05", "--seed", "1"});
  EXPECT_LT(match["games"], 2000);
  EXPECT_EQ(match["sprt"]["decision"], "elo1");
}

TEST_F(ContestCommands, AMatchWritesItsGamesAsATable) {
  ASSERT_EQ(run({"match", "bremen", "random", "minimax:1,name=b", "--games", "4", "--seed", "1",
                 "--csv", path("games.csv")})
                .code,
            0);
  const std::string text = read_file(path("games.csv"), 1 << 20).value();
  const auto lines = split(trim(text), '\n');
  ASSERT_EQ(lines.size(), 5u);
  EXPECT_EQ(lines[0], "number,first,second,opening,outcome,plies,moves");
  EXPECT_TRUE(lines[1].starts_with("0,")) << lines[1];
  // A player's text has a comma of its own.
  EXPECT_NE(lines[1].find("\"minimax:1,name=b\""), std::string::npos) << lines[1];
  // Files are written again from the store.
  ASSERT_EQ(run({"match", "bremen", "random", "minimax:1,name=b", "--games", "4", "--seed", "1",
                 "--resume", "--csv", path("again.csv")})
                .code,
            0);
  EXPECT_EQ(read_file(path("again.csv"), 1 << 20).value(), text);
}

TEST_F(ContestCommands, RecordsCanBeReplayed) {
  ASSERT_EQ(run({"match", "bremen", "random", "first", "--games", "4", "--seed", "1", "--record",
                 path("games.jsonl")})
                .code,
            0);
  const std::string record = read_file(path("games.jsonl"), 1 << 20).value();
  EXPECT_EQ(std::count(record.begin(), record.end(), '\n'), 4);
  const Ran replay = run({"play", "--load", path("games.jsonl"), "--number", "3"}, "quit\n");
  EXPECT_EQ(replay.code, 0) << replay.err;
  refused({"play", "--load", path("games.jsonl"), "--number", "5"},
          path("games.jsonl") + ": holds 4 games; --number is 5");
}

TEST_F(ContestCommands, TournamentsRateEverybody) {
  const std::vector<std::string> arguments = {"tournament", "fanorona", "random",  "minimax:2",
                                              "perfect",    "--games",  "20",      "--seed",
                                              "1",          "--anchor", "random=0"};
  const Json table = json(arguments);
  EXPECT_EQ(table["schema"], "damier/tournament/1");
  ASSERT_EQ(table["players"].size(), 3u);
  EXPECT_EQ(table["players"][2]["player"], "random");
  EXPECT_EQ(table["players"][2]["elo"], 0);
  EXPECT_EQ(table["players"][0]["games"], 40);
  const Json ratings = json({"ratings", "fanorona"});
  EXPECT_EQ(ratings["players"].size(), 3u);
  const Json runs = json({"runs"});
  ASSERT_EQ(runs["runs"].size(), 1u);
  EXPECT_EQ(runs["runs"][0]["status"], "done");
  const std::string name = runs["runs"][0]["run"].text();
  EXPECT_EQ(json({"runs", "show", name.substr(0, 5)})["games"], 60);
  EXPECT_NE(run({"runs"}).out.find("tournament"), std::string::npos);
}

TEST_F(ContestCommands, TablesCallPlayersByTheirNames) {
  const std::vector<std::string> players = {"flat:2,name=the new one", "random"};
  const Ran match = run({"match", "domineering", players[0], players[1], "--board", "4x4",
                         "--games", "4", "--seed", "1"});
  EXPECT_EQ(match.code, 0) << match.err;
  EXPECT_NE(match.out.find("\n  the new one  "), std::string::npos) << match.out;
  EXPECT_NE(match.out.find("score of the new one: "), std::string::npos) << match.out;
  const Ran tournament = run({"tournament", "domineering", players[0], players[1], "first",
                              "--board", "4x4", "--games", "4", "--seed", "1"});
  EXPECT_NE(tournament.out.find("  the new one  "), std::string::npos) << tournament.out;
  // The same games as without a name, and the whole text where programs read.
  const Json named = json({"match", "domineering", players[0], players[1], "--board", "4x4",
                           "--games", "4", "--seed", "1"});
  const Json plain = json({"match", "domineering", "flat:2", "random", "--board", "4x4", "--games",
                           "4", "--seed", "1"});
  EXPECT_EQ(named["a"]["player"], "flat:2,name=the new one");
  EXPECT_EQ(named["a"]["wins"], plain["a"]["wins"]);
  EXPECT_EQ(named["pairs"], plain["pairs"]);
  refused({"match", "fanorona", "flat:2,name=a", "flat:3,name=a"}, "two players are called 'a'");
}

// The first part ends when the store's journal would grow beyond a limit: in the middle of a write,
// after some games and long before the last. The second is killed as soon as it has kept a game.
TEST_F(ContestCommands, ATournamentThatFailedAndWasKilledGoesOnWhereItWas) {
  const std::vector<std::string> arguments = {"tournament", "domineering", "flat:50", "uct:2000",
                                              "random",     "--games",     "120",     "--seed",
                                              "9",          "--threads",   "2"};
  const Ran whole = run([&] {
    auto list = arguments;
    list.insert(list.end(), {"--no-store", "--json"});
    return list;
  }());
  std::vector<std::string> limited = {
      "bash", "-c", "ulimit -c 0 && ulimit -f 100 && exec \"$0\" \"$@\"", DAMIER_PROGRAM};
  limited.insert(limited.end(), arguments.begin(), arguments.end());
  const Ran failed = run_command(limited, "", environment());
  ASSERT_EQ(failed.code, 1) << failed.err;
  EXPECT_TRUE(last_line(failed.err).starts_with("damier: " + path("runs.db"))) << failed.err;
  auto store = Store::open(path("runs.db")).value();
  const RunId stored = store.runs()->front().id;
  const auto kept = store.finished_games(stored).value();
  EXPECT_GT(kept.size(), 0u);
  EXPECT_LT(kept.size(), 360u);
  auto again = arguments;
  again.push_back("--resume");
  {
    auto command = again;
    command.insert(command.begin(), DAMIER_PROGRAM);
    WatchedProgram second = watch_command(command, environment());
    ASSERT_TRUE(second.wait_for("seed 9")) << second.seen();
    while (store.finished_games(stored)->size() == kept.size()) sched_yield();
    second.send(SIGKILL);
    second.wait_for_end();
  }
  EXPECT_EQ(store.runs()->front().status, RunStatus::killed);
  Json resumed = json(again);
  Json expected = parse_json(whole.out, "output").value();
  EXPECT_EQ(resumed["players"], expected["players"]);
  const auto all = store.finished_games(stored).value();
  EXPECT_EQ(all.size(), 360u);
  for (std::size_t i = 0; i < kept.size(); ++i) {
    EXPECT_EQ(all[static_cast<std::size_t>(kept[i].number)], kept[i]) << "played again";
  }
  EXPECT_EQ(json(again)["players"], expected["players"]);  // nothing is left to play
}

TEST_F(ContestCommands, EvaluatesMinesweeperPlayers) {
  const auto of = [&](const char* threads) {
    Json eval = json({"eval", "solver", "minesweeper", "--board", "8x8x6", "--games", "200",
                      "--seed", "7", "--threads", threads});
    eval.erase("seconds");
    eval["metrics"].erase("games_per_second");
    return eval;
  };
  const Json eval = of("1");
  EXPECT_EQ(eval["schema"], "damier/eval/1");
  EXPECT_GT(eval["metrics"]["win_rate"]["value"], 0.85);
  EXPECT_EQ(eval["metrics"]["win_rate"]["n"], 200);
  EXPECT_EQ(eval, of("3"));
  EXPECT_LT(
      json({"eval", "random", "minesweeper", "--games", "200"})["metrics"]["win_rate"]["value"],
      0.05);
}

// Of a game that is solved, the solver says how good single moves are.
TEST_F(ContestCommands, EvalLooksAtTheMovesOfSolvedGames) {
  const std::vector<std::string> asked = {"eval",   "perfect",     "domineering", "--board",
                                          "4x5",    "--positions", "40",          "--players",
                                          "random", "flat:5",      "--seed",      "3"};
  const Json eval = json(asked);
  EXPECT_EQ(eval["player"], "perfect");
  EXPECT_EQ(eval["metrics"]["kept"]["value"], 1);
  EXPECT_EQ(eval["metrics"]["kept"]["n"], 40);
  ASSERT_EQ(eval["players"].size(), 3u);
  EXPECT_EQ(eval["players"][1]["player"], "random");
  EXPECT_LT(eval["players"][1]["metrics"]["kept"]["value"], 0.95);
  // It is a run of the store, with a page.
  const Json runs = json({"runs"});
  const std::string shown = run({"runs", "show", runs["runs"][0]["run"].text()}).out;
  EXPECT_NE(shown.find("eval perfect domineering --players random flat:5"), std::string::npos)
      << shown;
}

TEST_F(ContestCommands, EvalHoldsMovesAgainstAnswersOfAFile) {
  const std::string file = path("judged.txt");
  ASSERT_TRUE(write_file_atomically(file,
                                    "c1a1b1e1/e5c5a5b5 b;win;gc3 gb2\n"
                                    "b4d1c2e2/c2c2c1a3 b;win;rc2\n"));
  const Json eval = json({"eval", "minimax:1", "bremen", "--judged", file, "--players", "first",
                          "--seed", "1", "--positions", "9"});
  EXPECT_EQ(eval["schema"], "damier/eval/1");
  EXPECT_EQ(eval["judged"], file);
  EXPECT_EQ(eval["metrics"]["kept_won"]["n"], 2);
  EXPECT_EQ(eval["players"][1]["player"], "first");
  const Json runs = json({"runs"});
  const std::string shown = run({"runs", "show", runs["runs"][0]["run"].text()}).out;
  EXPECT_NE(shown.find("eval minimax:1 bremen --players first --judged " + file), std::string::npos)
      << shown;
  // With the plies to the end, wins can be played out.
  ASSERT_TRUE(write_file_atomically(
      file,
      "d2d2c3c3/c1b2b2d2 b;win 3;+3 dd1 = dd5 dd4 dd3 de2 ge3 gc1 ge1 cb1 cd1 rc2 rc1 -14 ra3 -10 "
      "ce2 -8 cb5 cd5 ca4 ce4 ca2 ra5 rc5 re5 rb4 rc4 rd4 rb3 rd3 -6 re3 -4 dc2 -2 rb2\n"));
  const Json out = json(
      {"eval", "minimax:3", "bremen", "--judged", file, "--against", "minimax:2", "--seed", "1"});
  EXPECT_EQ(out["metrics"]["converted"]["value"], 1);
  EXPECT_EQ(out["metrics"]["plies_over_distance"]["value"], 1);
  EXPECT_EQ(out["metrics"]["plies_lost"]["value"], 0);
  const Ran against = run({"eval", "minimax:3", "bremen", "--against", "minimax:2"});
  EXPECT_EQ(against.code, 2);
  EXPECT_NE(against.err.find("--against goes with --judged"), std::string::npos) << against.err;
  const Ran which = run({"eval", "minimax:1", "--judged", file});
  EXPECT_EQ(which.code, 2);
  EXPECT_NE(which.err.find("--judged: of which game?"), std::string::npos) << which.err;
  const Ran wrong = run({"eval", "random", "fanorona", "--judged", file});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_NE(wrong.err.find("judged.txt:1: "), std::string::npos) << wrong.err;
}

// What a player thinks, drawn on the board beside what is certain.
TEST_F(ContestCommands, MovesOfDomineeringAreDrawnOnTheBoard) {
  const Ran ran =
      run({"analyze", "domineering", "--board", "2x3", ".#./... v", "--player", "uct:200"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_NE(ran.out.find("    uct:200, in percent    exact: + wins, - loses, ? not known\n"),
            std::string::npos)
      << ran.out;
  EXPECT_NE(ran.out.find("  2   ·   ·   ·      2   ·   ·   ·\n"), std::string::npos) << ran.out;
}

TEST_F(ContestCommands, NetworksForOtherBoardsAndGamesAreRefusedInOneLine) {
  const auto error = [&](std::vector<std::string> arguments) {
    const Ran ran = run(std::move(arguments));
    EXPECT_EQ(ran.code, 2);
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1);
    return ran.err.substr(ran.err.rfind(": ") + 2);
  };
  EXPECT_EQ(error({"match", "domineering", "net:fanorona", "random"}),
            "is a network for fanorona; expected one for domineering\n");
  EXPECT_EQ(error({"generate", "domineering", "--set", "encoder=mover", "--set", "board=4x16", "-o",
                   "x.data"}),
            "the encoder 'mover' reads boards of up to 8x8 cells; the board is 4x16\n");
  EXPECT_EQ(error({"analyze", "domineering", "..../.... v"}),
            "has 2 rows; expected 8 (the board is 8x8)\n");
}

TEST_F(ContestCommands, WrongInputGetsOneLine) {
  refused({"match", "fanorona", "uct:0", "random"},
          "player 'uct:0': 0 is not a whole number from 1 to 1000000000");
  refused({"match", "fanorona", "solver", "random"},
          "unknown fanorona player 'solver' (known: flat, net, random, first, ucb, uct, puct, "
          "perfect, human, minimax)");
  refused({"match", "fanorona", "random", "first", "--games", "7"},
          "7 games cannot be paired: expected an even number from 2 on");
  refused({"match", "minesweeper", "random", "first"},
          "minesweeper has one player; `damier eval PLAYER minesweeper` measures one");
  refused({"eval", "random", "chess"},
          "chess has two players: `damier match chess A B` compares them");
  refused({"solve", "minesweeper"},
          "minesweeper has hidden information: no position has one exact value; `damier analyze "
          "minesweeper` gives the exact probabilities");
  refused({"solve", "chess", "--stats"},
          "the state space of chess is too large to be counted whole");
  refused({"runs", "shw"}, "runs: unexpected argument 'shw'; expected 'show RUN' or nothing");
  refused({"ratings", "chees"},
          "unknown game 'chees'; did you mean 'chess'? (known: " +
              join(nearest_first("chees", games::builtin_games().names()), ", ") + ")");
}

TEST_F(ContestCommands, HintsInPlay) {
  const Ran exact =
      run({"play", "fanorona", "--position", "BB..WWWB. w", "--vs", "random"}, "hint\nquit\n");
  EXPECT_NE(exact.out.find("wins in 1 ply "), std::string::npos) << exact.out;
  // Whatever the network thinks of them: the four moves that win, then the others.
  const Ran advice =
      run({"play", "domineering", "--board", "4x4", "--vs", "random"}, "hint\nquit\n");
  const std::regex certain(R"(\n  [a-d][1-4] +(wins|loses) )");
  std::vector<std::string> words;
  for (std::sregex_iterator at(advice.out.begin(), advice.out.end(), certain), end; at != end;
       ++at) {
    words.push_back((*at)[1]);
  }
  EXPECT_EQ(words, (std::vector<std::string>{"wins", "wins", "wins", "wins", "loses"}))
      << advice.out;
  const Ran asked =
      run({"play", "bremen", "--vs", "random", "--seed", "1"}, "hint uct:50\nhint nobody\nquit\n");
  EXPECT_NE(asked.out.find("visits"), std::string::npos) << asked.out;
  EXPECT_NE(asked.out.find("unknown bremen player 'nobody'"), std::string::npos);
  const Ran mines =
      run({"play", "minesweeper", "--board", "5x5x3", "--seed", "1"}, "c3\nhint\nquit\n");
  EXPECT_NE(mines.out.find("%"), std::string::npos) << mines.out;
}

TEST_F(ContestCommands, AdviceComesFromTheStrongestPlayer) {
  const auto strongest = [](std::string_view game) { return play::strength_of(game)->strongest; };
  EXPECT_NE(run({"play", "bremen", "--seed", "1", "--position", "a3d2c3e5/a4a3a3a2 b"}, "hint\n")
                .out.find(strongest("bremen") + " thinks"),
            std::string::npos);
  EXPECT_EQ(json({"analyze", "chess", "7k/R7/8/8/8/8/1R6/K7 w - - 0 1"})["player"],
            strongest("chess"));
}

// In the draft, which is solved, what is certain comes first, short wins before long ones; in play
// there is the network's view.
TEST_F(ContestCommands, WhoPlaysAgainstANetworkSeesWhatItSees) {
  const std::string draft = run({"play", "bremen", "--vs", "net", "--seed", "1"}, "hint\n").out;
  const auto first = draft.find("wins in 29 plies"), later = draft.find("wins in 31 plies");
  EXPECT_LT(first, later) << draft;
  EXPECT_NE(first, std::string::npos) << draft;
  EXPECT_NE(draft.find("prior"), std::string::npos) << draft;
  const std::string play = run({"play", "bremen", "--vs", "net:bremen-small", "--seed", "1",
                                "--position", "a1b1c1d2/a5b5c5d5 b"},
                               "hint\n")
                               .out;
  EXPECT_NE(play.find("net:bremen-small thinks:"), std::string::npos) << play;
  EXPECT_NE(play.find("prior"), std::string::npos) << play;
}

TEST_F(ContestCommands, ValuesAreInWordsThatPeopleUse) {
  const std::string pawns = run({"analyze", "chess", "--player", "minimax:1", "--position",
                                 "7k/8/8/3p4/4Q3/8/8/4K3 w - - 0 1"})
                                .out;
  EXPECT_NE(pawns.find("seen by minimax:1; values: pawns\n"), std::string::npos) << pawns;
  EXPECT_NE(pawns.find("  Qxd5    +9.00\n"), std::string::npos) << pawns;
  const std::string mate =
      run({"analyze", "chess", "7k/R7/8/8/8/8/1R6/K7 w - - 0 1", "--player", "minimax:2"}).out;
  EXPECT_NE(mate.find("  Rb8#  wins in 1 ply\n"), std::string::npos) << mate;
  const std::string chances = run({"analyze", "domineering", "--player", "flat:10"}).out;
  EXPECT_NE(chances.find("values: the probability of a win"), std::string::npos) << chances;
  EXPECT_NE(
      run({"solve", "fanorona", "BB..WWWB. w"}).out.find("win for white, who moves, in 1 ply\n"),
      std::string::npos);
}

TEST_F(ContestCommands, StrengthIsShownAndMeasured) {
  const std::string shown = run({"strength", "fanorona"}).out;
  EXPECT_NE(shown.find("the strongest is perfect"), std::string::npos) << shown;
  const Json all = json({"strength"})["games"];
  EXPECT_EQ(all[0]["levels"].size(), static_cast<std::size_t>(play::kLevels));
  const std::string file = path("plan.json");
  ASSERT_TRUE(write_file_atomically(
      file,
      R"({"game": "fanorona", "plan": {"players": ["random", "flat:1", "flat:2", "flat:3", "flat:4",
          "flat:5", "flat:6", "flat:7", "flat:8", "flat:9", "flat:10", "minimax:4"],
          "games": 4, "neighbours": 3, "opening": 2, "seed": 1}})"));
  const Ran ran = run({"strength", "fanorona", "--measure", file});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const auto measured = play::read_strength(contents(file), file);
  ASSERT_TRUE(measured.ok()) << measured.error().text();
  EXPECT_EQ(measured->ratings.size(), 12u);
  EXPECT_EQ(measured->levels.size(), static_cast<std::size_t>(play::kLevels));
  EXPECT_EQ(run({"verify"}).code, 0) << "of a tournament between neighbours";
  refused({"strength", "chess", "--measure", file}, file + ": is of fanorona; expected chess");
  refused({"strength", "minesweeper"},
          "minesweeper has one player; `damier eval PLAYER minesweeper` measures one");
}

// Positions with one right move; the other half of them takes longer.
TEST_F(ContestCommands, ChessPositionsWithOneRightMoveAreSolved) {
  for (const char* file : {"tactics.txt", "mates.txt"}) {
    const std::string positions = std::string(DAMIER_SOURCE_DIR "/positions/chess/") + file;
    const Json eval = json({"eval", "engine:nodes=10000", "chess", "--judged", positions,
                            "--positions", "50", "--seed", "1"});
    EXPECT_EQ(eval["metrics"]["kept"]["n"], 50) << file;
    EXPECT_GE(eval["metrics"]["kept"]["value"].get<double>(), 0.6) << file;
  }
}

}  // namespace
}  // namespace damier::app
