#include "damier/search/alpha_beta.h"

#include <algorithm>
#include <set>

#include "examples/tic_tac_toe/tic_tac_toe.h"
#include "tests/search/minimax_plain.h"
#include "tests/search/positions.h"
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "damier/games/bremen/bremen.h"
#include "damier/games/domineering/domineering.h"
#include "damier/games/fanorona/fanorona.h"

namespace damier::search {
namespace {

using games::bremen::Bremen;
using games::domineering::Domineering;
using games::fanorona::Fanorona;
using tic_tac_toe::TicTacToe;

// Alpha-beta in all its forms against minimax without pruning.
template <class G>
void check_against_minimax(const games::History<G>& history, int depth, std::size_t table_bytes) {
  const std::vector<int> expected = PlainMinimax<G>(history).scores(depth);
  const int best = *std::max_element(expected.begin(), expected.end());

  AlphaBeta<G> search(history.game(), {.depth = depth, .table_bytes = table_bytes});
  const auto every = search.search(history, nullptr, true);
  RC_ASSERT(every.moves.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    RC_ASSERT(every.moves[i].score.has_value());
    RC_ASSERT(*every.moves[i].score == expected[i]);
  }
  RC_ASSERT(expected[every.best] == best);

  const auto single = search.search(history);
  RC_ASSERT(single.best_move().score == best);
  RC_ASSERT(expected[single.best] == best);
  RC_ASSERT(single.line[0] == single.best_move().move);

  AlphaBeta<G> all_best(history.game(),
                        {.depth = depth, .table_bytes = table_bytes, .all_best = true});
  const auto tied = all_best.search(history);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    RC_ASSERT((tied.moves[i].score == best) == (expected[i] == best));
  }
}

// Depths and tables from none to roomy, so that everything gets overwritten now and then.
template <class G>
void check_random_position(Draw& draw, const G& game, int max_plies, int max_depth) {
  const auto history = random_game(game, draw.seed(), draw.between(0, max_plies));
  RC_LOG() << game.position_text(history.state()) << "\n";
  check_against_minimax(history, draw.between(1, max_depth), std::size_t{1} << draw.between(0, 20));
}

RC_GTEST_PROP(AlphaBeta, IsMinimaxInDomineering, ()) {
  Draw draw;
  check_random_position(draw, Domineering(draw.between(2, 4), draw.between(2, 5)), 6, 5);
}
RC_GTEST_PROP(AlphaBeta, IsMinimaxInBremen, ()) {
  Draw draw;
  check_random_position(draw, WithoutRepetition<Bremen>(), 20, 3);
}
RC_GTEST_PROP(AlphaBeta, IsMinimaxInFanorona, ()) {
  Draw draw;
  check_random_position(draw, WithoutRepetition<Fanorona>(), 12, 6);
}
RC_GTEST_PROP(AlphaBeta, IsMinimaxInTicTacToe, ()) {
  Draw draw;
  check_random_position(draw, TicTacToe(), 6, 6);
}

// Where no way can come back to itself within the depth, the rule of repetition changes nothing.
RC_GTEST_PROP(AlphaBeta, IsMinimaxWithRepetitionOverThreePlies, ()) {
  Draw draw;
  check_random_position(draw, Fanorona(), 12, 3);
  check_random_position(draw, Bremen(), 16, 3);
}

// Where the limit of plies lies within the depth, transpositions of different length differ.
RC_GTEST_PROP(AlphaBeta, IsMinimaxNearTheLimitOfPlies, ()) {
  Draw draw;
  const int limit = draw.between(4, 8);
  const WithoutRepetition<Bremen> game(games::bremen::RuleOptions{.max_plies = limit});
  const auto history = random_game(game, draw.seed(), 8 + limit - draw.between(1, 4));
  check_against_minimax(history, 3, 1u << 16);
}

RC_GTEST_PROP(AlphaBeta, SymmetricPositionsHaveTheSameValue, ()) {
  Draw draw;
  const auto check = [&](const auto& game, int plies, int depth) {
    using G = std::remove_cvref_t<decltype(game)>;
    const auto state = random_game(game, draw.seed(), draw.between(0, plies)).state();
    AlphaBeta<G> search(game, {.depth = depth, .table_bytes = 1u << 16});
    const auto expected = search.search(games::History<G>(game, state)).best_move().score;
    for (const auto symmetry : game.symmetries(state)) {
      const games::History<G> image(game, game.transformed(state, symmetry));
      RC_ASSERT(search.search(image).best_move().score == expected);
    }
  };
  check(Domineering(4, 4), 4, 4);
  check(Fanorona(), 8, 5);
  check(Bremen(), 14, 2);
}

RC_GTEST_PROP(AlphaBeta, ProofsInFanoronaAreTrueAndTheBestIsNotMissed, ()) {
  static const Fanorona game;
  static const BruteForce<Fanorona> exact(game, game.initial());
  constexpr int kDepth = 7;
  Draw draw;
  const auto played = random_game(game, draw.seed(), draw.between(0, 30));
  const games::History<Fanorona> fresh(game, played.state());
  AlphaBeta<Fanorona> search(game, {.depth = kDepth});
  for (const auto& history : {fresh, played}) {
    // Positions that were seen are out of bounds: a win can take longer that way, or be missed.
    for (const auto& move : search.search(history, nullptr, true).moves) {
      if (move.proof == Verdict::unknown || move.proof == Verdict::draw) continue;
      const auto expected = exact.value_after(history.state(), move.move);
      RC_ASSERT(move.proof == expected.proof);
      RC_ASSERT(move.distance >= expected.distance);
    }
  }
  // Best play does not come back to where it was, so for it that makes no difference.
  const auto value = exact.value(fresh.state());
  const bool near = value.proof != Verdict::draw && value.distance <= kDepth;
  const auto best = search.search(fresh).best_move();
  RC_ASSERT(best.proof == (near ? value.proof : Verdict::unknown));
  RC_ASSERT(best.distance == (near ? value.distance : -1));
}

struct BremenExample {
  const char* position;
  Verdict proof;
  int distance;
};

TEST(AlphaBeta, FindsTheExactDistancesOfBremen) {
  const std::vector<BremenExample> examples = {
      {"b4d1c2e2/c2c2c1a3 b", Verdict::win, 1}, {"a3d2c3e5/a4a3a3a2 b", Verdict::loss, 2},
      {"c4d3d3b5/e3a4e2b1 b", Verdict::win, 3}, {"a3a2c3a5/d1d1d1b4 b", Verdict::loss, 4},
      {"a2a2c1a4/b3d4b3a5 b", Verdict::win, 5}, {"c1d2b4b1/a4a4c4c4 b", Verdict::loss, 6},
      {"a4b2b2c1/b3c3e1d3 b", Verdict::win, 7}};
  const Bremen game;
  for (const BremenExample& example : examples) {
    AlphaBeta<Bremen> search(game, {.depth = 8, .heuristic = false});
    const auto report = search.search(at(game, example.position));
    EXPECT_EQ(report.best_move().proof, example.proof) << example.position;
    EXPECT_EQ(report.best_move().distance, example.distance) << example.position;
    EXPECT_EQ(std::ssize(report.line), example.distance) << example.position;
    EXPECT_EQ(report.depth, example.distance) << "no deeper than needed";
  }
}

TEST(AlphaBeta, TheLineOfAWinLeadsToIt) {
  const Bremen game;
  auto history = at(game, "a2a2c1a4/b3d4b3a5 b");
  const auto report = AlphaBeta<Bremen>(game, {.depth = 5}).search(history);
  for (const auto move : report.line) history.play(move);
  EXPECT_EQ(history.outcome(), games::Outcome::first_wins);
}

TEST(AlphaBeta, ProvesTheDrawOfTicTacToe) {
  const TicTacToe game;
  const games::History<TicTacToe> start(game, game.initial());
  AlphaBeta<TicTacToe> search(game, {.depth = 0});
  const auto report = search.search(start, nullptr, true);
  for (const auto& move : report.moves) EXPECT_EQ(move.proof, Verdict::draw);
  EXPECT_LE(report.depth, 9);
  AlphaBeta<TicTacToe> shallow(game, {.depth = 4});
  EXPECT_EQ(shallow.search(start).best_move().proof, Verdict::unknown) << "not yet at depth 4";
}

TEST(AlphaBeta, ASeenPositionCountsAsADrawAndTheThirdTimeForCertain) {
  const Fanorona game;
  games::History<Fanorona> history(game, game.initial());
  const auto play = [&](const char* text) {
    history.play(*game.parse_move(history.state(), text));
  };
  const auto report_on = [&](const char* text) {
    AlphaBeta<Fanorona> search(game, {.depth = 1});
    for (const auto& move : search.search(history, nullptr, true).moves) {
      if (game.move_text(history.state(), move.move) == text) return move;
    }
    ADD_FAILURE() << text;
    return MoveReport<Fanorona::Move>{};
  };
  for (const char* move : {"7-4", "0-3", "4-7", "3-0", "7-4"}) play(move);
  EXPECT_EQ(report_on("0-3").score, 0);
  EXPECT_EQ(report_on("0-3").proof, Verdict::unknown) << "the second occurrence ends nothing";
  for (const char* move : {"0-3", "4-7", "3-0", "7-4"}) play(move);
  EXPECT_EQ(report_on("0-3").proof, Verdict::draw);
}

TEST(AlphaBeta, ASeenPositionIsNotEvaluatedByTheHeuristic) {
  const Bremen game;
  games::History<Bremen> history = at(game, "a1b1c1d1/a5b5c5d5 b");
  for (const char* text : {"rd3", "da4", "rd1", "da5"}) {
    history.play(*game.parse_move(history.state(), text));
  }
  AlphaBeta<Bremen> search(game, {.depth = 1});
  for (const auto& move : search.search(history, nullptr, true).moves) {
    if (game.move_text(history.state(), move.move) != "rd3") continue;
    EXPECT_EQ(move.score, 0);
  }
}

TEST(AlphaBeta, TheLimitOfPliesIsACertainDraw) {
  const auto with_limit = [](int plies) {
    const Bremen game(games::bremen::RuleOptions{.max_plies = plies});
    AlphaBeta<Bremen> search(game, {.depth = 5, .heuristic = false});
    return search.search(at(game, "c4d3d3b5/e3a4e2b1 b")).best_move();
  };
  EXPECT_EQ(with_limit(3).proof, Verdict::win) << "the winning move comes before the limit";
  EXPECT_EQ(with_limit(3).distance, 3);
  EXPECT_EQ(with_limit(2).proof, Verdict::draw);
}

TEST(AlphaBeta, TiesAreDecidedByTheStream) {
  const Domineering game(3, 3);
  const games::History<Domineering> start(game, game.initial());
  AlphaBeta<Domineering> search(game, {.depth = 0});
  const auto every = search.search(start, nullptr, true);
  std::set<std::size_t> best, chosen;
  for (std::size_t i = 0; i < every.moves.size(); ++i) {
    if (every.moves[i].score == every.best_move().score) best.insert(i);
  }
  RandomStream random(Seed{1}, "test");
  for (int i = 0; i < 100; ++i) chosen.insert(search.search(start, &random).best);
  EXPECT_EQ(chosen, best);
  EXPECT_EQ(search.search(start).best, *best.begin()) << "without a stream: the first";
}

TEST(AlphaBeta, AFinishedGameHasNoMoves) {
  const Domineering game(1, 2);
  const games::History<Domineering> lost(game, game.initial());
  EXPECT_TRUE(AlphaBeta<Domineering>(game).search(lost).moves.empty());
}

TEST(AlphaBeta, KeepsToItsBudget) {
  const Domineering game;
  const games::History<Domineering> start(game, game.initial());
  AlphaBeta<Domineering> by_nodes(game, {.depth = 0, .budget = {.nodes = 20'000, .seconds = 0}});
  const auto report = by_nodes.search(start);
  EXPECT_LE(report.nodes, 20'001u);
  EXPECT_GE(report.depth, 2);
  AlphaBeta<Domineering> starved(game, {.depth = 3, .budget = {.nodes = 1, .seconds = 0}});
  EXPECT_EQ(starved.search(start).depth, 1) << "the first iteration always ends";
}

// A nanosecond is over when the search first looks at the clock, after 256 nodes.
TEST(AlphaBeta, EndsWhenItsTimeIsOut) {
  const Domineering game(5, 5);
  const games::History<Domineering> start(game, game.initial());
  AlphaBeta<Domineering> whole(game, {.depth = 0});
  ASSERT_GT(whole.search(start).nodes, 100'000u);
  AlphaBeta<Domineering> hurried(game, {.depth = 0, .budget = {.nodes = 0, .seconds = 1e-9}});
  EXPECT_LE(hurried.search(start).nodes, 256u);
}

// One number that changes with every change of behaviour. Better ordering makes it smaller.
TEST(AlphaBeta, Signature) {
  const auto nodes = [](const auto& game, int depth) {
    using G = std::remove_cvref_t<decltype(game)>;
    AlphaBeta<G> search(game, {.depth = depth, .table_bytes = 1u << 20, .heuristic = false});
    return search.search(games::History<G>(game, game.initial())).nodes;
  };
  EXPECT_EQ(nodes(Domineering(5, 5), 0), 236907u);
  EXPECT_EQ(nodes(Domineering(8, 8), 4), 10555u);
  EXPECT_EQ(nodes(Fanorona(), 10), 6775u);
  EXPECT_EQ(nodes(TicTacToe(), 0), 5696u);
}

}  // namespace
}  // namespace damier::search
