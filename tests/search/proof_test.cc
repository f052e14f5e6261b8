#include "damier/search/proof.h"

#include "examples/tic_tac_toe/tic_tac_toe.h"
#include "tests/search/positions.h"
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "damier/exact/by_search.h"
#include "damier/games/bremen/bremen.h"
#include "damier/games/domineering/domineering.h"
#include "damier/games/fanorona/fanorona.h"

namespace damier::search {
namespace {

using games::History;
using games::Side;
using games::bremen::Bremen;
using games::domineering::Domineering;
using games::fanorona::Fanorona;
using tic_tac_toe::TicTacToe;

// Both questions about a position against brute force. A table that is too small may leave them
// open, but not wrong.
template <class G>
void check(const BruteForce<G>& exact, const G& game, const typename G::State& state,
           std::size_t table_bytes) {
  const bool roomy = table_bytes >= std::size_t{1} << 18;
  ProofSearch<G> search(game, {.budget = {.nodes = 2'000'000}, .table_bytes = table_bytes});
  const auto value = exact.value(state);
  RC_LOG() << game.position_text(state) << "\n";
  for (const Side attacker : {Side::first, Side::second}) {
    History<G> history(game, state);
    const auto result = search.prove(history, attacker);
    const bool mover = game.side_to_move(state) == attacker;
    const bool wins = value.proof == (mover ? Verdict::win : Verdict::loss);
    if (roomy) RC_ASSERT(result.verdict != Attack::unknown);
    if (result.verdict != Attack::unknown) RC_ASSERT((result.verdict == Attack::wins) == wins);
    if (result.verdict != Attack::wins) continue;
    RC_ASSERT(result.plies >= value.distance);
    // The line is a game that the attacker wins.
    if (!roomy) continue;
    for (const auto move : result.line) history.play(move);
    RC_ASSERT(history.outcome() == games::win_of(attacker));
    RC_ASSERT(std::ssize(result.line) <= result.plies);
  }
}

RC_GTEST_PROP(ProofSearch, IsRightInDomineering, ()) {
  static const Domineering game(4, 4);
  static const BruteForce<Domineering> exact(game, game.initial());
  Draw draw;
  const auto history = random_game(game, draw.seed(), draw.between(0, 6));
  check(exact, game, history.state(), std::size_t{1} << draw.between(8, 20));
}

RC_GTEST_PROP(ProofSearch, IsRightInTicTacToe, ()) {
  static const TicTacToe game;
  static const BruteForce<TicTacToe> exact(game, game.initial());
  Draw draw;
  const auto history = random_game(game, draw.seed(), draw.between(0, 7));
  check(exact, game, history.state(), std::size_t{1} << draw.between(8, 20));
}

// Play goes round in circles here: most positions are drawn, and no search to the end is possible.
RC_GTEST_PROP(ProofSearch, IsRightInFanorona, ()) {
  static const Fanorona game;
  static const BruteForce<Fanorona> exact(game, game.initial());
  Draw draw;
  const auto history = random_game(game, draw.seed(), draw.between(0, 40));
  check(exact, game, history.state(), std::size_t{1} << draw.between(20, 22));
}

RC_GTEST_PROP(ProofSearch, ASmallTableIsNeverWrongInFanorona, ()) {
  static const Fanorona game;
  static const BruteForce<Fanorona> exact(game, game.initial());
  Draw draw;
  const auto history = random_game(game, draw.seed(), draw.between(0, 40));
  ProofSearch<Fanorona> search(
      game, {.budget = {.nodes = 5'000}, .table_bytes = std::size_t{1} << draw.between(8, 14)});
  const History<Fanorona> fresh(game, history.state());
  const Side mover = game.side_to_move(history.state());
  const auto value = exact.value(history.state()).proof;
  const Attack wins = search.prove(fresh, mover).verdict;
  const Attack loses = search.prove(fresh, games::opponent(mover)).verdict;
  RC_ASSERT((wins == Attack::unknown || (wins == Attack::wins) == (value == Verdict::win)));
  RC_ASSERT((loses == Attack::unknown || (loses == Attack::wins) == (value == Verdict::loss)));
}

TEST(ProofSearch, ProvesThatTheStartOfFanoronaIsADraw) {
  const Fanorona game;
  const History<Fanorona> start(game, game.initial());
  for (const Side attacker : {Side::first, Side::second}) {
    ProofSearch<Fanorona> search(game);
    EXPECT_EQ(search.prove(start, attacker).verdict, Attack::does_not_win);
  }
}

TEST(ProofSearch, SolvesBremenPositions) {
  const Bremen game;
  for (const char* position : {"b4d1c2e2/c2c2c1a3 b", "c4d3d3b5/e3a4e2b1 b", "a2a2c1a4/b3d4b3a5 b",
                               "a4b2b2c1/b3c3e1d3 b"}) {
    ProofSearch<Bremen> search(game);
    auto history = at(game, position);
    const auto result = search.prove(history, Side::first);
    ASSERT_EQ(result.verdict, Attack::wins) << position;
    for (const auto move : result.line) history.play(move);
    EXPECT_EQ(history.outcome(), games::Outcome::first_wins) << position;
  }
}

TEST(ProofSearch, AWinThatTheLimitOfPliesMayOvertakeIsNotClaimed) {
  const auto verdict = [](int limit) {
    const Bremen game(games::bremen::RuleOptions{.max_plies = limit});
    return ProofSearch<Bremen>(game).prove(at(game, "c4d3d3b5/e3a4e2b1 b"), Side::first).verdict;
  };
  EXPECT_EQ(verdict(300), Attack::wins);
  EXPECT_EQ(verdict(2), Attack::unknown);
}

TEST(ProofSearch, AFinishedGameIsItsOwnProof) {
  const Domineering game(1, 2);
  const History<Domineering> lost(game, game.initial());
  ProofSearch<Domineering> search(game);
  EXPECT_EQ(search.prove(lost, Side::second).verdict, Attack::wins);
  EXPECT_EQ(search.prove(lost, Side::first).verdict, Attack::does_not_win);
}

TEST(ProofSearch, KeepsToItsBudget) {
  const Domineering game;
  ProofSearch<Domineering> search(game, {.budget = {.nodes = 1'000}, .table_bytes = 1u << 20});
  const auto result = search.prove(History<Domineering>(game, game.initial()), Side::first);
  EXPECT_EQ(result.verdict, Attack::unknown);
  EXPECT_LE(result.nodes, 1'050u);
}

TEST(ProofSearch, Signature) {
  const auto nodes = [](const auto& game) {
    using G = std::remove_cvref_t<decltype(game)>;
    ProofSearch<G> search(game, {.table_bytes = 1u << 22});
    return search.prove(History<G>(game, game.initial()), Side::first).nodes;
  };
  EXPECT_EQ(nodes(Domineering(4, 5)), 998u);
  EXPECT_EQ(nodes(Domineering(5, 5)), 35487u);
  EXPECT_EQ(nodes(Fanorona()), 12271u);
}

struct Board {
  int rows;
  int cols;
  Verdict first_vertical;  // for Vertical, who begins
};

TEST(SolveBySearch, SmallBoardsOfDomineering) {
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
    const auto solution = solve_by_search(game, game.initial(), {});
    EXPECT_EQ(solution.value, board.first_vertical) << board.rows << "x" << board.cols;
    EXPECT_GT(solution.distance, 0);
    EXPECT_EQ(std::ssize(solution.line), solution.distance);
  }
}

TEST(SlowSolveBySearch, LargerBoardsOfDomineering) {
  for (const Board& board :
       std::vector<Board>{{5, 6, Verdict::loss}, {6, 5, Verdict::win}, {4, 7, Verdict::win}}) {
    const Domineering game(board.rows, board.cols);
    EXPECT_EQ(solve_by_search(game, game.initial(), {}).value, board.first_vertical)
        << board.rows << "x" << board.cols;
  }
}

RC_GTEST_PROP(SolveBySearch, IsRightInFanorona, ()) {
  static const Fanorona game;
  static const BruteForce<Fanorona> exact(game, game.initial());
  Draw draw;
  const auto state = random_game(game, draw.seed(), draw.between(0, 40)).state();
  const auto solution = solve_by_search(game, state, {.nodes = 20'000'000});
  const auto expected = exact.value(state);
  RC_ASSERT(solution.value == expected.proof);
  RC_ASSERT((solution.distance == -1 || solution.distance == expected.distance));
  RC_ASSERT(!solution.best_moves.empty());
  for (const auto move : game.legal_moves(state)) {
    const auto after = exact.value_after(state, move);
    const bool best = after.proof == expected.proof && after.distance == expected.distance;
    const bool listed = std::find(solution.best_moves.begin(), solution.best_moves.end(), move) !=
                        solution.best_moves.end();
    if (listed) RC_ASSERT(after.proof == expected.proof);
    if (solution.distance > 0 || expected.proof == Verdict::draw) RC_ASSERT(listed == best);
  }
}

TEST(SolveBySearch, TicTacToeIsADraw) {
  const TicTacToe game;
  const auto solution = solve_by_search(game, game.initial(), {});
  EXPECT_EQ(solution.value, Verdict::draw);
  EXPECT_EQ(solution.best_moves.size(), 9u);
}

TEST(SolveBySearch, BremenWinsWithTheirDistance) {
  const Bremen game;
  const auto solve = [&](const char* position) {
    return solve_by_search(at(game, position), {.nodes = 10'000'000});
  };
  EXPECT_EQ(solve("a3a2c3a5/d1d1d1b4 b").value, Verdict::loss);
  EXPECT_EQ(solve("a3a2c3a5/d1d1d1b4 b").distance, 4);
  EXPECT_EQ(solve("a4b2b2c1/b3c3e1d3 b").value, Verdict::win);
  EXPECT_EQ(solve("a4b2b2c1/b3c3e1d3 b").distance, 7);
}

TEST(SolveBySearch, UnknownWhenTheBudgetIsOut) {
  const Domineering game;
  const auto solution = solve_by_search(game, game.initial(), {.nodes = 100'000});
  EXPECT_EQ(solution.value, Verdict::unknown);
  EXPECT_EQ(solution.distance, -1);
  EXPECT_LE(solution.nodes, 110'000u);
}

TEST(SolveBySearch, UnknownWhenTheTimeIsOut) {
  const Domineering game(4, 4);
  ASSERT_EQ(solve_by_search(game, game.initial(), {}).value, Verdict::win);
  const auto hurried = solve_by_search(game, game.initial(), {.nodes = 0, .seconds = 1e-9});
  EXPECT_EQ(hurried.value, Verdict::unknown);
  EXPECT_EQ(hurried.distance, -1);
}

}  // namespace
}  // namespace damier::search
