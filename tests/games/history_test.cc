// The rules that look back: draws by repetition and by length.

#include "damier/games/history.h"

#include <gtest/gtest.h>

#include "damier/games/bremen/bremen.h"
#include "damier/games/fanorona/fanorona.h"

namespace damier::games {
namespace {

template <class G>
void play(History<G>& history, std::initializer_list<const char*> moves) {
  for (const char* move : moves) {
    ASSERT_EQ(history.outcome(), Outcome::ongoing) << "before " << move;
    const auto parsed = history.game().parse_move(history.state(), move);
    ASSERT_TRUE(parsed) << parsed.error().text();
    history.play(*parsed);
  }
}

TEST(History, TheThirdOccurrenceIsADraw) {
  const fanorona::Fanorona game;
  History history(game, game.initial());
  play(history, {"7-4", "0-3"});  // the first occurrence of this position
  play(history, {"4-7", "3-0", "7-4", "0-3"});
  EXPECT_EQ(history.outcome(), Outcome::ongoing) << "the second";
  play(history, {"4-7", "3-0", "7-4", "0-3"});
  EXPECT_EQ(history.outcome(), Outcome::draw);
  EXPECT_EQ(history.ending(), "the position occurred 3 times");
  ASSERT_TRUE(history.undo());
  EXPECT_EQ(history.outcome(), Outcome::ongoing);
}

TEST(History, TheDutyToRetreatIsPartOfAPosition) {
  const bremen::Bremen game;
  const auto with = game.parse_position("e1b1c1d1/a5e1c5d5 r !g").value();
  const auto without = game.parse_position("e1b1c1d1/a5e1c5d5 r").value();
  EXPECT_FALSE(with == without);
  EXPECT_NE(game.hash(with), game.hash(without));
}

TEST(History, PliesAreCountedAfterTheDraft) {
  const bremen::Bremen game({.max_plies = 3});
  History history(game, game.initial());
  play(history, {"d@a1", "d@a5", "g@b1", "g@b5", "c@c1", "c@c5", "r@d1", "r@d5"});
  play(history, {"da2", "da4"});
  EXPECT_EQ(history.outcome(), Outcome::ongoing);
  play(history, {"da3"});
  EXPECT_EQ(history.outcome(), Outcome::draw);
  EXPECT_EQ(history.ending(), "3 plies were played");
}

TEST(History, NoLimitMeansNoDrawByLength) {
  const bremen::Bremen game({.max_plies = 0});
  History history(game, game.parse_position("a1b1c1d1/a5b5c5d5 b").value());
  RandomStream random(Seed{1}, "test");
  while (history.outcome() == Outcome::ongoing && history.moves().size() < 1000) {
    const auto moves = game.legal_moves(history.state());
    history.play(moves[random.below(moves.size())]);
  }
  EXPECT_GT(history.moves().size(), 300u) << "the default limit would have ended it";
}

TEST(History, UndoStopsAtTheStart) {
  const fanorona::Fanorona game;
  History history(game, game.initial());
  EXPECT_FALSE(history.undo());
  play(history, {"7-4"});
  EXPECT_TRUE(history.undo());
  EXPECT_TRUE(history.state() == game.initial());
}

}  // namespace
}  // namespace damier::games
