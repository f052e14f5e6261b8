#include "damier/play/contest/contest.h"

#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include "tests/base/temporary_folder.h"
#include <gtest/gtest.h>

#include "damier/base/files/files.h"
#include "damier/games/saved_game.h"
#include "damier/model/library.h"
#include "damier/play/contest/games.h"
#include "damier/play/registry.h"

namespace damier::play {
namespace {

ContestPlan plan(std::vector<std::string> players, std::int64_t games,
                 const std::string& game = "fanorona") {
  const Registry registry = builtin_games();
  ContestPlan made;
  made.toolkit = registry.toolkit(registry.make(game).value());
  made.players = std::move(players);
  made.games = games;
  made.seed = Seed{5};
  return made;
}

Contest contest(std::vector<std::string> players, std::int64_t games,
                const std::string& game = "fanorona") {
  return open_contest(plan(std::move(players), games, game)).value();
}

TEST(Contest, EverybodyMeetsEverybodyOnBothSidesOfEveryOpening) {
  const ContestPlan three = plan({"a", "b", "c"}, 4);
  EXPECT_EQ(three.total_games(), 12);
  std::map<std::set<std::size_t>, std::map<std::int64_t, std::set<std::size_t>>> movers;
  for (std::int64_t number = 0; number < three.total_games(); ++number) {
    const Slot slot = slot_of(three, number);
    EXPECT_NE(slot.first, slot.second);
    movers[{slot.first, slot.second}][slot.opening].insert(slot.first);
    EXPECT_EQ(slot.pair, number / 2);
  }
  EXPECT_EQ(movers.size(), 3u);
  for (const auto& [players, openings] : movers) {
    EXPECT_EQ(openings.size(), 2u);
    for (const auto& [opening, first] : openings) EXPECT_EQ(first, players);
  }
}

TEST(Contest, NeighboursMeetThoseThatFollowThem) {
  ContestPlan five = plan({"a", "b", "c", "d", "e"}, 2);
  five.neighbours = 2;
  std::set<std::set<std::size_t>> met;
  std::vector<std::int64_t> games(5);
  for (std::int64_t number = 0; number < five.total_games(); ++number) {
    const Slot slot = slot_of(five, number);
    met.insert({slot.first, slot.second});
    ++games[slot.first];
    ++games[slot.second];
  }
  const std::set<std::set<std::size_t>> expected = {{0, 1}, {0, 2}, {1, 2}, {1, 3},
                                                    {2, 3}, {2, 4}, {3, 4}};
  EXPECT_EQ(met, expected);
  for (std::size_t player = 0; player < 5; ++player) {
    EXPECT_EQ(games[player], five.games_of(player)) << player;
  }
}

TEST(Contest, InAGauntletOnlyTheFirstMeetsTheOthers) {
  ContestPlan four = plan({"a", "b", "c", "d"}, 2);
  four.gauntlet = true;
  EXPECT_EQ(four.total_games(), 6);
  for (std::int64_t number = 0; number < four.total_games(); ++number) {
    const Slot slot = slot_of(four, number);
    EXPECT_EQ(std::min(slot.first, slot.second), 0u);
    EXPECT_EQ(std::max(slot.first, slot.second), static_cast<std::size_t>(number / 2 % 3 + 1));
  }
  EXPECT_EQ(four.games_of(0), 6);
  EXPECT_EQ(four.games_of(3), 2);
}

TEST(Contest, BothGamesOfAPairBeginAlike) {
  const Contest match = contest({"random", "first"}, 20);
  for (std::int64_t pair = 0; pair < 10; ++pair) {
    const GameRow one = play_game(match, 2 * pair), other = play_game(match, 2 * pair + 1);
    EXPECT_EQ(one.opening, other.opening);
    EXPECT_EQ(one.first, other.second);
    EXPECT_TRUE(one.moves.starts_with(one.opening));
  }
}

GameRows played(const Contest& match, int threads, GameRows rows = {}) {
  ThreadPool pool(threads);
  play_contest(match, rows, pool, [](const GameRow&) { return true; });
  for (auto& row : rows) row->seconds = 0;
  return rows;
}

TEST(Contest, DoesNotDependOnTheThreadsNorOnWhatWasPlayedBefore) {
  const Contest match = contest({"uct:50", "flat:5", "random"}, 10);
  const GameRows alone = played(match, 1);
  EXPECT_EQ(alone, played(match, 4));
  GameRows half = alone;
  for (std::size_t i = 0; i < half.size(); i += 2) half[i].reset();
  EXPECT_EQ(alone, played(match, 2, half));
}

TEST(Contest, FinishedGamesAreNotPlayedAgain) {
  const Contest match = contest({"random", "first"}, 10);
  GameRows rows = played(match, 1);
  rows[3].reset();
  ThreadPool pool(2);
  std::vector<std::int64_t> numbers;
  play_contest(match, rows, pool, [&](const GameRow& row) {
    numbers.push_back(row.number);
    return true;
  });
  EXPECT_EQ(numbers, std::vector<std::int64_t>{3});
}

TEST(Contest, ScoresAddUp) {
  const Contest match = contest({"minimax:4", "random"}, 40);
  const GameRows rows = played(match, 2);
  const Score score = score_between(match, rows, 0, 1), other = score_between(match, rows, 1, 0);
  EXPECT_EQ(score.tally.record().games(), 40);
  EXPECT_EQ(score.tally.pairs().pairs(), 20);
  EXPECT_EQ(score.moving_first.games(), 20);
  EXPECT_EQ(score.tally.record(), other.tally.record().reversed());
  EXPECT_GT(score.tally.record().score(), 0.8);
  const auto table = rate_contest(match, rows, Anchor{"random", 100}).value();
  EXPECT_EQ(table.ratings.front().player, "minimax:4");
  EXPECT_EQ(table.find("random")->elo, 100);
}

TEST(Contest, TheSequentialTestEndsAtTheSamePairWhateverWasPlayedBeyond) {
  const Contest match = contest({"minimax:4", "random"}, 200);
  const Sprt sprt = {0, 100, 0.05, 0.05};
  const GameRows all = played(match, 2);
  SequentialTest whole(match, sprt);
  ASSERT_TRUE(whole.advance(all));
  EXPECT_EQ(whole.state().decision, SprtDecision::accept_elo1);
  GameRows prefix(all.begin(), all.begin() + whole.games());
  prefix.resize(all.size());
  SequentialTest again(match, sprt);
  EXPECT_TRUE(again.advance(prefix));
  EXPECT_EQ(again.games(), whole.games());
  prefix[static_cast<std::size_t>(whole.games() - 1)].reset();
  SequentialTest early(match, sprt);
  EXPECT_FALSE(early.advance(prefix));
}

TEST(Contest, RecordsCanBeLoaded) {
  const Contest match = contest({"random", "first"}, 2, "bremen");
  const GameRow row = play_game(match, 1);
  const auto saved =
      games::parse_saved_game(games::builtin_games(), record_line(match, row).value(), "record")
          .value();
  EXPECT_EQ(saved.session->plies(), row.plies);
  EXPECT_EQ(saved.players[0], "first");
  EXPECT_EQ(saved.session->outcome() == games::Outcome::draw, row.outcome == "draw");
}

// Whatever a row of the store holds: one line that says what is wrong, and no crash.
TEST(Contest, AStoredGameThatCannotBeIsAnError) {
  const Contest match = contest({"random", "first"}, 2);
  const GameRow whole = play_game(match, 1);
  ASSERT_TRUE(record_line(match, whole));
  const auto error = [&](const std::function<void(GameRow&)>& damage) {
    GameRow row = whole;
    damage(row);
    const auto line = record_line(match, row);
    return line ? "none" : line.error().text();
  };
  EXPECT_EQ(error([](GameRow& row) { row.moves = "7-4 7-4"; }).find("its move "), 0u);
  EXPECT_EQ(error([](GameRow& row) { row.moves += " 7-4"; }),
            "its move '7-4' comes after the end of the game");
  EXPECT_EQ(error([](GameRow& row) { row.moves = row.opening; }),
            "its moves end before the game does");
  EXPECT_EQ(error([](GameRow& row) { row.moves.clear(); }), "its moves end before the game does");
  EXPECT_EQ(error([](GameRow& row) { row.moves += " "; }),
            "its move '' comes after the end of the game");
  EXPECT_EQ(error([](GameRow& row) { row.number = 2; }), "its number is 2; expected 0 to 1");
  EXPECT_EQ(error([](GameRow& row) { row.number = -1; }), "its number is -1; expected 0 to 1");
  EXPECT_EQ(error([](GameRow& row) { row.first = "random"; }),
            "its first player is 'random'; expected 'first'");
  EXPECT_EQ(error([](GameRow& row) { row.second.clear(); }),
            "its second player is ''; expected 'random'");
  EXPECT_EQ(error([](GameRow& row) { row.pair.reset(); }), "its pair is missing; expected 0");
  EXPECT_EQ(error([](GameRow& row) { row.plies += 1; }).find("its plies are "), 0u);
  EXPECT_EQ(error([](GameRow& row) { row.opening = "9-9"; }), "its opening is not how it begins");
  EXPECT_EQ(error([](GameRow& row) {
              row.outcome = row.outcome == "draw" ? "first" : "draw";
            }).find("its outcome is "),
            0u);
}

// Ways in which a file changes under those who use it.
using FileChange = std::function<void(const std::string& path)>;
std::vector<FileChange> file_changes(const std::string& other) {
  namespace fs = std::filesystem;
  return {[](const std::string& path) { fs::remove(path); },
          [](const std::string& path) { fs::resize_file(path, 100); },
          [](const std::string& path) { std::ofstream(path) << "no model any more"; },
          [other](const std::string& path) {
            fs::copy_file(other, path, fs::copy_options::overwrite_existing);
          }};
}

TEST(Contest, AModelThatChangesDuringAContestChangesNothing) {
  const std::string whole = model::model_path("fanorona").value();
  const std::string other = model::model_path("minesweeper").value();
  for (const char* search : {"", ",mcts=20"}) {
    const GameRows expected = played(contest({"net:" + whole + search, "random"}, 20), 1);
    for (const FileChange& change : file_changes(other)) {
      const TemporaryFolder folder;
      const std::string model = folder.path() / "model.safetensors";
      std::filesystem::copy_file(whole, model);
      const Contest match = contest({"net:" + model + search, "random"}, 20);
      GameRows rows;
      ThreadPool pool(2);
      bool changed = false;
      play_contest(match, rows, pool, [&](const GameRow&) {
        if (!std::exchange(changed, true)) change(model);
        return true;
      });
      for (std::size_t i = 0; i < rows.size(); ++i) {
        ASSERT_TRUE(rows[i]);
        EXPECT_EQ(rows[i]->moves, expected[i]->moves);
      }
      EXPECT_FALSE(open_contest(plan({"net:" + model, "random"}, 4)));
    }
  }
}

TEST(Evaluation, AModelThatChangesDuringItChangesNothing) {
  const Registry registry = builtin_games();
  const auto toolkit = registry.toolkit(registry.make("minesweeper", {{"board", "4x4x2"}}).value());
  for (const char* name : {"minesweeper", "minesweeper-report"}) {
    const std::string whole = model::model_path(name).value();
    const auto wins = [&](const std::string& path, const FileChange& change) {
      ThreadPool pool(1);
      bool changed = false;
      const auto evaluation =
          toolkit->evaluate("net:" + path, 128, Seed{1}, pool, [&](std::uint64_t) {
            if (change && !std::exchange(changed, true)) change(path);
          });
      return evaluation ? std::optional(evaluation->wins) : std::nullopt;
    };
    const auto expected = wins(whole, {});
    ASSERT_TRUE(expected);
    for (const FileChange& change : file_changes(model::model_path("fanorona").value())) {
      const TemporaryFolder folder;
      const std::string model = folder.path() / "model.safetensors";
      std::filesystem::copy_file(whole, model);
      EXPECT_EQ(wins(model, change), expected);
    }
  }
}

TEST(Contest, ErrorsAreNamed) {
  EXPECT_EQ(open_contest(plan({"random", "first"}, 3)).error().text(),
            "3 games cannot be paired: expected an even number from 2 on");
  EXPECT_EQ(open_contest(plan({"random", "human"}, 2)).error().text(),
            "a human plays with `damier play fanorona --vs PLAYER`");
  EXPECT_EQ(open_contest(plan({"random", "first", "random"}, 2)).error().text(),
            "player 'random' is there twice");
  EXPECT_TRUE(open_contest(plan({"random", "random"}, 2))) << "a match against oneself";
  EXPECT_EQ(open_contest(plan({"random", "first"}, 2, "minesweeper")).error().text(),
            "minesweeper has one player; `damier eval PLAYER minesweeper` measures one");
}

TEST(GamesCsv, QuotesWhatWouldBeTakenForSomethingElse) {
  GameRow row;
  row.number = 3;
  row.first = "net:a \"b\".safetensors";
  row.second = "uct:10,c=1";
  row.outcome = "draw";
  row.plies = 2;
  row.moves = "d@a1 d@a5";
  EXPECT_EQ(games_csv({std::nullopt, row}),
            "number,first,second,opening,outcome,plies,moves\n"
            "3,\"net:a \"\"b\"\".safetensors\",\"uct:10,c=1\",,draw,2,d@a1 d@a5\n");
}

}  // namespace
}  // namespace damier::play
