// Small games listed and solved without a line of their own.

#include "damier/exact/reachable.h"

#include "examples/tic_tac_toe/tic_tac_toe.h"
#include <gtest/gtest.h>

#include "damier/exact/fanorona/exact.h"
#include "damier/games/domineering/domineering.h"

namespace damier::exact {
namespace {

using games::fanorona::Fanorona;
using tic_tac_toe::TicTacToe;

// 1, 0 or -1 for the side to move, by trying everything.
int plain_value(const TicTacToe& game, const TicTacToe::State& state) {
  if (const auto outcome = game.outcome(state); outcome != games::Outcome::ongoing) {
    return outcome == games::Outcome::draw ? 0 : outcome == win_of(state.side) ? 1 : -1;
  }
  int best = -1;
  for (const auto move : game.legal_moves(state)) {
    auto next = state;
    game.play(next, move);
    best = std::max(best, -plain_value(game, next));
  }
  return best;
}

TEST(Reachable, TicTacToeHasAsManyStatesAsEverybodyCounts) {
  const auto space = reachable_space(TicTacToe(), kQuickStates);
  ASSERT_NE(space, nullptr);
  const StateSpaceStatistics counts = space->statistics();
  EXPECT_EQ(counts.states, 5478u);
  EXPECT_EQ(counts.finished, 958u);
  EXPECT_EQ(counts.reachable, 5478u);
  EXPECT_EQ(space->value(TicTacToe().initial()).verdict, Verdict::draw);
  EXPECT_EQ(reachable_space(TicTacToe(), kMaxStates), space) << "made once";
  EXPECT_EQ(reachable_space(TicTacToe(), 100), nullptr) << "more than were asked for";
}

TEST(Reachable, EveryValueIsThatOfTryingEverything) {
  const TicTacToe game;
  const auto space = reachable_space(game, kQuickStates);
  for (StateIndex i = 0; i < space->indexer().state_count(); i += 7) {
    const auto state = space->indexer().state_at(i);
    EXPECT_EQ(space->indexer().index_of(state), i);
    EXPECT_EQ(value_of(space->value(state).verdict), plain_value(game, state))
        << game.position_text(state);
  }
}

// A game with cycles, against the table that has an indexer of its own.
TEST(Reachable, FanoronaIsAsItsOwnTableSays) {
  const auto space = reachable_space(Fanorona(), kQuickStates);
  ASSERT_NE(space, nullptr);
  EXPECT_EQ(space->indexer().state_count(), 16'806u);
  for (StateIndex i = 0; i < space->indexer().state_count(); ++i) {
    const auto state = space->indexer().state_at(i);
    ASSERT_EQ(space->value(state), fanorona_table().value(state));
  }
}

TEST(Reachable, APositionThatPlayDoesNotReachIsSolvedToo) {
  const TicTacToe game;
  // Noughts have the first move here.
  const TicTacToe::State odd{{0, 0}, games::Side::second};
  const Exact<TicTacToe> exact(game);
  ASSERT_TRUE(exact.is_at_hand());
  EXPECT_FALSE(exact.table().indexer().knows(odd));
  const auto answer = exact.answer(games::History<TicTacToe>(game, odd), {});
  EXPECT_EQ(answer.known.verdict, Verdict::draw);
  EXPECT_EQ(answer.moves.size(), 9u);
}

TEST(Reachable, LargeGamesAreRefused) {
  EXPECT_FALSE(ReachableIndexer<games::domineering::Domineering>::explore(
      games::domineering::Domineering::make({}).value(),
      games::domineering::Domineering::make({}).value().initial(), 10'000));
}

}  // namespace
}  // namespace damier::exact
