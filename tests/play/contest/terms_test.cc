#include "damier/play/contest/terms.h"

#include "tests/base/temporary_folder.h"
#include <gtest/gtest.h>

#include "damier/base/text/text.h"
#include "damier/play/contest/contest.h"
#include "damier/play/registry.h"

namespace damier::play {
namespace {

using games::Outcome;
using games::Side;

std::vector<MoveNote> scores(std::initializer_list<int> values) {
  std::vector<MoveNote> notes;
  for (const int value : values) notes.push_back({.score = value});
  return notes;
}

TEST(TimeControl, IsABaseAndAnIncrement) {
  EXPECT_EQ(TimeControl::parse("10+0.1").value(), (TimeControl{10, 0.1}));
  EXPECT_EQ(TimeControl::parse("60").value(), (TimeControl{60, 0}));
  EXPECT_EQ((TimeControl{10, 0.1}.text()), "10+0.1");
  for (const char* text : {"", "+", "10+", "x", "-1+1", "0+0", "1+1+1", "nan", "1e99"}) {
    const auto parsed = TimeControl::parse(text);
    ASSERT_FALSE(parsed) << text;
    EXPECT_NE(parsed.error().text().find("BASE+INCREMENT"), std::string::npos);
  }
}

TEST(Adjudication, IsReadWithItsUsualNumbers) {
  const auto both = Adjudication::parse("resign,draw=6/15").value();
  EXPECT_EQ(both.resign, kUsualResign);
  EXPECT_EQ(both.draw, (Adjudication::Rule{6, 15, kUsualDraw.from}));
  EXPECT_EQ(Adjudication::parse(both.text()).value(), both);
  for (const char* text : {"", "lose", "resign=", "resign=0", "resign=1/2/3", "draw=a", "draw,"}) {
    EXPECT_FALSE(Adjudication::parse(text)) << text;
  }
}

TEST(Adjudication, NeedsBothSidesToAgreeForLongEnough) {
  const Adjudication rules{.resign = {2, 500, 0}, .draw = {2, 10, 3}};
  // White moved first; four moves are two of each side.
  EXPECT_EQ(adjudicated(rules, scores({600, -600, 600, -600}), Side::first), Outcome::first_wins);
  EXPECT_EQ(adjudicated(rules, scores({-600, 600, -600, 600}), Side::first), Outcome::second_wins);
  EXPECT_EQ(adjudicated(rules, scores({600, -600, 600}), Side::second), Outcome::ongoing);
  EXPECT_EQ(adjudicated(rules, scores({600, -400, 600, -600}), Side::first), Outcome::ongoing);
  EXPECT_EQ(adjudicated(rules, scores({600, 600, 600, 600}), Side::first), Outcome::ongoing);
  EXPECT_EQ(adjudicated(rules, scores({0, 5, -5, 0}), Side::first), Outcome::ongoing);  // too early
  EXPECT_EQ(adjudicated(rules, scores({90, 90, 0, 5, -5, 0}), Side::first), Outcome::draw);
  std::vector<MoveNote> mates = scores({600, -600, 0, 0});
  mates[2] = {.mate = 3};
  mates[3] = {.mate = -3};
  EXPECT_EQ(adjudicated(rules, mates, Side::first), Outcome::first_wins);
  mates[3] = {};  // a player that says nothing agrees to nothing
  EXPECT_EQ(adjudicated(rules, mates, Side::first), Outcome::ongoing);
}

TEST(MoveNotes, AreReadBack) {
  const std::vector<MoveNote> notes = {
      {}, {.score = 35}, {.score = -120, .clock = 9.5}, {.mate = -3}, {.clock = 0.25}};
  EXPECT_EQ(notes_text(notes), "- 35 -120@9.500 #-3 @0.250");
  EXPECT_EQ(parse_notes(notes_text(notes)).value(), notes);
  EXPECT_EQ(notes_text(std::vector<MoveNote>(3)), "");
  EXPECT_TRUE(parse_notes("").value().empty());
  for (const char* text : {"x", "35@", "#", "@nan", "1 2  3"}) EXPECT_FALSE(parse_notes(text));
}

// Says what it is told to.
class ScriptedPlayer final : public Player {
 public:
  explicit ScriptedPlayer(int score, bool fails = false) : score_(score), fails_(fails) {}
  games::Action choose(const games::Session& session, RandomStream&) override {
    if (fails_) throw PlayerError(Error{"engine 'x' ended with code 3"});
    return session.playing_actions().front();
  }
  MoveAnswer choose_scored(const games::Session& session, RandomStream& random,
                           const Clocks*) override {
    return {.move = choose(session, random), .score = score_};
  }

 private:
  int score_;
  bool fails_;
};

OpenedPlayer scripted(std::string name, int score, bool fails = false) {
  return {std::move(name),
          [score, fails] { return std::make_unique<ScriptedPlayer>(score, fails); }};
}

Contest scripted_contest(ContestPlan plan, bool fails = false) {
  const Registry registry = builtin_games();
  plan.toolkit = registry.toolkit(registry.make("chess").value());
  plan.games = 4;
  return open_contest(std::move(plan), {scripted("up", 900), scripted("down", -900, fails)})
      .value();
}

TEST(ContestGames, APlayerWithoutTimeLosesAndTheGameCanBeReplayed) {
  ContestPlan plan;
  plan.time = TimeControl{1e-9, 0};
  const Contest contest = scripted_contest(plan);
  const GameRow row = play_game(contest, 0);
  EXPECT_EQ(row.ending, kLostOnTime);
  EXPECT_EQ(row.outcome, "second");  // the first to move has lost
  EXPECT_TRUE(replayed(contest, row));
}

TEST(ContestGames, APlayerThatFailsLoses) {
  const Contest contest = scripted_contest({}, true);
  for (const std::int64_t number : {0, 1}) {
    const GameRow row = play_game(contest, number);
    EXPECT_EQ(row.ending, "engine 'x' ended with code 3");
    EXPECT_EQ(row.outcome, row.first == "up" ? "first" : "second");
    EXPECT_TRUE(replayed(contest, row));
  }
}

TEST(ContestGames, AreCalledWhenBothAgreeAndKeepTheirNotes) {
  ContestPlan plan;
  plan.adjudication.resign = {3, 700, 0};
  plan.time = TimeControl{1000, 1};
  const Contest contest = scripted_contest(plan);
  const GameRow row = play_game(contest, 0);
  EXPECT_EQ(row.ending, kAdjudicated);
  EXPECT_EQ(row.outcome, "first");
  EXPECT_EQ(row.plies, contest.opening_plies + 6);
  const auto notes = parse_notes(row.notes).value();
  ASSERT_EQ(notes.size(), static_cast<std::size_t>(row.plies));
  EXPECT_EQ(notes.back().score, -900);
  EXPECT_GT(notes.back().clock.value(), 900);
  EXPECT_FALSE(notes.front().clock);
  EXPECT_TRUE(replayed(contest, row));
}

TEST(ContestGames, ABookGivesEachPairItsOpening) {
  ContestPlan plan;
  plan.adjudication.resign = {1, 700, 0};
  plan.book = {{"", {"e4", "e5"}}, {"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", {"Kd2"}}};
  const Contest contest = scripted_contest(plan);
  std::vector<std::string> openings;
  for (std::int64_t number = 0; number < 4; ++number) {
    const GameRow row = play_game(contest, number);
    openings.push_back(row.start + "|" + row.opening);
    EXPECT_TRUE(row.moves.starts_with(row.opening));
    EXPECT_TRUE(replayed(contest, row)) << replayed(contest, row).error().text();
    EXPECT_TRUE(record_line(contest, row));
  }
  EXPECT_EQ(openings[0], openings[1]);
  EXPECT_EQ(openings[2], openings[3]);
  EXPECT_NE(openings[0], openings[2]);
}

TEST(ContestGames, ABookThatCannotBePlayedIsRefused) {
  const Registry registry = builtin_games();
  ContestPlan plan;
  plan.toolkit = registry.toolkit(registry.make("chess").value());
  plan.book = {{"", {"e4"}}, {"", {"e4", "e4"}}};
  const auto opened = open_contest(plan, {scripted("up", 0), scripted("down", 0)});
  ASSERT_FALSE(opened);
  EXPECT_TRUE(opened.error().text().starts_with("opening 2 of the book: "))
      << opened.error().text();
}

}  // namespace
}  // namespace damier::play
