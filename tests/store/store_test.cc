#include "damier/store/store.h"

#include <cmath>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <map>
#include <set>

#include "tests/base/temporary_folder.h"
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "damier/base/files/files.h"
#include "damier/base/text/program_name.h"
#include "damier/store/check.h"
#include "damier/store/sqlite.h"

namespace damier {
namespace {

namespace fs = std::filesystem;

GameRow game_row(std::int64_t number) {
  return {.number = number,
          .first = "random",
          .second = "uct:1000",
          .pair = number / 2,
          .opening = "6-3 1-4",
          .outcome = number % 3 == 0   ? "draw"
                     : number % 3 == 1 ? "first"
                                       : "second",
          .plies = 20 + number,
          .moves = "6-3 1-4 7-6",
          .seconds = 0.25};
}

RunRequest tournament() {
  return {"tournament", "fanorona", Json{{"board", "3x3"}},
          Json{{"players", {"random", "first"}}, {"games", 100}}};
}

Status add_metric(Store& store, RunId run, const MetricRow& metric) {
  return store.add_metrics(run, {&metric, 1});
}

// Runs `work` in another process and gives its number; the process ends without touching what the
// tests of this process hold.
template <class Work>
pid_t in_child(const Work& work) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(work() ? 0 : 1);
  return child;
}

int exit_code(pid_t child) {
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

class StoreTest : public ::testing::Test {
 protected:
  fs::path path() const { return folder_.path() / "damier.db"; }

  Store open() {
    auto store = Store::open(path());
    EXPECT_TRUE(store) << store.error().text();
    return std::move(*store);
  }

  bool is_sound() {
    if (!Store::open(path())) return false;
    const auto check = check_store(path());
    return check && check->damage.empty();
  }

  // Runs SQL on the file as if its tables took anything: no types, no NOT NULL, no CHECK. False
  // where SQLite still refuses.
  bool damage(const std::string& sql) {
    auto database = sqlite::Database::open(path(), 1000).value();
    const auto do_it = [&](const std::string& text) {
      const auto done = database.execute(text);
      EXPECT_TRUE(done) << text << ": " << done.error().text();
    };
    do_it(
        "PRAGMA synchronous = OFF; PRAGMA ignore_check_constraints = ON; PRAGMA writable_schema = "
        "ON;"
        "CREATE TEMP TABLE kept AS SELECT name, sql FROM sqlite_schema;"
        "UPDATE sqlite_schema SET sql = replace(replace(replace(sql, 'NOT NULL', ''), "
        "') STRICT, WITHOUT', ') WITHOUT'), ') STRICT', ')') WHERE type = 'table';"
        "PRAGMA writable_schema = RESET");
    const bool is_damaged = database.execute(sql).ok();
    do_it(
        "PRAGMA writable_schema = ON;"
        "UPDATE sqlite_master SET sql = (SELECT kept.sql FROM kept WHERE kept.name = "
        "sqlite_master.name); PRAGMA writable_schema = RESET");
    return is_damaged;
  }

  const TemporaryFolder folder_;
};

TEST_F(StoreTest, ARunIsKeptWithEverythingThatDefinesIt) {
  const RunRequest request = tournament();
  const Seed seed{0xFFFF'FFFF'FFFF'FFF1u};
  std::string name;
  {
    Store store = open();
    const auto run = store.begin_run(request, seed);
    ASSERT_TRUE(run);
    EXPECT_EQ(run->name.size(), 8u);
    EXPECT_EQ(store.find_run(run->name)->status, RunStatus::running);
    EXPECT_TRUE(store.find_run(run->name)->summary.is_null());
    ASSERT_TRUE(store.finish_run(run->id, RunStatus::done, Json{{"best", "randøm"}}));
    name = run->name;
  }
  Store store = open();
  const auto run = store.find_run(name);
  ASSERT_TRUE(run);
  EXPECT_EQ(run->request.kind, "tournament");
  EXPECT_EQ(run->request.game, "fanorona");
  EXPECT_EQ(run->request.options, request.options);
  EXPECT_EQ(run->request.config, request.config);
  EXPECT_EQ(run->seed, seed);
  EXPECT_EQ(run->version, version());
  EXPECT_EQ(run->status, RunStatus::done);
  EXPECT_EQ(run->summary["best"], "randøm");
  EXPECT_EQ(run->started.size(), std::string("2025-03-01T17:05:09.120Z").size());
  ASSERT_TRUE(run->finished);
  EXPECT_LE(run->started, *run->finished);
}

TEST_F(StoreTest, RunsAreListedLatestFirstAndByKind) {
  Store store = open();
  const auto one = store.begin_run({"match", "bremen"}, Seed{1});
  const auto two = store.begin_run({"train", ""}, Seed{2});
  const auto all = store.runs();
  ASSERT_EQ(all->size(), 2u);
  EXPECT_EQ((*all)[0].id, two->id);
  EXPECT_EQ((*all)[1].id, one->id);
  ASSERT_EQ(store.runs("match")->size(), 1u);
  EXPECT_EQ(store.runs("match")->front().id, one->id);
  EXPECT_TRUE(store.runs("eval")->empty());
}

TEST_F(StoreTest, ARunIsFoundByABeginningOfItsNameThatNoOtherShares) {
  Store store = open();
  std::map<std::string, int> by_letter;
  std::string name;
  // Seventeen names begin with sixteen digits: two of them share one.
  for (int i = 0; i < 17; ++i) {
    name = store.begin_run({"match", "bremen"}, Seed{1})->name;
    ++by_letter[name.substr(0, 1)];
  }
  for (const auto& [letter, count] : by_letter) {
    const auto found = store.find_run(letter);
    EXPECT_EQ(found.ok(), count == 1);
    if (count > 1) {
      EXPECT_NE(found.error().text().find(
                    fmt::format("{} runs have a name that begins with '{}'", count, letter)),
                std::string::npos)
          << found.error().text();
    }
  }
  EXPECT_EQ(store.find_run(" " + name)->name, name);
  EXPECT_EQ(store.find_run("%").error().text(), "no run is called '%'");
  EXPECT_EQ(store.find_run("").error().text(), "no run is called ''");
  EXPECT_EQ(store.find_run("zz").error().kind, ErrorKind::input);
}

TEST_F(StoreTest, GamesComeBackInTheOrderOfTheirNumbers) {
  Store store = open();
  const RunId run = store.begin_run(tournament(), Seed{1})->id;
  const RunId other = store.begin_run(tournament(), Seed{1})->id;
  GameRow strange = game_row(3);
  strange.pair.reset();
  strange.second.clear();
  strange.opening = std::string("two\nlines, 'quotes', \"é\" and a zero\0here", 41);
  ASSERT_TRUE(store.add_games(run, std::vector<GameRow>{strange, game_row(1)}));
  ASSERT_TRUE(store.add_game(run, game_row(2)));
  ASSERT_TRUE(store.add_game(other, game_row(2)));
  EXPECT_EQ(*store.finished_games(run), (std::vector<GameRow>{game_row(1), game_row(2), strange}));
  EXPECT_EQ(store.finished_games(other)->size(), 1u);
}

TEST_F(StoreTest, GamesAreAddedAllOrNone) {
  Store store = open();
  const RunId run = store.begin_run(tournament(), Seed{1})->id;
  ASSERT_TRUE(store.add_game(run, game_row(2)));
  const auto again = store.add_games(run, std::vector<GameRow>{game_row(1), game_row(2)});
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().kind, ErrorKind::failure);
  EXPECT_NE(again.error().text().find("UNIQUE"), std::string::npos) << again.error().text();
  EXPECT_EQ(store.finished_games(run)->size(), 1u);
  // A game of a run that does not exist, and an outcome that is none.
  EXPECT_FALSE(store.add_game(RunId{77}, game_row(1)));
  GameRow ongoing = game_row(5);
  ongoing.outcome = "ongoing";
  EXPECT_FALSE(store.add_game(run, ongoing));
  // The store still works.
  EXPECT_TRUE(store.add_game(run, game_row(1)));
  EXPECT_TRUE(is_sound());
}

TEST_F(StoreTest, MetricsMakeCurves) {
  Store store = open();
  const RunId run = store.begin_run({"train", "fanorona"}, Seed{1})->id;
  const double infinity = std::numeric_limits<double>::infinity();
  ASSERT_TRUE(store.add_metrics(run, std::vector<MetricRow>{{10, "loss", 0.5},
                                                            {20, "loss", infinity},
                                                            {10, "accuracy", 0.1},
                                                            {30, "loss", std::nan("")}}));
  ASSERT_TRUE(add_metric(store, run, {10, "loss", 0.25}));  // again, after going back
  const auto loss = store.metrics(run, "loss");
  ASSERT_EQ(loss->size(), 3u);
  EXPECT_EQ((*loss)[0], (MetricRow{10, "loss", 0.25}));
  EXPECT_EQ((*loss)[1].value, infinity);
  EXPECT_TRUE(std::isnan((*loss)[2].value));
  EXPECT_EQ(store.metrics(run)->size(), 4u);
  EXPECT_EQ(store.metrics(run)->front().name, "accuracy");
}

TEST_F(StoreTest, RatingsOfARunAreReplacedAndTheLatestCount) {
  Store store = open();
  const RunId one = store.begin_run(tournament(), Seed{1})->id;
  const RunId two = store.begin_run(tournament(), Seed{2})->id;
  const auto row = [](const char* player, double elo) {
    return RatingRow{"fanorona", player, elo, elo - 10, std::nullopt, 100};
  };
  ASSERT_TRUE(store.set_ratings(one, std::vector<RatingRow>{row("a", 1), row("b", 2)}));
  ASSERT_TRUE(store.set_ratings(one, std::vector<RatingRow>{row("a", 10), row("b", 20)}));
  ASSERT_TRUE(store.set_ratings(two, std::vector<RatingRow>{row("a", 300)}));
  const auto ratings = store.ratings(one);
  ASSERT_EQ(ratings->size(), 2u);
  EXPECT_EQ((*ratings)[0].player, "b");
  EXPECT_EQ((*ratings)[0].low, 10);
  EXPECT_FALSE((*ratings)[0].high);
  const auto latest = store.latest_ratings("fanorona");
  ASSERT_EQ(latest->size(), 2u);
  EXPECT_EQ((*latest)[0].elo, 300);
  EXPECT_EQ((*latest)[1].elo, 20);
  EXPECT_TRUE(store.latest_ratings("bremen")->empty());
}

// --- Resuming ---

TEST_F(StoreTest, AnUnfinishedRunIsResumedByTheSameRequestOnly) {
  RunId stopped{};
  {
    Store store = open();
    stopped = store.begin_run(tournament(), Seed{5})->id;
    ASSERT_TRUE(store.add_game(stopped, game_row(1)));
    ASSERT_TRUE(store.finish_run(stopped, RunStatus::stopped, Json::object()));
  }
  Store store = open();
  RunRequest other = tournament();
  other.config["games"] = 200;
  EXPECT_FALSE(store.resume_run(other)->has_value());
  other = tournament();
  other.kind = "match";
  EXPECT_FALSE(store.resume_run(other)->has_value());
  EXPECT_FALSE(store.resume_run(tournament(), Seed{6})->has_value());
  const auto resumed = store.resume_run(tournament(), Seed{5});
  ASSERT_TRUE(resumed->has_value());
  EXPECT_EQ((*resumed)->id, stopped);
  EXPECT_EQ((*resumed)->seed, Seed{5});
  EXPECT_EQ(store.finished_games(stopped)->size(), 1u);
  EXPECT_EQ(store.runs()->front().status, RunStatus::running);
  ASSERT_TRUE(store.finish_run(stopped, RunStatus::done, Json::object()));
  EXPECT_FALSE(store.resume_run(tournament())->has_value());
}

TEST_F(StoreTest, ARunInProgressIsNotTakenFromItsProcess) {
  Store store = open();
  const RunId run = store.begin_run(tournament(), Seed{5})->id;
  EXPECT_FALSE(store.resume_run(tournament())->has_value());
  const pid_t child = in_child([&] {
    auto theirs = Store::open(path());
    return theirs && !theirs->resume_run(tournament())->has_value() &&
           theirs->runs()->front().status == RunStatus::running;
  });
  EXPECT_EQ(exit_code(child), 0);
  ASSERT_TRUE(store.finish_run(run, RunStatus::stopped, Json::object()));
  EXPECT_EQ(exit_code(in_child([&] {
              auto theirs = Store::open(path());
              return theirs && theirs->resume_run(tournament())->has_value();
            })),
            0);
  // That process ended without a word.
  EXPECT_EQ(store.runs()->front().status, RunStatus::killed);
  EXPECT_TRUE(store.resume_run(tournament())->has_value());
}

// A child stores games without end and tells each one through a pipe as soon as it is stored; we
// kill it after some of them.
TEST_F(StoreTest, AKilledProcessLosesNothingThatItReported) {
  RunId run{};
  std::int64_t next = 0;
  for (int round = 0; round < 6; ++round) {
    int pipe[2];
    ASSERT_EQ(::pipe(pipe), 0);
    const pid_t child = in_child([&] {
      auto store = Store::open(path());
      if (!store) return false;
      const auto resumed = store->resume_run(tournament());
      if (!resumed) return false;
      const RunId mine =
          resumed->has_value() ? (*resumed)->id : store->begin_run(tournament(), Seed{1})->id;
      for (std::int64_t number = next;; ++number) {
        if (!store->add_game(mine, game_row(number))) return false;
        if (::write(pipe[1], &number, sizeof number) != sizeof number) return false;
      }
    });
    ::close(pipe[1]);
    std::int64_t number = -1;
    for (int told = 0; told < 1 + 7 * round; ++told) {
      ASSERT_EQ(::read(pipe[0], &number, sizeof number), static_cast<ssize_t>(sizeof number));
    }
    ::kill(child, SIGKILL);
    EXPECT_EQ(exit_code(child), 128 + SIGKILL);
    while (::read(pipe[0], &number, sizeof number) == static_cast<ssize_t>(sizeof number)) {
    }
    ::close(pipe[0]);
    Store store = open();
    ASSERT_TRUE(is_sound());
    const auto runs = store.runs();
    ASSERT_EQ(runs->size(), 1u);
    EXPECT_EQ(runs->front().status, RunStatus::killed);
    run = runs->front().id;
    const auto games = store.finished_games(run);
    ASSERT_TRUE(games);
    // Every reported game, and at most the one whose report did not come through.
    ASSERT_GE(static_cast<std::int64_t>(games->size()), number + 1);
    ASSERT_LE(static_cast<std::int64_t>(games->size()), number + 2);
    for (std::size_t i = 0; i < games->size(); ++i) {
      ASSERT_EQ((*games)[i], game_row(static_cast<std::int64_t>(i)));
    }
    next = static_cast<std::int64_t>(games->size());
  }
  EXPECT_GT(next, 6);
}

// --- Many at once ---

TEST_F(StoreTest, SeveralProcessesOpenAndWriteANewStoreAtOnce) {
  constexpr int kProcesses = 4;
  constexpr int kGames = 60;
  std::vector<pid_t> children;
  for (int process = 0; process < kProcesses; ++process) {
    children.push_back(in_child([&] {
      auto store = Store::open(path());
      if (!store) {
        fmt::print(stderr, "{}\n", store.error().text());
        return false;
      }
      const auto run = store->begin_run({"match", "bremen"}, Seed{static_cast<unsigned>(process)});
      if (!run) return false;
      for (int i = 0; i < kGames; ++i) {
        if (!store->add_game(run->id, game_row(i))) return false;
        if (!add_metric(*store, run->id, {i, "score", 0.5})) return false;
      }
      return store->finish_run(run->id, RunStatus::done, Json::object()).ok();
    }));
  }
  for (const pid_t child : children) EXPECT_EQ(exit_code(child), 0);
  Store store = open();
  const auto runs = store.runs();
  ASSERT_EQ(runs->size(), std::size_t{kProcesses});
  std::set<std::uint64_t> seeds;
  for (const auto& run : *runs) {
    seeds.insert(value_of(run.seed));
    EXPECT_EQ(run.status, RunStatus::done);
    EXPECT_EQ(store.finished_games(run.id)->size(), std::size_t{kGames});
    EXPECT_EQ(store.metrics(run.id)->size(), std::size_t{kGames});
  }
  EXPECT_EQ(seeds.size(), std::size_t{kProcesses});
  EXPECT_TRUE(is_sound());
}

TEST_F(StoreTest, ThreadsShareOneStore) {
  Store store = open();
  const RunId run = store.begin_run(tournament(), Seed{1})->id;
  constexpr int kThreads = 4;
  constexpr int kGames = 50;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&store, run, thread] {
      for (int i = 0; i < kGames; ++i) {
        EXPECT_TRUE(store.add_game(run, game_row(thread * kGames + i)));
        EXPECT_TRUE(store.finished_games(run));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(store.finished_games(run)->size(), std::size_t{kThreads * kGames});
}

TEST_F(StoreTest, AReaderSeesWhatAWriterReported) {
  Store writer = open();
  Store reader = open();
  const RunId run = writer.begin_run(tournament(), Seed{1})->id;
  for (int i = 0; i < 5; ++i) {
    ASSERT_TRUE(writer.add_game(run, game_row(i)));
    EXPECT_EQ(reader.finished_games(run)->size(), static_cast<std::size_t>(i + 1));
  }
}

// --- Files that are not what they should be ---

TEST_F(StoreTest, AFileThatIsNoDatabaseIsRefusedAndStaysAsItWas) {
  const std::string content(5000, 'x');
  ASSERT_TRUE(write_file_atomically(path(), content));
  const auto store = Store::open(path());
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().text(), path().string() + ": is not an SQLite database");
  EXPECT_EQ(store.error().kind, ErrorKind::input);
  EXPECT_EQ(*read_file(path(), 10000), content);
}

TEST_F(StoreTest, ADatabaseOfAnotherProgramIsRefusedAndStaysAsItWas) {
  {
    auto other = sqlite::Database::open(path(), 1000);
    ASSERT_TRUE(other->execute("CREATE TABLE bookmarks (name TEXT)"));
  }
  const std::string before = *read_file(path(), 100000);
  const auto store = Store::open(path());
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().text(),
            path().string() + ": is a database of another program, not a run store");
  EXPECT_EQ(*read_file(path(), 100000), before);
}

TEST_F(StoreTest, AStoreOfANewerVersionIsRefused) {
  open();
  {
    auto database = sqlite::Database::open(path(), 1000);
    ASSERT_TRUE(database->execute("PRAGMA user_version = 7"));
  }
  const auto store = Store::open(path());
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().text(),
            path().string() +
                ": was written by a newer Damier (store version 7; this one knows versions up to "
                "2)");
}

TEST_F(StoreTest, ADamagedStoreGivesErrorsAndNoCrash) {
  {
    Store store = open();
    const RunId run = store.begin_run(tournament(), Seed{1})->id;
    std::vector<GameRow> games;
    for (int i = 0; i < 2000; ++i) games.push_back(game_row(i));
    ASSERT_TRUE(store.add_games(run, games));
  }
  const std::string whole = *read_file(path(), 10'000'000);
  ASSERT_GT(whole.size(), 100'000u);
  int found = 0;
  for (std::size_t at = 100; at + 4000 < whole.size(); at += whole.size() / 40) {
    std::string damaged = whole;
    for (std::size_t i = 0; i < 4000; ++i) damaged[at + i] = static_cast<char>(i * 37 + at);
    fs::remove(path().string() + "-wal");
    fs::remove(path().string() + "-shm");
    ASSERT_TRUE(write_file_atomically(path(), damaged));
    auto store = Store::open(path());
    const auto check = store ? check_store(path(), {.repair = true}) : store.error();
    if (check && check->damage.empty()) continue;
    ++found;
    const std::string told = check ? check->damage.front().what : check.error().text();
    EXPECT_EQ(told.find('\n'), std::string::npos) << told;
    if (store) {
      const auto games = store->finished_games(RunId{1});
      const auto runs = store->runs();
    }
  }
  EXPECT_GT(found, 30);
}

// Every column of every table, with everything that a cell can hold.
TEST_F(StoreTest, ADamagedRowIsNamedAndTheOthersAreShown) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> columns = {
      {"runs",
       {"name", "kind", "game", "options", "config", "seed", "version", "started", "finished",
        "status", "summary"}},
      {"games",
       {"run", "number", "first", "second", "pair", "opening", "outcome", "plies", "moves",
        "seconds", "start", "ending", "notes"}},
      {"metrics", {"run", "name", "step", "value"}},
      {"ratings", {"run", "game", "player", "elo", "low", "high", "games"}}};
  const std::vector<std::string> values = {
      "NULL", "''", "'{'", "-1", "9223372036854775807", "1e999", "x'00ff1b9b'", "'\x1b[2J'"};
  {
    Store store = open();
    for (int i = 0; i < 2; ++i) {
      const RunId run = store.begin_run(tournament(), Seed{1})->id;
      ASSERT_TRUE(store.add_games(run, std::vector<GameRow>{game_row(0), game_row(1)}));
      ASSERT_TRUE(add_metric(store, run, {1, "loss", 0.5}));
      ASSERT_TRUE(
          store.set_ratings(run, std::vector<RatingRow>{{"fanorona", "random", 0, {}, {}, 1}}));
      ASSERT_TRUE(store.finish_run(run, RunStatus::done, Json{{"best", "random"}}));
    }
  }
  const std::string whole = *read_file(path(), 10'000'000);
  int told = 0;
  for (const auto& [table, names] : columns) {
    for (const std::string& column : names) {
      for (const std::string& value : values) {
        SCOPED_TRACE(fmt::format("{}.{} = {}", table, column, value));
        fs::remove_all(folder_.path());
        fs::create_directory(folder_.path());
        std::ofstream(path()) << whole;
        // The first run's, or the first row of it.
        const std::string row = table == "runs"    ? "id = 1"
                                : table == "games" ? "run = 1 AND number = 0"
                                                   : "run = 1";
        const bool is_damaged = damage(
            fmt::format("UPDATE OR REPLACE {} SET {} = {} WHERE {}", table, column, value, row));
        if (!is_damaged) continue;  // a key that is NULL
        DamagedRows damaged;
        {
          Store store = open();
          const auto runs = store.runs({}, &damaged);
          ASSERT_TRUE(runs);
          EXPECT_EQ(runs->size() + damaged.size(), 2u);
          ASSERT_GE(runs->size(), 1u);
          EXPECT_EQ(runs->front().id, RunId{2});
          for (const RunId run : {RunId{1}, RunId{2}}) {
            ASSERT_TRUE(store.finished_games(run, &damaged));
            ASSERT_TRUE(store.metrics(run, {}, &damaged));
            ASSERT_TRUE(store.ratings(run, &damaged));
          }
          ASSERT_TRUE(store.latest_ratings("fanorona", &damaged));
          EXPECT_TRUE(store.latest_run(tournament()));
          EXPECT_TRUE(store.find_run(runs->front().name));
        }
        for (const Error& error : damaged) {
          ++told;
          EXPECT_NE(error.message.find(" is damaged: its "), std::string::npos) << error.text();
          EXPECT_EQ(error.text().find('\n'), std::string::npos);
        }
        const auto before = check_store(path());
        ASSERT_TRUE(before) << before.error().text();
        EXPECT_TRUE(damaged.empty() || !before->damage.empty());
        const auto repaired = check_store(path(), {.repair = true});
        ASSERT_TRUE(repaired) << repaired.error().text();
        EXPECT_EQ(repaired->damage.size(), before->damage.size());
        for (const Damage& one : repaired->damage) EXPECT_TRUE(one.repaired) << one.what;
        EXPECT_TRUE(is_sound());
        EXPECT_EQ(fs::exists(set_aside_path(path())), !before->damage.empty());
      }
    }
  }
  EXPECT_GT(told, 100);
}

TEST_F(StoreTest, WhatIsSetAsideIsWhole) {
  {
    Store store = open();
    const RunId run = store.begin_run(tournament(), Seed{1})->id;
    ASSERT_TRUE(store.add_games(run, std::vector<GameRow>{game_row(0), game_row(1)}));
    ASSERT_TRUE(store.finish_run(run, RunStatus::done, nullptr));
  }
  ASSERT_TRUE(damage("UPDATE games SET moves = x'6aff00' WHERE number = 1"));
  const auto check = check_store(path(), {.repair = true});
  ASSERT_EQ(check->damage.size(), 1u);
  EXPECT_NE(check->damage[0].what.find("its moves cannot be read"), std::string::npos);
  EXPECT_EQ(check->games, 1);
  const Json row = parse_json(*read_file(set_aside_path(path()), 10000), "aside").value()["row"];
  EXPECT_EQ(row["moves"]["hex"], "6aff00");
  EXPECT_EQ(row["opening"], "6-3 1-4");
  EXPECT_EQ(open().finished_games(RunId{1})->size(), 1u);
}

// Only its end is damaged: going on gives it a new one, and its games are kept.
TEST_F(StoreTest, ARunWithoutAnEndCanGoOnAfterARepair) {
  std::string name;
  {
    Store store = open();
    const auto run = store.begin_run(tournament(), Seed{1});
    name = run->name;
    ASSERT_TRUE(store.add_game(run->id, game_row(0)));
    ASSERT_TRUE(store.finish_run(run->id, RunStatus::done, Json{{"best", "random"}}));
  }
  ASSERT_TRUE(damage("UPDATE runs SET summary = '{'"));
  ASSERT_TRUE(check_store(path(), {.repair = true}));
  Store store = open();
  EXPECT_EQ(store.find_run(name)->status, RunStatus::stopped);
  const auto run = store.resume_run(tournament());
  ASSERT_TRUE(run && *run);
  EXPECT_EQ(store.finished_games((*run)->id)->size(), 1u);
}

TEST_F(StoreTest, RunsAtWorkAreNotRepaired) {
  Store store = open();
  const RunId run = store.begin_run(tournament(), Seed{1})->id;
  ASSERT_TRUE(store.add_game(run, game_row(0)));
  ASSERT_TRUE(damage("UPDATE games SET plies = -1"));
  const auto check = check_store(path(), {.repair = true});
  ASSERT_EQ(check->damage.size(), 1u);
  EXPECT_FALSE(check->damage[0].repaired);
  EXPECT_NE(check->damage[0].remedy.find("at work"), std::string::npos);
  EXPECT_FALSE(store.reopen_run(run));
}

TEST_F(StoreTest, MissingTablesAreMadeAgain) {
  open();
  {
    auto database = sqlite::Database::open(path(), 1000);
    ASSERT_TRUE(database->execute("DROP TABLE ratings; DROP TABLE games"));
  }
  const auto check = check_store(path());
  ASSERT_TRUE(check) << check.error().text();
  EXPECT_EQ(check->damage.size(), 3u);  // with the index of ratings
  ASSERT_TRUE(check_store(path(), {.repair = true}));
  EXPECT_TRUE(is_sound());
  EXPECT_TRUE(open().ratings(RunId{1}));
}

TEST_F(StoreTest, AStoreThatIsDeletedWhileItIsInUseIsAnError) {
  Store store = open();
  const RunId run = store.begin_run(tournament(), Seed{1})->id;
  fs::remove_all(folder_.path());
  const auto added = store.add_game(run, game_row(0));
  ASSERT_FALSE(added);
  EXPECT_EQ(added.error().kind, ErrorKind::failure);
  EXPECT_NE(added.error().text().find("was deleted or moved while it was in use"),
            std::string::npos)
      << added.error().text();
  EXPECT_FALSE(store.finish_run(run, RunStatus::done, nullptr));
}

TEST_F(StoreTest, ATruncatedStoreIsAnError) {
  {
    Store store = open();
    ASSERT_TRUE(store.begin_run(tournament(), Seed{1}));
  }
  fs::resize_file(path(), 5000);
  EXPECT_FALSE(is_sound());
}

TEST_F(StoreTest, PlacesThatCannotBeWrittenAreErrors) {
  ASSERT_TRUE(write_file_atomically(folder_.path() / "file", "x"));
  const auto below_a_file = Store::open(folder_.path() / "file" / "damier.db");
  ASSERT_FALSE(below_a_file);
  EXPECT_EQ(below_a_file.error().kind, ErrorKind::failure);
  EXPECT_NE(below_a_file.error().text().find("its folder cannot be made"), std::string::npos);
  const auto a_folder = Store::open(folder_.path());
  ASSERT_FALSE(a_folder);
  EXPECT_EQ(a_folder.error().kind, ErrorKind::failure);
  EXPECT_NE(a_folder.error().text().find("cannot be opened"), std::string::npos)
      << a_folder.error().text();
  if (::geteuid() == 0) return;  // nothing is forbidden to root
  fs::create_directory(folder_.path() / "closed");
  fs::permissions(folder_.path() / "closed", fs::perms::owner_read | fs::perms::owner_exec);
  const auto closed = Store::open(folder_.path() / "closed" / "damier.db");
  ASSERT_FALSE(closed);
  EXPECT_EQ(closed.error().kind, ErrorKind::failure);
  fs::permissions(folder_.path() / "closed", fs::perms::owner_all);
}

TEST_F(StoreTest, AFileWithoutTheRightToWriteIsAnError) {
  if (::geteuid() == 0) GTEST_SKIP() << "nothing is forbidden to root";
  open();
  fs::permissions(path(), fs::perms::owner_read);
  const auto store = Store::open(path());
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().text(), path().string() + ": cannot be written: no permission");
}

TEST_F(StoreTest, FoldersAreMadeAndAnEmptyFileBecomesAStore) {
  EXPECT_TRUE(Store::open(folder_.path() / "new" / "folder" / "damier.db"));
  std::ofstream(path()).flush();
  EXPECT_TRUE(Store::open(path()));
}

// --- Where it is ---

class Environment {
 public:
  Environment(const char* name, const char* value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    if (value != nullptr) {
      ::setenv(name, value, 1);
    } else {
      ::unsetenv(name);
    }
  }
  ~Environment() {
    if (old_) {
      ::setenv(name_, old_->c_str(), 1);
    } else {
      ::unsetenv(name_);
    }
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  const char* name_;
  std::optional<std::string> old_;
};

TEST(StorePath, IsInTheStateFolderUnlessToldOtherwise) {
  const Environment home("HOME", "/home/someone");
  const Environment store("DAMIER_STORE", nullptr), own("DAMIER_STATE", nullptr);
  {
    const Environment state("XDG_STATE_HOME", nullptr);
    EXPECT_EQ(*default_store_path(), "/home/someone/.local/state/damier/damier.db");
  }
  {
    const Environment nowhere("HOME", nullptr), state("XDG_STATE_HOME", nullptr);
    EXPECT_EQ(
        state_folder().error().text(),
        "there is no folder to keep runs in: none of HOME, XDG_STATE_HOME and DAMIER_STATE is "
        "set; set one of them");
    EXPECT_FALSE(Store::open_default());
  }
  const Environment state("XDG_STATE_HOME", "/state");
  EXPECT_EQ(*default_store_path(), "/state/damier/damier.db");
  {
    const Environment all("DAMIER_STATE", "/all");
    EXPECT_EQ(*state_folder(), "/all");
    EXPECT_EQ(*default_store_path(), "/all/damier.db");
  }
  {
    const Environment relative("DAMIER_STATE", "here");
    EXPECT_EQ(*state_folder(), std::filesystem::current_path() / "here");
  }
  const Environment told("DAMIER_STORE", "/elsewhere/runs.db");
  EXPECT_EQ(*default_store_path(), "/elsewhere/runs.db");
}

// --- The cover over SQLite ---

TEST(Sqlite, WhatIsNotCommittedIsUndone) {
  const TemporaryFolder folder;
  auto database = sqlite::Database::open(folder.path() / "a.db", 1000);
  ASSERT_TRUE(database->execute("CREATE TABLE t (x INTEGER)"));
  {
    auto transaction = sqlite::Transaction::begin(*database);
    ASSERT_TRUE(database->execute("INSERT INTO t VALUES (1)"));
  }
  EXPECT_EQ(*database->integer("SELECT count(*) FROM t"), 0);
  {
    auto transaction = sqlite::Transaction::begin(*database);
    ASSERT_TRUE(database->execute("INSERT INTO t VALUES (1)"));
    ASSERT_TRUE(transaction->commit());
  }
  EXPECT_EQ(*database->integer("SELECT count(*) FROM t"), 1);
}

TEST(Sqlite, TextsAreValuesAndNeverSql) {
  const TemporaryFolder folder;
  auto database = sqlite::Database::open(folder.path() / "a.db", 1000);
  ASSERT_TRUE(database->execute("CREATE TABLE t (x TEXT)"));
  const std::string evil = "'); DROP TABLE t; --";
  auto insert = database->prepare("INSERT INTO t VALUES (?)");
  ASSERT_TRUE(insert->bind(evil).run());
  ASSERT_TRUE(insert->bind(std::string_view()).run());  // used again
  auto select = database->prepare("SELECT x FROM t");
  ASSERT_TRUE(*select->step());
  EXPECT_EQ(select->text(0), evil);
  ASSERT_TRUE(*select->step());
  EXPECT_FALSE(select->is_null(0));
  EXPECT_EQ(select->text(0), "");
  EXPECT_FALSE(*select->step());
}

TEST(Sqlite, AWriterThatWaitsTooLongSaysSo) {
  const TemporaryFolder folder;
  auto one = sqlite::Database::open(folder.path() / "a.db", 10);
  auto other = sqlite::Database::open(folder.path() / "a.db", 10);
  auto writing = sqlite::Transaction::begin(*one);
  ASSERT_TRUE(writing);
  const auto waiting = sqlite::Transaction::begin(*other);
  ASSERT_FALSE(waiting);
  EXPECT_EQ(waiting.error().text(),
            (folder.path() / "a.db").string() + ": is kept busy by another process");
  EXPECT_EQ(waiting.error().kind, ErrorKind::failure);
}

TEST(Sqlite, WrongStatementsAndTooManyValuesAreErrors) {
  const TemporaryFolder folder;
  auto database = sqlite::Database::open(folder.path() / "a.db", 1000);
  EXPECT_FALSE(database->prepare("SELEKT"));
  EXPECT_FALSE(database->execute("DROP TABLE missing"));
  EXPECT_FALSE(database->prepare("SELECT ?")->bind(1.5).bind(2.5).step());
}

}  // namespace
}  // namespace damier
