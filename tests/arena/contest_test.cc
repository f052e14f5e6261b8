#include "damier/arena/contest.h"

#include <filesystem>
#include <map>
#include <set>

#include "tests/base/temporary_folder.h"
#include <gtest/gtest.h>

#include "damier/arena/registry.h"
#include "damier/base/files.h"
#include "damier/games/saved_game.h"
#include "damier/learn/model/model_library.h"

namespace damier::arena {
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

TEST(Contest, AStoredGameWithAnotherMoveIsAFault) {
  const Contest match = contest({"random", "first"}, 2);
  GameRow row = play_game(match, 1);
  row.moves = "7-4 7-4";
  EXPECT_EQ(record_line(match, row).error().text().find("stored game 1: "), 0u);
}

TEST(Contest, AModelThatChangesDuringAContestChangesNothing) {
  const TemporaryFolder folder;
  const std::string model = folder.path() / "model.safetensors";
  std::filesystem::copy_file(learn::model_path("fanorona").value(), model);
  const Contest match = contest({"net:" + model, "random"}, 4);
  const GameRow before = play_game(match, 0);
  ASSERT_TRUE(write_file_atomically(model, "no model any more"));
  EXPECT_EQ(play_game(match, 0).moves, before.moves);
  EXPECT_FALSE(open_contest(plan({"net:" + model, "random"}, 4)));
}

TEST(Contest, FaultsAreNamed) {
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

}  // namespace
}  // namespace damier::arena
