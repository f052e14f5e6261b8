// What happens when something that is kept gets damaged: the commands that read it, and `verify`.

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/app/stored_program.h"
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "damier/app/commands/builtin_commands.h"
#include "damier/app/contest/options.h"
#include "damier/base/files/files.h"
#include "damier/base/json/json.h"
#include "damier/learn/registry.h"
#include "damier/store/check.h"
#include "damier/store/sqlite.h"
#include "damier/store/store.h"

namespace damier::app {
namespace {

namespace fs = std::filesystem;

class Verify : public StoredProgram {
 protected:
  using Words = std::vector<std::string>;

  void sql(const std::string& text) const {
    auto database = sqlite::Database::open(path("runs.db"), 10'000).value();
    const auto done = database.execute(text);
    ASSERT_TRUE(done) << text << ": " << done.error().text();
  }
  Store store() const { return Store::open(path("runs.db")).value(); }
  std::string file(const std::string& name) const { return contents(path(name)); }
  Ran done(const Words& words) const {
    const Ran ran = run(words);
    EXPECT_EQ(ran.code, 0) << ran.err << ran.out;
    return ran;
  }
  static Words with(Words words, const Words& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  // Its lines about damage, without what can be done.
  Words damaged(int code = 1) const {
    const Ran ran = run({"verify", "--json"});
    EXPECT_EQ(ran.code, code) << ran.err << ran.out;
    Words all;
    const auto json = parse_json(ran.out, "output");
    if (!json) return all;
    for (const Json& one : (*json)["damage"]) all.push_back(one["what"].text());
    return all;
  }
  void repaired() const {
    const Ran ran = run({"verify", "--repair"});
    EXPECT_EQ(ran.code, 0) << ran.err << ran.out;
    EXPECT_NE(ran.out.find("repaired "), std::string::npos) << ran.out;
    EXPECT_TRUE(damaged(0).empty());
  }
};

const std::vector<std::string> kMatch = {"match",   "fanorona", "minimax:2", "random",
                                         "--games", "6",        "--seed",    "7"};
const std::vector<std::string> kTournament = {
    "tournament", "fanorona", "random", "first", "minimax:1", "--games", "4", "--seed", "7"};

TEST_F(Verify, NothingIsSoundAndLookingMakesNothing) {
  const Ran ran = done({"verify"});
  EXPECT_EQ(last_line(ran.out), "Everything is sound.");
  EXPECT_FALSE(fs::exists(path("runs.db")));
  EXPECT_FALSE(fs::exists(path("state")));
}

TEST_F(Verify, WhatWasKeptIsCounted) {
  done(kMatch);
  done(kTournament);
  done({"match", "fanorona", "perfect", "random", "--games", "400", "--sprt", "0,100", "--seed",
        "1"});
  const Json json = parse_json(done({"verify", "--json"}).out, "output").value();
  EXPECT_EQ(json["schema"], "damier/verify/1");
  EXPECT_EQ(json["sound"]["runs"], 3);
  EXPECT_GE(json["sound"]["games"], 6 + 12 + 2);
  EXPECT_EQ(json["sound"]["ratings"], 3);
  EXPECT_GT(json["sound"]["shipped_models"], 0);
  EXPECT_EQ(json["open"], 0);
}

// A game that the rules do not allow: every command says so in a line, a repair sets it aside, and
// going on plays it again.
TEST_F(Verify, AGameThatCannotBeIsSetAsideAndPlayedAgain) {
  done(with(kMatch, {"--record", path("before")}));
  const std::string name = store().runs()->front().name;
  for (const char* damage :
       {"moves = moves || ' 7-4'", "moves = ''", "moves = '9-9 x'", "plies = 900", "pair = NULL",
        "number = 4000000000000", "first = 'nobody'", "outcome = 'draw', plies = 0, moves = ''"}) {
    SCOPED_TRACE(damage);
    sql(fmt::format("UPDATE games SET {} WHERE number = 3", damage));
    const Ran recorded = run(with(kMatch, {"--resume", "--record", path("after")}));
    EXPECT_EQ(recorded.code, 2);
    EXPECT_EQ(recorded.out, "");
    EXPECT_NE(last_line(recorded.err).find("damaged: its "), std::string::npos) << recorded.err;
    EXPECT_NE(last_line(recorded.err).find("`damier verify --repair`"), std::string::npos);
    EXPECT_FALSE(fs::exists(path("after")));
    const Words told = damaged();
    ASSERT_EQ(told.size(), 2u);
    EXPECT_NE(told[0].find(" of run " + name + ": its "), std::string::npos) << told[0];
    EXPECT_EQ(told[1], "run " + name + ": it is marked as done, but lacks games (1 of 6)");
    repaired();
    done(with(kMatch, {"--resume", "--record", path("after")}));
    // But for the time that it took.
    const auto without_seconds = [&](const std::string& record) {
      Json games = Json::array();
      std::istringstream lines(file(record));
      for (std::string line; std::getline(lines, line);) {
        games.push_back(parse_json(line, "record").value());
        games.back().erase("seconds");
      }
      return games;
    };
    EXPECT_EQ(without_seconds("after"), without_seconds("before"));
    fs::remove(path("after"));
  }
}

TEST_F(Verify, AWrongResultIsCountedAgain) {
  done(kMatch);
  const Json right = store().runs()->front().summary;
  for (const char* damage :
       {"json_set(summary, '$.a.wins', 600)", "json_set(summary, '$.games', -1)", "'{}'", "'[]'",
        "'null'", "json_set(summary, '$.b', 'x')"}) {
    SCOPED_TRACE(damage);
    sql(fmt::format("UPDATE runs SET summary = {}", damage));
    EXPECT_EQ(run({"runs"}).code, 0);
    const std::string name = store().runs()->front().name;
    EXPECT_EQ(run({"report", name, "-o", path("page.html")}).code, 0);
    EXPECT_EQ(damaged(), Words{"run " + name + ": its result is not that of its games"});
    repaired();
    EXPECT_EQ(store().runs()->front().summary, right);
  }
}

TEST_F(Verify, LostRatingsAreRatedAgain) {
  done(kTournament);
  const std::string before = done({"ratings", "fanorona"}).out;
  sql("DELETE FROM ratings WHERE player = 'first'");
  EXPECT_EQ(damaged().size(), 1u);
  repaired();
  done(with(kTournament, {"--resume"}));
  EXPECT_EQ(done({"ratings", "fanorona"}).out, before);
}

// One row must not keep the others from being shown.
TEST_F(Verify, ADamagedRunIsNamedAndTheOthersAreShown) {
  done(kTournament);
  done(kMatch);
  const std::string kept = store().runs("tournament")->front().name;
  const std::string lost = store().runs("match")->front().name;
  sql("UPDATE runs SET seed = 'x' WHERE kind = 'match'");
  const std::string line = fmt::format("damier: {}: run {} is damaged: its seed cannot be read\n",
                                       path("runs.db"), lost);
  const Ran listed = done({"runs"});
  EXPECT_NE(listed.out.find(kept), std::string::npos);
  EXPECT_EQ(listed.err, line + "damier: `damier verify` tells what can be done\n");
  EXPECT_EQ(done({"ratings", "fanorona"}).err, "");
  done({"models"});
  done({"runs", "show", kept});
  done({"report", kept, "-o", path("page.html")});
  done({"play", "fanorona", "--vs", "net", "--seed", "1"});
  for (const Words& words : {Words{"runs", "show", lost}, Words{"report", lost}}) {
    const Ran asked = run(words);
    EXPECT_EQ(asked.code, 2);
    EXPECT_NE(asked.err.find("its seed cannot be read"), std::string::npos) << asked.err;
  }
  repaired();
  EXPECT_EQ(done({"runs"}).err, "");
  // The run and its games are there to be looked at.
  const std::string aside = file("runs.db-damaged.jsonl");
  EXPECT_EQ(std::count(aside.begin(), aside.end(), '\n'), 7);
  EXPECT_NE(aside.find("minimax:2"), std::string::npos);
}

TEST_F(Verify, ADamagedModelIsTrainedAgainToTheSameBytes) {
  const Ran trained = done({"train", "fanorona-quick", "--set", "epochs=1", "--set",
                            "data.generate.count=500", "--seed", "3"});
  const std::string name = store().runs("train")->front().name;
  const std::string model = "state/damier/runs/" + name + "/model.safetensors";
  const std::string right = file(model);
  fs::resize_file(path(model), 1000);
  ASSERT_EQ(damaged().size(), 1u);
  EXPECT_EQ(damaged()[0].find("the model of run " + name + " cannot be read: "), 0u);
  repaired();
  EXPECT_TRUE(fs::exists(path(model + ".damaged")));
  done({"train", "--resume", name});
  EXPECT_EQ(file(model), right);
  fs::remove(path(model));
  EXPECT_EQ(damaged(), Words{"the model of run " + name + " is missing"});
  // What is left over is tidied up, and no damage; what may be another store's is left alone.
  fs::create_directory(path("state/damier/runs/01234567"));
  ASSERT_TRUE(write_file_atomically(path(model), right));
  const std::string left = path("state/damier/runs/" + name + "/checkpoint.safetensors");
  std::ofstream(left) << "left over";
  EXPECT_TRUE(damaged(0).empty());
  const Ran tidied = done({"verify", "--repair"});
  EXPECT_FALSE(fs::exists(left));
  EXPECT_TRUE(fs::exists(path("state/damier/runs/01234567")));
  EXPECT_NE(tidied.out.find("holds the files of 1 run that this store does not know"),
            std::string::npos)
      << tidied.out;
}

TEST_F(Verify, JournalsAndInterruptedGamesAreChecked) {
  fs::create_directories(path("state/damier/experiments/fanorona-1"));
  std::ofstream(path("state/damier/experiments/fanorona-1/journal.json")) << "{";
  std::ofstream(path("state/damier/interrupted-chess.json")) << "[]";
  EXPECT_EQ(damaged().size(), 2u);
  repaired();
  EXPECT_TRUE(fs::exists(path("state/damier/experiments/fanorona-1/journal.json.damaged")));
  EXPECT_TRUE(fs::exists(path("state/damier/interrupted-chess.json.damaged")));
}

TEST_F(Verify, FilesByName) {
  const std::string data = path("a.data");
  done({"generate", "fanorona", "--count", "100", "--seed", "1", "-o", data});
  EXPECT_EQ(last_line(done({"verify", data}).out), "Everything is sound.");
  std::string bytes = file("a.data");
  bytes[bytes.size() - 100] = static_cast<char>(bytes[bytes.size() - 100] ^ 1);
  ASSERT_TRUE(write_file_atomically(data, bytes));
  std::ofstream(path("model")) << "no model";
  const Ran ran = run({"verify", data, path("model")});
  EXPECT_EQ(ran.code, 1);
  EXPECT_EQ(last_line(ran.out), "2 damaged.");
  refused({"verify", path("none")}, path("none") + ": is no file; expected a model or a data set");
  refused({"verify", data, "--repair"},
          "--repair goes with what Damier keeps itself, not with FILES");
}

TEST_F(Verify, AFileThatIsNoStoreIsDamage) {
  std::ofstream(path("runs.db")) << std::string(5000, 'x');
  EXPECT_EQ(damaged(), Words{"is not an SQLite database"});
  EXPECT_EQ(run({"verify", "--repair"}).code, 1);
  EXPECT_EQ(file("runs.db"), std::string(5000, 'x'));
}

// --- Going on with a contest ---

TEST_F(Verify, ResumeFindsItsRunWithoutTheSeed) {
  const Words without_seed = {"match", "fanorona", "minimax:2", "random", "--games", "6"};
  const auto result = [](const Ran& ran) {
    Json json = parse_json(ran.out, "output").value();
    json.erase("seconds");
    return json;
  };
  const Json whole = result(done(with(kMatch, {"--json"})));
  sql("UPDATE runs SET status = 'stopped'; DELETE FROM games WHERE number > 1");
  const Ran resumed = done(with(without_seed, {"--resume", "--json"}));
  EXPECT_EQ(resumed.err, "seed 7\n");
  EXPECT_EQ(result(resumed), whole);
  refused({"match", "fanorona", "minimax:2", "random", "--games", "8", "--resume"},
          "--resume: there is no match with these players, games, opening and rules; `damier runs` "
          "lists what there is");
  refused(with(without_seed, {"--resume", "--seed", "8"}),
          "--resume: there is no match with these players, games, opening, seed and rules; `damier "
          "runs` lists what there is");
}

TEST_F(Verify, ResumeOfWhatIsDoneSaysSoAndWritesTheRecord) {
  for (const Words& words : {kMatch, kTournament}) {
    const Ran first = done(with(words, {"--record", path("first")}));
    const std::string name = store().runs(words[0])->front().name;
    const std::string finished = *store().find_run(name)->finished;
    const Ran again = done(with(words, {"--resume", "--record", path("again")}));
    EXPECT_EQ(again.err, "seed 7\ndamier: run " + name + " is done, nothing is left to play\n");
    EXPECT_EQ(file("again"), file("first"));
    EXPECT_EQ(*store().find_run(name)->finished, finished);
    EXPECT_EQ(store().runs(words[0])->size(), 1u);
  }
}

// What a kill can cost has a limit that does not depend on the clock.
TEST_F(Verify, EveryHundredthGameIsStoredAtOnce) {
  ASSERT_EQ(::setenv("DAMIER_STORE", path("runs.db").c_str(), 1), 0);
  const learn::Registry registry = learn::builtin_games();
  const GameCommandsList games = builtin_commands();
  Context context{registry, games};
  context.threads = 1;
  ContestArguments arguments;
  arguments.choice.game = "fanorona";
  arguments.games = 400;
  auto contest = make_contest(arguments, context, {"random", "first"}).value();
  auto match = ContestRun::begin(contest, arguments, context, "match", Json::object()).value();
  Store other = store();
  std::size_t most = 0;
  const auto played = match.play(context, [&](const play::GameRows& rows) {
    const auto done =
        std::count_if(rows.begin(), rows.end(), [](const auto& row) { return !!row; });
    const std::size_t kept = other.finished_games(match.id())->size();
    most = std::max(most, static_cast<std::size_t>(done) - kept);
    return false;
  });
  ::unsetenv("DAMIER_STORE");
  EXPECT_TRUE(played);
  EXPECT_LT(most, 100u);
  EXPECT_EQ(other.finished_games(match.id())->size(), 400u);
}

TEST_F(Verify, ARecordThatCannotBeWrittenIsRefusedBeforeAnyGame) {
  const Ran ran = run(with(kMatch, {"--record", path("none/record")}));
  EXPECT_NE(ran.code, 0);
  EXPECT_EQ(ran.err,
            "damier: " + path("none/record") + ": cannot be written: No such file or directory\n");
  EXPECT_NE(run(with(kMatch, {"--record", path("")})).code, 0);
  EXPECT_NE(
      run({"match", "chess", "random", "first", "--games", "2", "--pgn", path("none/pgn")}).code,
      0);
  EXPECT_FALSE(fs::exists(path("runs.db")));
}

// The folder of the record vanishes during the match: the run is not done, and going on writes it.
TEST_F(Verify, ARecordThatWasLostIsWrittenByResume) {
  for (int seed = 1;; ++seed) {
    fs::create_directory(path("records"));
    const Words words = {"match",     "fanorona", "random",   "first",
                         "--games",   "3000",     "--record", path("records/games"),
                         "--threads", "1",        "--seed",   std::to_string(seed)};
    WatchedProgram match = start(words);
    ASSERT_TRUE(match.wait_for("seed")) << match.seen();
    match.send(SIGSTOP);
    const bool in_time =
        store().runs()->front().status == RunStatus::running && !fs::exists(path("records/games"));
    if (in_time) fs::remove_all(path("records"));
    match.send(SIGCONT);
    const int code = match.wait_for_end();
    if (!in_time) continue;  // it was over already: once more
    EXPECT_EQ(code, 1) << match.seen();
    EXPECT_NE(match.seen().find("cannot be written"), std::string::npos) << match.seen();
    EXPECT_EQ(store().runs()->front().status, RunStatus::stopped);
    fs::create_directory(path("records"));
    done(with(words, {"--resume"}));
    const std::string record = file("records/games");
    EXPECT_EQ(std::count(record.begin(), record.end(), '\n'), 3000);
    EXPECT_EQ(store().runs()->front().status, RunStatus::done);
    return;
  }
}

TEST_F(Verify, AStoreThatIsDeletedUnderAMatchIsNoSuccess) {
  fs::create_directory(path("kept"));
  WatchedProgram match =
      watch_command({DAMIER_PROGRAM, "match", "fanorona", "flat:2000", "first", "--games", "100000",
                     "--seed", "1"},
                    {{"DAMIER_STORE", path("kept/runs.db")}, {"XDG_STATE_HOME", path("state")}});
  ASSERT_TRUE(match.wait_for("seed")) << match.seen();
  fs::remove_all(path("kept"));
  EXPECT_EQ(match.wait_for_end(), 1);
  EXPECT_EQ(last_line(match.seen()),
            "damier: " + path("kept/runs.db") + ": was deleted or moved while it was in use");
}

TEST_F(Verify, WithoutAHomeNothingIsKeptInAFolderOfStrangers) {
  const Ran ran = run_command(with({"env", "-u", "HOME", "-u", "XDG_STATE_HOME", "-u",
                                    "DAMIER_STORE", "-u", "DAMIER_STATE", DAMIER_PROGRAM},
                                   kMatch));
  EXPECT_EQ(ran.code, 2);
  EXPECT_EQ(ran.err,
            "damier: there is no folder to keep runs in: none of HOME, XDG_STATE_HOME and "
            "DAMIER_STATE is set; set one of them\n");
}

// The store, the files of runs, what studies and games keep.
TEST_F(Verify, DamierStateMovesEverything) {
  const std::string home = path("home"), all = path("all");
  fs::create_directories(home);
  const Environment moved = {{"HOME", home}, {"DAMIER_STATE", all}};
  const auto run_moved = [&](std::vector<std::string> arguments, const std::string& input = "") {
    arguments.insert(arguments.begin(),
                     {"env", "-u", "DAMIER_STORE", "-u", "XDG_STATE_HOME", DAMIER_PROGRAM});
    return run_command(arguments, input, moved);
  };
  const Ran trained = run_moved({"train", "fanorona-quick", "--set", "epochs=1", "--seed", "1"});
  ASSERT_EQ(trained.code, 0) << trained.err;
  EXPECT_TRUE(trained.out.starts_with(all + "/runs/")) << trained.out;
  ASSERT_EQ(run_moved(kMatch).code, 0);
  EXPECT_NE(run_moved({"models"}).out.find(all + "/runs/"), std::string::npos);
  EXPECT_EQ(run_moved({"verify"}).code, 0);
  EXPECT_TRUE(fs::exists(all + "/damier.db"));
  EXPECT_TRUE(fs::is_empty(home));
}

// A model that vanishes while it plays, as a user sees it.
TEST_F(Verify, AModelThatIsRemovedDuringAMatchPlaysOn) {
  const std::string model = path("model.safetensors");
  done({"export", "fanorona", "--format", "safetensors", "-o", model});
  for (const Words& command :
       {Words{"match", "fanorona"}, Words{"tournament", "fanorona", "first"}}) {
    const Words words = with(command, {"net:" + model + ",mcts=20", "random", "--games", "40",
                                       "--no-store", "--seed", "1", "--json"});
    const auto result = [](const std::string& text) {
      Json json = parse_json(last_line(text), "output").value();
      json.erase("seconds");
      return json;
    };
    const Json whole = result(done(words).out);
    const std::string bytes = file("model.safetensors");
    WatchedProgram playing = start(words);
    ASSERT_TRUE(playing.wait_for("seed 1")) << playing.seen();
    fs::remove(model);
    EXPECT_EQ(playing.wait_for_end(), 0) << playing.seen();
    EXPECT_EQ(result(playing.seen()), whole);
    ASSERT_TRUE(write_file_atomically(model, bytes));
  }
}

}  // namespace
}  // namespace damier::app
