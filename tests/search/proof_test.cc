#include "damier/search/proof.h"

#include "examples/tic_tac_toe/tic_tac_toe.h"
#include "tests/search/positions.h"
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

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
  ProofSearch<G> search(game, table_bytes);
  const auto value = exact.value(state);
  RC_LOG() << game.position_text(state) << "\n";
  for (const Side attacker : {Side::first, Side::second}) {
    History<G> history(game, state);
    const auto result = search.prove(history, attacker, {.nodes = 2'000'000});
    const bool mover = game.side_to_move(state) == attacker;
    const bool wins = value.verdict == (mover ? Verdict::win : Verdict::loss);
    if (roomy) RC_ASSERT(result.verdict != Attack::unknown);
    if (result.verdict != Attack::unknown) RC_ASSERT((result.verdict == Attack::wins) == wins);
    if (result.verdict != Attack::wins) continue;
    RC_ASSERT((result.most_plies >= value.plies));
    // The line is a game that the attacker wins.
    if (!roomy) continue;
    for (const auto move : result.line) history.play(move);
    RC_ASSERT(history.outcome() == games::win_of(attacker));
    RC_ASSERT(std::ssize(result.line) <= *result.most_plies);
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
  ProofSearch<Fanorona> search(game, std::size_t{1} << draw.between(8, 14));
  const Ask ask = {.nodes = 5'000};
  const History<Fanorona> fresh(game, history.state());
  const Side mover = game.side_to_move(history.state());
  const auto value = exact.value(history.state()).verdict;
  const Attack wins = search.prove(fresh, mover, ask).verdict;
  const Attack loses = search.prove(fresh, games::opponent(mover), ask).verdict;
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
  ProofSearch<Domineering> search(game, 1u << 20);
  const auto result =
      search.prove(History<Domineering>(game, game.initial()), Side::first, {.nodes = 1'000});
  EXPECT_EQ(result.verdict, Attack::unknown);
  EXPECT_LE(result.nodes, 1'050u);
}

TEST(ProofSearch, Signature) {
  const auto nodes = [](const auto& game) {
    using G = std::remove_cvref_t<decltype(game)>;
    ProofSearch<G> search(game, 1u << 22);
    return search.prove(History<G>(game, game.initial()), Side::first).nodes;
  };
  EXPECT_EQ(nodes(Domineering(4, 5)), 998u);
  EXPECT_EQ(nodes(Domineering(5, 5)), 35487u);
  EXPECT_EQ(nodes(Fanorona()), 12271u);
}

}  // namespace
}  // namespace damier::search
