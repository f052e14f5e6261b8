#include <gtest/gtest.h>

#include "damier/exact/bremen/exact.h"

namespace damier::exact::bremen {
namespace {

using games::bremen::Bremen;
using GameState = games::bremen::State;

GameState position(std::string_view text) { return Bremen().parse_position(text).value(); }

// The figures of the whole solution.
TEST(BremenDraft, HasTheOutcomesOfTheSolution) {
  const auto draft = Draft::with_limit(0);
  EXPECT_EQ(draft->outcomes().won, 9448u);
  EXPECT_EQ(draft->outcomes().drawn, 4456u);
  EXPECT_EQ(draft->outcomes().lost, 496u);
  EXPECT_EQ(draft->outcomes().longest, 332);
  // Placements of both sides after so many plies: 1, 20, 20², 120 · 20, 120², 240 · 120, …
  EXPECT_EQ(draft->positions(), 1u + 20 + 400 + 2400 + 14400 + 28800 + 57600 + 28800);
}

TEST(BremenDraft, BlueWinsFromTheStart) {
  EXPECT_EQ(Draft::with_limit(0)->known(Bremen().initial()), (Known{Verdict::win, 29}));
}

TEST(BremenDraft, AWinThatTheLimitOfPliesForbidsIsADraw) {
  const auto limited = Draft::with_limit(300);
  EXPECT_EQ(limited->outcomes().longest <= 300, true);
  EXPECT_GT(limited->outcomes().drawn, 4456u);
  EXPECT_EQ(Draft::with_limit(2)->outcomes().won, 0u);
}

TEST(BremenDraft, LeftAndRightAreAlike) {
  const Bremen game;
  const auto draft = Draft::with_limit(300);
  GameState state = game.initial();
  for (int ply = 0; ply < 8; ++ply) {
    const auto mirror = game.transformed(state, game.symmetries(state)[1]);
    ASSERT_EQ(draft->known(state), draft->known(mirror)) << game.position_text(state);
    const auto moves = game.legal_moves(state);
    game.play(state, moves[static_cast<std::size_t>(ply * 7) % moves.size()]);
  }
}

TEST(BremenDraft, KnowsNothingOfPlayNorOfOtherRules) {
  const Exact<Bremen> exact((Bremen()));
  EXPECT_TRUE(exact.knows(Bremen().initial()));
  EXPECT_TRUE(exact.knows(position("a1b1c1d1/a5b5c5d5 b")));
  EXPECT_FALSE(exact.knows_moves(position("a1b1c1d1/a5b5c5d5 b")));
  EXPECT_FALSE(exact.knows(position("a1b1c1d1/a5b5c5d5 r")));
  EXPECT_FALSE(exact.knows(position("a3b1c1d1/a5b5c5d5 b")));
  EXPECT_FALSE(Exact<Bremen>(Bremen({true, false, 300})).knows(Bremen().initial()));
}

// What the draft says of an outcome, a search finds as well where the end is near.
TEST(BremenDraft, TheBestPlacementsKeepTheValue) {
  const Bremen game;
  const Exact<Bremen> exact(game);
  GameState state = game.initial();
  const auto asked = [&] { return exact.answer(games::History<Bremen>(game, state), {}); };
  int plies = 29;
  while (game.is_drafting(state)) {
    const auto answer = asked();
    ASSERT_EQ(answer.known.plies, plies);
    ASSERT_TRUE(answer.keeps(answer.best()));
    game.play(state, answer.best().move);
    --plies;
  }
  EXPECT_EQ(asked().known, (Known{Verdict::win, 21}));
  for (const auto& move : asked().moves) EXPECT_FALSE(asked().keeps(move)) << "of play";
}

}  // namespace
}  // namespace damier::exact::bremen
