#include "damier/exact/by_search.h"

#include "examples/tic_tac_toe/tic_tac_toe.h"
#include "tests/search/positions.h"
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "damier/games/bremen/bremen.h"
#include "damier/games/domineering/domineering.h"
#include "damier/games/fanorona/fanorona.h"

namespace damier::exact {
namespace {

using games::History;
using games::bremen::Bremen;
using games::domineering::Domineering;
using games::fanorona::Fanorona;
using search::at;
using search::BruteForce;
using search::Draw;
using search::random_game;
using tic_tac_toe::TicTacToe;

template <class G>
Answer<typename G::Move> solve(const History<G>& history, const Ask& ask = {}) {
  return by_search(history, ask);
}

template <class G>
Answer<typename G::Move> solve_start(const G& game, const Ask& ask = {}) {
  return solve(History<G>(game, game.initial()), ask);
}

struct Board {
  int rows;
  int cols;
  Verdict first_vertical;  // for Vertical, who begins
};

TEST(BySearch, SmallBoardsOfDomineering) {
  for (const Board& board : std::vector<Board>{{2, 2, Verdict::win},
                                               {3, 3, Verdict::win},
                                               {2, 3, Verdict::win},
                                               {2, 4, Verdict::loss},
                                               {4, 2, Verdict::win},
                                               {3, 4, Verdict::loss},
                                               {4, 4, Verdict::win},
                                               {4, 5, Verdict::win},
                                               {5, 5, Verdict::loss}}) {
    const Domineering game(board.rows, board.cols);
    const auto answer = solve_start(game);
    EXPECT_EQ(answer.known.verdict, board.first_vertical) << board.rows << "x" << board.cols;
    EXPECT_GT(answer.known.plies, 0);
    EXPECT_EQ(std::ssize(answer.line), answer.known.plies);
  }
}

TEST(SlowBySearch, LargerBoardsOfDomineering) {
  for (const Board& board :
       std::vector<Board>{{5, 6, Verdict::loss}, {6, 5, Verdict::win}, {4, 7, Verdict::win}}) {
    const Domineering game(board.rows, board.cols);
    EXPECT_EQ(solve_start(game).known.verdict, board.first_vertical)
        << board.rows << "x" << board.cols;
  }
}

RC_GTEST_PROP(BySearch, IsRightInFanorona, ()) {
  static const Fanorona game;
  static const BruteForce<Fanorona> exact(game, game.initial());
  Draw draw;
  const auto state = random_game(game, draw.seed(), draw.between(0, 40)).state();
  const auto answer = solve(History<Fanorona>(game, state), {.nodes = 20'000'000});
  const auto expected = exact.value(state);
  RC_ASSERT((answer.known.verdict == expected.verdict));
  RC_ASSERT((!answer.known.plies || answer.known == expected));
  const auto keeps = [&](const auto& move) { return answer.keeps(move); };
  RC_ASSERT(std::any_of(answer.moves.begin(), answer.moves.end(), keeps));
  for (const auto move : game.legal_moves(state)) {
    const auto after = exact.value_after(state, move);
    const bool listed = std::any_of(answer.moves.begin(), answer.moves.end(), [&](const auto& one) {
      return one.move == move && answer.keeps(one);
    });
    if (listed) RC_ASSERT(after.verdict == expected.verdict);
    if (answer.known.plies || expected.verdict == Verdict::draw) {
      RC_ASSERT(listed == (after == expected));
    }
  }
}

TEST(BySearch, TicTacToeIsADraw) {
  const TicTacToe game;
  const auto answer = solve_start(game);
  EXPECT_EQ(answer.known.verdict, Verdict::draw);
  for (const auto& move : answer.moves) EXPECT_TRUE(answer.keeps(move));
  EXPECT_EQ(answer.moves.size(), 9u);
}

TEST(BySearch, BremenWinsWithTheirDistance) {
  const Bremen game;
  const auto known = [&](const char* position) {
    return solve(at(game, position), {.nodes = 10'000'000}).known;
  };
  EXPECT_EQ(known("a3a2c3a5/d1d1d1b4 b"), (Known{Verdict::loss, 4}));
  EXPECT_EQ(known("a4b2b2c1/b3c3e1d3 b"), (Known{Verdict::win, 7}));
}

TEST(BySearch, UnknownWhenTheBudgetIsOut) {
  const Domineering game;
  const auto answer = solve_start(game, {.nodes = 100'000});
  EXPECT_EQ(answer.known, Known{});
  EXPECT_TRUE(answer.stopped);
  EXPECT_FALSE(answer.line.empty()) << "what looks best so far";
  EXPECT_LE(answer.nodes, 110'000u);
}

TEST(BySearch, UnknownWhenTheTimeIsOut) {
  const Domineering game(4, 4);
  ASSERT_EQ(solve_start(game).known.verdict, Verdict::win);
  EXPECT_EQ(solve_start(game, {.seconds = 1e-9}).known, Known{});
}

}  // namespace
}  // namespace damier::exact
