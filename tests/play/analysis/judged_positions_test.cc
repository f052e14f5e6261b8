// Positions with their exact answers, and players that are held against them.

#include "damier/play/analysis/judged_positions.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "damier/play/registry.h"

namespace damier::play {
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

bool keeps(const JudgedPosition& position, games::Action action) {
  return position.of_move(action).verdict == position.known.verdict;
}

TEST(JudgedPositions, LinesThatAreWrongAreNamed) {
  const std::string good = "c4d3d3b5/e3a4e2b1 b;win;gc4\n";
  EXPECT_EQ(refused_judged(good), "");
  EXPECT_EQ(refused_judged("\n" + good + "\nc4d3d3b5/e3a4e2b1 b;win"),
            "file:4: 'c4d3d3b5/e3a4e2b1 b;win' has 2 parts; expected "
            "POSITION;win|draw|loss;MOVES");
  EXPECT_EQ(refused_judged("c4d3d3b5/e3a4e2b1 b;loss;gc4"),
            "file:1: the value 'loss'; expected win or draw, or every move with its own");
  EXPECT_NE(refused_judged("c4d3d3b5/e3a4e2b1 b;win;ga1").find("file:1: "), std::string::npos);
  EXPECT_NE(refused_judged("nowhere;win;ga1").find("file:1: "), std::string::npos);
  EXPECT_EQ(refused_judged(" \n"),
            "file: no positions where a move can be a mistake; expected lines "
            "POSITION;win|draw;MOVES");
}

// Two that can be won in 3 plies, and one that is lost: nothing can go wrong there.
constexpr std::string_view kEveryMove =
    "d2d2c3c3/c1b2b2d2 b;win 3;+3 dd1 = dd5 dd4 dd3 de2 ge3 gc1 ge1 cb1 cd1 rc2 rc1 -14 ra3 -10 "
    "ce2 -8 cb5 cd5 ca4 ce4 ca2 ra5 rc5 re5 rb4 rc4 rd4 rb3 rd3 -6 re3 -4 dc2 -2 rb2\n"
    "d1c3c3c3/b5a5a5a2 b;win 3;+3 dd4 +7 dc1 gb2 gd2 +9 da1 db1 +11 de1 rc2 +13 dd5 dd2 rb3 rb2 "
    "+15 dd3 ge5 +17 rd2 +19 rb4 rd4 rd3 +21 ra5 rc5 re3 +23 ra3 +25 rc4 +29 cd5 ce2 re5 +35 ce4 "
    "+37 ca4 +39 cb1 +61 cd1 +127 gb4 = gd4 cb5 ra1 rc1 re1 -40 ga1 -28 ge1\n"
    "d5e4b1e1/c5c4c4c4 b;loss 4;-4 de5 dd4 dd2 dd1 gd5 -2 dd3 gd3 gc2 ca3 cc3 cd2 ra5 rb4 re4 rc3 "
    "re3 rd2 re2 rb1 rc1 rd1\n";

TEST(JudgedPositions, FilesMaySayWhatEveryMoveIsWorth) {
  const auto toolkit = judged_games().toolkit(judged_games().make("bremen", {}).value());
  const auto positions = read_judged(kEveryMove, "file", toolkit->game());
  ASSERT_TRUE(positions) << positions.error().text();
  ASSERT_EQ(positions->size(), 2u);
  EXPECT_EQ((*positions)[0].known.plies, 3);
  EXPECT_EQ((*positions)[1].moves.at(1).known.plies, 7);
  ThreadPool pool(1);
  // minimax:3 sees the shortest win; `first` plays dd5, which is a draw or takes 13 plies.
  const auto moves =
      judged_moves(*toolkit, {"minimax:3", "first"}, *positions, Seed{1}, pool, [] {});
  ASSERT_TRUE(moves) << moves.error().text();
  for (const MoveQuality& move : (*moves)[0].moves) EXPECT_EQ(move.detour(), 0);
  EXPECT_EQ((*moves)[1].kept_of(Verdict::win).value, 0.5);
  EXPECT_EQ((*moves)[1].detours().n, 1);
  EXPECT_EQ((*moves)[1].detours().value, 10);
}

TEST(JudgedPositions, WonOnesArePlayedOut) {
  const auto toolkit = judged_games().toolkit(judged_games().make("bremen", {}).value());
  const auto positions = read_judged(kEveryMove, "file", toolkit->game()).value();
  ThreadPool one(1), three(3);
  const std::vector<std::string> players = {"minimax:3", "random"};
  int heard = 0;
  const auto a =
      conversions_of(*toolkit, players, "minimax:2", positions, Seed{1}, one, [&] { ++heard; });
  const auto b = conversions_of(*toolkit, players, "minimax:2", positions, Seed{1}, three, [] {});
  ASSERT_TRUE(a && b);
  EXPECT_EQ(heard, 2);
  EXPECT_EQ((*a)[0].ratios, (std::vector<double>{1, 1}));
  EXPECT_EQ((*a)[0].positions, 2);
  EXPECT_EQ((*a)[1].ratios, (*b)[1].ratios);
  ASSERT_EQ(metrics_of((*a)[0]).size(), 2u);
  EXPECT_EQ(metrics_of((*a)[0])[1].name, "plies_over_distance");
  // Nobody says how far the wins of this file are.
  const auto unknown =
      some_of(read_judged(judged_of("bremen"), "ships", toolkit->game()).value(), 5);
  const auto none = conversions_of(*toolkit, players, "minimax:2", unknown, Seed{1}, one, [] {});
  ASSERT_TRUE(none);
  EXPECT_TRUE(metrics_of((*none)[0]).empty());
  const auto human = conversions_of(*toolkit, players, "human", positions, Seed{1}, one, [] {});
  ASSERT_FALSE(human);
  EXPECT_EQ(human.error().text(), "a human cannot be asked here; expected another player");
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
      const auto actions = position.session->legal_actions();
      const auto keeping = std::count_if(actions.begin(), actions.end(),
                                         [&](auto action) { return keeps(position, action); });
      EXPECT_GT(keeping, 0);
      EXPECT_LT(keeping, std::ssize(actions)) << position.session->position_text();
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
    if (!found->known.is_certain()) continue;
    EXPECT_EQ(found->known.verdict, position.known.verdict) << position.session->position_text();
    for (const MoveAnswer& move : found->moves) {
      if (!found->keeps(move)) continue;
      EXPECT_TRUE(keeps(position, move.move)) << position.session->position_text();
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
    kept += keeps(position, first);
  }
  EXPECT_DOUBLE_EQ((*a)[0].kept().value, static_cast<double>(kept) / 300);
  EXPECT_EQ((*a)[0].kept().n, 300);
  EXPECT_GT((*a)[1].kept().value, (*a)[2].kept().value);
  for (std::size_t i = 0; i < players.size(); ++i) {
    EXPECT_EQ((*a)[i].kept_of(Verdict::win).value, (*b)[i].kept_of(Verdict::win).value);
    EXPECT_EQ((*a)[i].kept_of(Verdict::draw).value, (*b)[i].kept_of(Verdict::draw).value);
  }
  const auto metrics = metrics_by_value((*a)[1]);
  ASSERT_EQ(metrics.size(), 3u);
  EXPECT_EQ(metrics[1].name, "kept_won");
  const auto human = judged_moves(*toolkit, {"human"}, positions, Seed{1}, one, [] {});
  ASSERT_FALSE(human);
  EXPECT_EQ(human.error().text(), "a human cannot be asked here; expected another player");
}

}  // namespace
}  // namespace damier::play
