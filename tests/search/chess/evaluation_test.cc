#include "damier/search/chess/evaluation.h"

#include <cstdlib>

#include "positions.h"
#include <gtest/gtest.h>

#include "damier/base/parallel/isa.h"

namespace damier::search::chess {

namespace {

using testing::position;
using testing::random_positions;

TEST(HandWrittenEvaluation, IsTheSameForBothColoursAndBothWings) {
  const Chess game;
  HandWrittenEvaluation evaluation;
  for (const State& state : random_positions(60, 3)) {
    const int score = evaluation.score(state);
    for (const games::Symmetry symmetry : game.symmetries(state)) {
      ASSERT_EQ(evaluation.score(game.transformed(state, symmetry)), score)
          << games::chess::fen_text(state);
    }
  }
}

TEST(HandWrittenEvaluation, IsTheSameOnEveryProcessor) {
  if (!can_run(Isa::bmi2)) GTEST_SKIP() << "this processor has no fast PEXT";
  HandWrittenEvaluation plain(Isa::plain), fast(Isa::bmi2);
  for (const State& state : random_positions(60, 4)) {
    ASSERT_EQ(plain.score(state), fast.score(state)) << games::chess::fen_text(state);
  }
}

// What is remembered of pawns must not depend on what was seen before.
TEST(HandWrittenEvaluation, DoesNotDependOnWhatItSawBefore) {
  HandWrittenEvaluation warm;
  for (const State& state : random_positions(30, 5)) {
    const int score = warm.score(state);
    ASSERT_EQ(HandWrittenEvaluation().score(state), score) << games::chess::fen_text(state);
  }
}

TEST(HandWrittenEvaluation, KnowsDrawnEndings) {
  HandWrittenEvaluation evaluation;
  for (const char* fen : {
           "8/8/4k3/8/8/3NK3/8/8 w - - 0 1",    // a knight alone
           "8/8/4k3/8/8/2NNK3/8/8 w - - 0 1",   // two knights
           "7k/8/7P/8/8/3BK3/8/8 w - - 0 1",    // the bishop cannot guard h8
           "8/8/4k3/8/5r2/8/3BK3/8 w - - 0 1",  // a rook against a bishop
       }) {
    EXPECT_LT(std::abs(evaluation.score(position(fen))), 110) << fen;
  }
  EXPECT_GT(evaluation.score(position("7k/8/7P/8/8/4BK2/8/8 w - - 0 1")), 200);
}

TEST(HandWrittenEvaluation, DrivesALoneKingIntoTheRightCorner) {
  HandWrittenEvaluation evaluation;
  // The bishop goes on light squares, as the corners h1 and a8.
  EXPECT_GT(evaluation.score(position("k7/8/2K5/2N5/2B5/8/8/8 w - - 0 1")),
            evaluation.score(position("7k/8/5K2/2N5/2B5/8/8/8 w - - 0 1")));
  EXPECT_GT(evaluation.score(position("7k/8/5K2/8/8/8/8/R7 w - - 0 1")),
            evaluation.score(position("8/8/8/3k4/8/3K4/8/R7 w - - 0 1")));
}

}  // namespace

}  // namespace damier::search::chess
