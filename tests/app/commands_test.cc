// Every command, as a user runs it, and what it says when it is called wrongly.

#include <algorithm>
#include <filesystem>
#include <regex>

#include "tests/app/program.h"
#include "tests/base/temporary_folder.h"
#include <gtest/gtest.h>

#include "damier/app/context.h"
#include "damier/base/json/json.h"
#include "damier/games/registry.h"

namespace damier::app {
namespace {

Json json_of(const Ran& ran) {
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(std::count(ran.out.begin(), ran.out.end(), '\n'), 1) << ran.out;
  return parse_json(ran.out, "output").value();
}

TEST(Program, WelcomesInOneScreenWithFiveThingsToTry) {
  const Ran ran = damier({});
  EXPECT_EQ(ran.code, 0);
  EXPECT_LE(std::count(ran.out.begin(), ran.out.end(), '\n'), 24);
  std::size_t tries = 0;
  for (auto at = ran.out.find("\n  damier "); at != std::string::npos;
       at = ran.out.find("\n  damier ", at + 1)) {
    ++tries;
  }
  EXPECT_EQ(tries, 5u) << ran.out;
}

// Every text that a command can print without work, from a program that was started as `typed`.
std::vector<Ran> texts_of_program_typed(const std::string& typed) {
  std::vector<std::vector<std::string>> lines = {{},
                                                 {"--help"},
                                                 {"games"},
                                                 {"help", "players"},
                                                 {"models"},
                                                 {"reproduce"},
                                                 {"play", "--nothing"},
                                                 {"solve", "minesweeper"},
                                                 {"eval", "solver"},
                                                 {"match", "fanorona", "human", "random"},
                                                 {"match", "minesweeper", "solver", "random"},
                                                 {"reproduce", "--quick"},
                                                 {"runs", "show"}};
  for (const Command& command : commands()) lines.push_back({"help", std::string(command.name)});
  std::vector<Ran> texts;
  for (auto& line : lines) {
    const std::vector<std::string> shell = {"bash", "-c",
                                            "exec -a \"$0\" " DAMIER_PROGRAM " \"$@\"", typed};
    line.insert(line.begin(), shell.begin(), shell.end());
    texts.push_back(run_command(line));
  }
  return texts;
}

TEST(Program, EveryHintAndExampleBeginsWithWhatWasTyped) {
  for (const std::string typed : {"./damier", "../build/hexapawn"}) {
    std::size_t hints = 0;
    for (const Ran& ran : texts_of_program_typed(typed)) {
      const std::string text = ran.out + ran.err;
      std::smatch found;
      EXPECT_FALSE(std::regex_search(text, found, std::regex("(^|[^/])damier [a-z]")))
          << found.str() << " in\n"
          << text;
      EXPECT_EQ(text.find("{program}"), std::string::npos) << text;
      hints += text.find(typed + " ") != std::string::npos ? 1 : 0;
      const std::string name = typed.substr(typed.rfind('/') + 1);
      EXPECT_TRUE(ran.code == 0 || ran.err.starts_with(name + ": ")) << ran.err;
    }
    EXPECT_GE(hints, 10 + commands().size());
  }
}

TEST(Program, TellsItsVersion) {
  EXPECT_EQ(damier({"--version"}).out, "damier 0.1.0\n");
  EXPECT_EQ(damier({"version"}).out, "damier 0.1.0\n");
  const Json json = json_of(damier({"version", "--json"}));
  EXPECT_EQ(json["schema"], "damier/version/1");
  EXPECT_EQ(json["version"], "0.1.0");
}

TEST(Program, HelpKnowsEveryCommandGameAndPlayer) {
  const std::string help = damier({"help"}).out;
  EXPECT_EQ(help, damier({"--help"}).out);
  for (const char* command : {"games", "play", "perft", "bench", "completion", "help"}) {
    EXPECT_NE(help.find(command), std::string::npos) << command;
    const Ran ran = damier({"help", command});
    EXPECT_EQ(ran.code, 0);
    EXPECT_NE(ran.out.find("Examples:"), std::string::npos) << command;
    EXPECT_EQ(ran.out, damier({command, "--help"}).out);
  }
  for (const std::string& game : games::builtin_games().names()) {
    EXPECT_NE(damier({"help", game}).out.find("Move:"), std::string::npos) << game;
  }
  EXPECT_NE(damier({"help", "players"}).out.find("random"), std::string::npos);
}

TEST(Program, ListsTheGames) {
  const Json json = json_of(damier({"games", "--json"}));
  EXPECT_EQ(json["schema"], "damier/games/1");
  ASSERT_EQ(json["games"].size(), games::builtin_games().names().size());
  EXPECT_EQ(json["games"][1]["name"], "bremen");
  EXPECT_EQ(json["games"][1]["options"][0]["name"], "winner");
  const std::string text = damier({"games"}).out;
  for (const std::string& game : games::builtin_games().names()) {
    EXPECT_NE(text.find(game), std::string::npos);
  }
}

TEST(Program, PerftEndsWithTheTotalAlone) {
  EXPECT_EQ(last_line(damier({"perft", "fanorona", "6"}).out), "3892");
  EXPECT_EQ(last_line(damier({"perft", "bremen", "--position", "a1b1c1d1/a5b5c5d5 b", "5"}).out),
            "2896663");
  EXPECT_EQ(last_line(damier({"perft", "bremen", "3"}).out), "4800");
  EXPECT_EQ(last_line(damier({"perft", "domineering", "3"}).out), "146580");
  EXPECT_EQ(damier({"perft", "fanorona", "0"}).out, "1\n");
}

TEST(Program, PerftAsJson) {
  const Json json = json_of(damier({"perft", "domineering", "2", "--json"}));
  EXPECT_EQ(json["schema"], "damier/perft/1");
  EXPECT_EQ(json["game"], "domineering");
  EXPECT_EQ(json["depth"], 2);
  EXPECT_EQ(json["moves"].size(), 56u);
  std::uint64_t sum = 0;
  for (const auto& [move, nodes] : json["moves"].items()) sum += nodes.get<std::uint64_t>();
  EXPECT_EQ(json["nodes"], sum);
  EXPECT_EQ(json["position"].get<std::string>().size(), 8u * 8u + 7u + 2u);
}

TEST(Program, ThreadsDoNotChangeResults) {
  EXPECT_EQ(damier({"perft", "bremen", "4", "--threads", "1"}).out,
            damier({"perft", "bremen", "4", "--threads", "4"}).out);
}

TEST(Program, BenchPrintsEveryRowWithItsReference) {
  const Json json = json_of(damier({"bench", "games", "--quick", "--json"}));
  EXPECT_EQ(json["schema"], "damier/bench/1");
  ASSERT_EQ(json["rows"].size(), 4u);
  for (const Json& row : json["rows"]) {
    for (const char* field : {"name", "unit", "ours", "peer_name", "peer", "ratio", "goal"}) {
      EXPECT_TRUE(row.contains(field)) << field;
    }
    EXPECT_GT(row["ours"].get<double>(), 0);
  }
  EXPECT_NEAR(json["random_domineering"]["vertical_wins"].get<double>(), 0.509, 0.002);
}

// Every game without and with the cache. Each simulation, and each position before its first one,
// was answered by the network, by the cache or by the rules.
TEST(Program, BenchSelfPlayTellsWhereAnswersCameFrom) {
  const Json json = json_of(damier({"bench", "self-play", "--quick", "--threads", "1", "--json"}));
  ASSERT_EQ(json["rows"].size(), 6u);
  std::size_t number = 0;
  for (const Json& row : json["rows"]) {
    const auto count = [&](const char* name) { return row[name].get<std::uint64_t>(); };
    const bool cache = number++ % 2 == 1;
    EXPECT_EQ(row["cache"], cache);
    EXPECT_EQ(row["threads"], 1);
    EXPECT_EQ(row["unit"], "simulations/s");
    EXPECT_EQ(row["goal"], 0) << "a quick run is not judged";
    EXPECT_EQ(count("evaluations") + count("cached") + count("certain"),
              count("simulations") + count("positions"));
    EXPECT_EQ(count("cached") > 0, cache);
    EXPECT_GT(row["batch"].get<double>(), 1);
    EXPECT_LE(row["batch"].get<double>(), 4) << "as many games as --quick plays at once";
    double best = 0;
    for (const Json& alone : row["network_alone"]) {
      best = std::max(best, alone["rate"].get<double>());
    }
    EXPECT_DOUBLE_EQ(row["peer"].get<double>(), best);
    EXPECT_DOUBLE_EQ(row["ratio"].get<double>(), row["ours"].get<double>() / best);
  }
}

// As where Damier is installed: the program alone.
TEST(Program, WithoutTheBenchmarksBesideItBenchSaysSo) {
  const TemporaryFolder folder;
  const std::string alone = folder.path() / "damier";
  std::filesystem::copy_file(DAMIER_PROGRAM, alone);
  const Ran ran = run_command({alone, "bench", "games", "--quick"});
  EXPECT_EQ(ran.code, kWrongInput);
  EXPECT_EQ(ran.out, "");
  EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
  EXPECT_NE(ran.err.find("damier_bench"), std::string::npos) << ran.err;
  EXPECT_EQ(run_command({alone, "help", "bench"}).code, kDone);
}

TEST(Program, BenchSelfPlayOfOneGameOnManyThreads) {
  const Ran ran = damier({"bench", "self-play", "--quick", "--game", "fanorona", "--threads", "3",
                          "--set", "self_play.games_at_once=2"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find(", 3 threads, seed 1;"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("3 threads, cache off\n"), std::string::npos) << ran.out;
  EXPECT_EQ(ran.out.find("domineering"), std::string::npos) << ran.out;
}

TEST(Program, APositionIsGivenTheSameWayToEveryCommand) {
  const std::string position = ".b.bwbw.w w";
  struct Form {
    std::string command;
    std::vector<std::string> rest;  // behind the position
  };
  for (const Form& form : std::vector<Form>{{"analyze", {"--player", "perfect", "--json"}},
                                            {"solve", {"--json"}},
                                            {"perft", {"3", "--json"}},
                                            {"play", {"--as", "none", "--seed", "1", "--json"}}}) {
    const auto said = [&](std::vector<std::string> given) {
      given.insert(given.begin(), {form.command, "fanorona"});
      given.insert(given.end(), form.rest.begin(), form.rest.end());
      const Ran ran = damier(given);
      EXPECT_EQ(ran.code, given.size() == 2 + 3 + form.rest.size() ? 2 : 0) << ran.err;
      // How long it took is not the same.
      return ran.out.substr(0, ran.out.find("\"seconds\"")) +
             (ran.code == 2 ? ran.err : std::string());
    };
    const std::string by_word = said({position}), by_option = said({"--position", position});
    EXPECT_EQ(by_word, by_option) << form.command;
    EXPECT_NE(by_word, said({})) << form.command << ": another one than the beginning";
    EXPECT_EQ(said({position, "--position", position}),
              "damier: two positions are given, '" + position + "' and --position; expected one\n");
  }
  EXPECT_EQ(damier({"perft", "fanorona", "3", position}).out,
            damier({"perft", "fanorona", position, "3"}).out);
}

TEST(Program, OutputThatCannotBeWrittenIsAFailure) {
  const Ran ran = run_command({"sh", "-c", std::string(DAMIER_PROGRAM) + " games >/dev/full"});
  EXPECT_EQ(ran.code, 1);
  EXPECT_EQ(ran.err, "damier: standard output: cannot be written: No space left on device\n");
}

struct Wrong {
  std::vector<std::string> arguments;
  std::string message;  // what the one line must hold
};

TEST(Program, WrongInputGetsOneLineAndExitCodeTwo) {
  const std::vector<Wrong> all = {
      {{"plya"}, "unknown command 'plya'; did you mean 'play'?"},
      {{"perft", "fanorna", "3"}, "unknown game 'fanorna'; did you mean 'fanorona'?"},
      {{"perft", "chess"}, "DEPTH is required"},
      {{"perft"}, "GAME is required"},
      {{"perft", "fanorona", "x"}, "DEPTH is 'x'; expected a whole number from 0 to 60"},
      {{"perft", "fanorona", "-3"}, "'-3'"},
      {{"perft", "fanorona", "99"}, "DEPTH is '99'; expected a whole number from 0 to 60"},
      {{"perft", "fanorona", "3", "4"}, "POSITION: position '4'"},
      {{"perft", "fanorona", "3", "--positon", "x"}, "did you mean '--position'?"},
      {{"perft", "fanorona", "3", "--threads", "0"}, "--threads"},
      {{"perft", "fanorona", "3", "--threads", "many"}, "--threads"},
      {{"perft", "minesweeper", "3"}, "minesweeper has hidden information"},
      {{"perft", "fanorona", "--position", "bbb..wwww w", "2"},
       "--position: position 'bbb..wwww w': white has 4 pieces; expected 3"},
      {{"perft", "fanorona", "--position", "", "2"}, "--position: position ''"},
      {{"perft", "fanorona", "--position=", "2"}, "--position: position ''"},
      {{"solve", "fanorona", "--position", ""}, "--position: position ''"},
      {{"analyze", "fanorona", ""}, "POSITION: position ''"},
      {{"play", "fanorona", "--position", ""}, "--position: position ''"},
      {{"play", "fanorona", "--vs", ""}, "player '' has no name"},
      {{"play", "fanorona", "--as", ""}, "unknown side ''"},
      {{"play", "--load", ""}, "cannot be read"},
      {{"play", "minesweeper", "--board", ""}, "board"},
      {{"perft", "bremen", "3", "--rules", ""}, "rule option '' is not of the form name=value"},
      {{"match", "fanorona", "random", "first", "--no-store", "--sprt", ""}, "--sprt"},
      {{"tournament", "fanorona", "random", "first", "--no-store", "--anchor", ""},
       "--anchor: unknown player ''"},
      {{"perft", "bremen", "--position", "a1b1c1d1/a5b1c5d5 b", "2"}, "two dogs on b1"},
      {{"perft", "bremen", "3", "--rules", "winer=rooster"}, "did you mean 'winner'?"},
      {{"perft", "bremen", "3", "--rules", "winner"}, "is not of the form name=value"},
      {{"perft", "bremen", "3", "--board", "5x5"}, "--board does not go with bremen"},
      {{"perft", "domineering", "3", "--board", "9x9"}, "81 cells; expected 1 to 64"},
      {{"play", "minesweeper", "--board", "5x5x26"}, "26 bombs on 25 cells"},
      {{"play", "minesweeper", "expret"}, "did you mean 'expert'?"},
      {{"play", "bremen", "expert"}, "POSITION: position 'expert'"},
      {{"play", "chess", "ches960"}, "unknown preset 'ches960'; did you mean 'chess960'?"},
      {{"analyze"}, "which game? expected one of fanorona"},
      {{"analyze", "fanorona", "game.json", "--rules", "x=y"}, "brings its own rules"},
      {{"play"}, "which game? expected one of fanorona"},
      {{"play", "bremen", "--as", "green"}, "unknown side 'green'"},
      {{"play", "bremen", "--vs", "randm"}, "did you mean 'random'?"},
      {{"play", "bremen", "--seed", "x"}, "--seed"},
      {{"play", "minesweeper", "--vs", "random"}, "minesweeper has one player"},
      {{"play", "minesweeper", "--position", "x"}, "cannot start from a position"},
      {{"play", "--load", "/nowhere/game.json"}, "/nowhere/game.json: cannot be read"},
      {{"play", "--load", "/"}, "/: is a folder; expected a file"},
      {{"help", "plya"}, "unknown help topic 'plya'; did you mean 'play'?"},
      {{"bench", "gaems"}, "unknown benchmark 'gaems'; did you mean 'games'?"},
      {{"bench", "games", "--threads", "2"}, "--threads does not go with games: "},
      {{"bench", "nn", "--game", "fanorona"}, "--game does not go with nn: "},
      {{"bench", "self-play", "--game", "fanarona"},
       "unknown game 'fanarona'; did you mean 'fanorona'?"},
      {{"bench", "self-play", "--set", "simulations=0"},
       "domineering-self-play: simulations: is 0; expected a whole number from 1 to 1000000"},
      {{"completion", "bsh"}, "unknown shell 'bsh'; did you mean 'bash'?"},
      {{"--jsn"}, "unknown option '--jsn'"},
  };
  for (const Wrong& wrong : all) {
    const Ran ran = damier(wrong.arguments);
    std::string line;
    for (const std::string& argument : wrong.arguments) line += argument + " ";
    EXPECT_EQ(ran.code, 2) << line;
    EXPECT_EQ(ran.out, "") << line;
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << line << "\n" << ran.err;
    EXPECT_TRUE(ran.err.starts_with("damier: ")) << ran.err;
    EXPECT_NE(ran.err.find(wrong.message), std::string::npos) << line << "\n" << ran.err;
  }
}

}  // namespace
}  // namespace damier::app
