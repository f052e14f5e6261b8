// Positions with their exact answers, and players that are held against them.

#include "damier/arena/judged_positions.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "damier/arena/registry.h"

namespace damier::arena {
namespace {

const Registry& judged_games() {
  static const Registry registry = builtin_games();
  return registry;
}

std::string refused_judged(std::string_view text) {
  const auto game = judged_games().make("bremen", {}).value();
  const auto read = read_judged(text, "file", *game);
  return read ? "" : read.error().text();
}

TEST(JudgedPositions, LinesThatAreWrongAreNamed) {
  const std::string good = "c4d3d3b5/e3a4e2b1 b;win;gc4\n";
  EXPECT_EQ(refused_judged(good), "");
  EXPECT_EQ(refused_judged("\n" + good + "\nc4d3d3b5/e3a4e2b1 b;win"),
            "file:4: 'c4d3d3b5/e3a4e2b1 b;win' has 2 parts; expected POSITION;win|draw;MOVES");
  EXPECT_EQ(refused_judged("c4d3d3b5/e3a4e2b1 b;loss;gc4"),
            "file:1: the value 'loss'; expected win or draw");
  EXPECT_NE(refused_judged("c4d3d3b5/e3a4e2b1 b;win;ga1").find("file:1: "), std::string::npos);
  EXPECT_NE(refused_judged("nowhere;win;ga1").find("file:1: "), std::string::npos);
  EXPECT_EQ(refused_judged(" \n"), "file: no positions; expected lines POSITION;win|draw;MOVES");
}

TEST(JudgedPositions, SomeAreSpreadOverTheList) {
  const auto game = judged_games().make("bremen", {}).value();
  const auto some = some_of(read_judged(judged_of("bremen"), "ships", *game).value(), 10);
  ASSERT_EQ(some.size(), 10u);
  const auto all = read_judged(judged_of("bremen"), "ships", *game).value();
  EXPECT_EQ(some[0].session->position_text(), all[0].session->position_text());
  EXPECT_EQ(some[9].session->position_text(), all[all.size() * 9 / 10].session->position_text());
  EXPECT_EQ(some_of(read_judged(judged_of("bremen"), "ships", *game).value(), 1 << 20).size(),
            all.size());
}

TEST(JudgedPositions, ThoseThatShipLeaveAChoice) {
  for (const auto& [name, text] : builtin_judged()) {
    const auto game = judged_games().make(name, {}).value();
    const auto positions = read_judged(text, name, *game);
    ASSERT_TRUE(positions) << positions.error().text();
    EXPECT_GE(positions->size(), 1000u) << name;
    for (const JudgedPosition& position : *positions) {
      EXPECT_FALSE(position.keeping.empty());
      EXPECT_LT(position.keeping.size(), position.session->legal_actions().size())
          << position.session->position_text();
    }
  }
}

// What a plain search proves must be what the solution of the whole game says.
TEST(JudgedPositions, ThoseOfBremenAgreeWithProofs) {
  const auto toolkit = judged_games().toolkit(judged_games().make("bremen", {}).value());
  const auto positions =
      some_of(read_judged(judged_of("bremen"), "ships", toolkit->game()).value(), 200);
  int proven = 0;
  for (const JudgedPosition& position : positions) {
    const auto found = toolkit->solve(*position.session, {.nodes = 3000});
    ASSERT_TRUE(found) << found.error().text();
    if (found->value == Verdict::unknown) continue;
    EXPECT_EQ(found->value, position.value) << position.session->position_text();
    for (const std::string& best : found->best) {
      const auto action = position.session->parse_move(best).value();
      EXPECT_TRUE(std::find(position.keeping.begin(), position.keeping.end(), action) !=
                  position.keeping.end())
          << position.session->position_text() << " " << best;
    }
    ++proven;
  }
  EXPECT_GE(proven, 8);
}

TEST(JudgedPositions, CountTheMovesThatKeepTheValue) {
  const auto toolkit = judged_games().toolkit(judged_games().make("bremen", {}).value());
  const auto positions =
      some_of(read_judged(judged_of("bremen"), "ships", toolkit->game()).value(), 300);
  const std::vector<std::string> players = {"first", "minimax:2", "random"};
  ThreadPool one(1), three(3);
  int heard = 0;
  const auto a = judged_moves(*toolkit, players, positions, Seed{1}, one, [&] { ++heard; });
  const auto b = judged_moves(*toolkit, players, positions, Seed{1}, three, [] {});
  ASSERT_TRUE(a && b);
  EXPECT_EQ(heard, 300);
  // `first` plays the first legal move: counted by hand.
  std::int64_t kept = 0;
  for (const JudgedPosition& position : positions) {
    const auto first = position.session->legal_actions().front();
    kept += std::find(position.keeping.begin(), position.keeping.end(), first) !=
            position.keeping.end();
  }
  EXPECT_EQ((*a)[0].won_kept + (*a)[0].drawn_kept, kept);
  EXPECT_EQ((*a)[0].won + (*a)[0].drawn, 300);
  EXPECT_GT((*a)[1].all().value, (*a)[2].all().value);
  for (std::size_t i = 0; i < players.size(); ++i) {
    EXPECT_EQ((*a)[i].won_kept, (*b)[i].won_kept) << players[i];
    EXPECT_EQ((*a)[i].drawn_kept, (*b)[i].drawn_kept) << players[i];
  }
  const auto metrics = metrics_of((*a)[1]);
  ASSERT_EQ(metrics.size(), 3u);
  EXPECT_EQ(metrics[1].name, "kept_won");
  const auto human = judged_moves(*toolkit, {"human"}, positions, Seed{1}, one, [] {});
  ASSERT_FALSE(human);
  EXPECT_EQ(human.error().text(), "a human cannot be asked here; expected another player");
}

}  // namespace
}  // namespace damier::arena
