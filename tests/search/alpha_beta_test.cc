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

  AlphaBeta<G> search(history.game(), {.table_bytes = table_bytes});
  const auto every = search.answer(history, {.depth = depth, .every_move = true});
  RC_ASSERT(every.moves.size() == expected.size());
  for (const auto& move : every.moves) {
    RC_ASSERT(move.score.has_value());
    RC_ASSERT((*move.score == expected[place_of(history, move.move)]));
  }
  RC_ASSERT((every.best().score == best));

  const auto single = search.answer(history, {.depth = depth});
  RC_ASSERT((single.best().score == best));
  RC_ASSERT(expected[place_of(history, single.best().move)] == best);
  RC_ASSERT(single.line[0] == single.best().move);

  AlphaBeta<G> all_best(history.game(), {.table_bytes = table_bytes, .all_best = true});
  for (const auto& move : all_best.answer(history, {.depth = depth}).moves) {
    RC_ASSERT(((move.score == best) == (expected[place_of(history, move.move)] == best)));
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
    AlphaBeta<G> search(game, {.table_bytes = 1u << 16});
    const Ask ask = {.depth = depth};
    const auto expected = search.answer(games::History<G>(game, state), ask).best().score;
    for (const auto symmetry : game.symmetries(state)) {
      const games::History<G> image(game, game.transformed(state, symmetry));
      RC_ASSERT((search.answer(image, ask).best().score == expected));
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
  AlphaBeta<Fanorona> search(game);
  for (const auto& history : {fresh, played}) {
    // Positions that were seen are out of bounds: a win can take longer that way, or be missed.
    for (const auto& move : search.answer(history, {.depth = kDepth, .every_move = true}).moves) {
      if (!move.known.is_certain() || move.known.verdict == Verdict::draw) continue;
      const auto expected = exact.value_after(history.state(), move.move);
      RC_ASSERT((move.known.verdict == expected.verdict));
      RC_ASSERT((move.known.plies >= expected.plies));
    }
  }
  // Best play does not come back to where it was, so for it that makes no difference.
  const auto value = exact.value(fresh.state());
  const bool near = value.verdict != Verdict::draw && *value.plies <= kDepth;
  const auto answer = search.answer(fresh, {.depth = kDepth});
  RC_ASSERT((answer.best().known == (near ? value : Known{})));
  RC_ASSERT((answer.known == (near ? value : Known{})));
}

struct BremenExample {
  const char* position;
  Verdict verdict;
  int plies;
};

TEST(AlphaBeta, FindsTheExactDistancesOfBremen) {
  const std::vector<BremenExample> examples = {
      {"b4d1c2e2/c2c2c1a3 b", Verdict::win, 1}, {"a3d2c3e5/a4a3a3a2 b", Verdict::loss, 2},
      {"c4d3d3b5/e3a4e2b1 b", Verdict::win, 3}, {"a3a2c3a5/d1d1d1b4 b", Verdict::loss, 4},
      {"a2a2c1a4/b3d4b3a5 b", Verdict::win, 5}, {"c1d2b4b1/a4a4c4c4 b", Verdict::loss, 6},
      {"a4b2b2c1/b3c3e1d3 b", Verdict::win, 7}};
  const Bremen game;
  for (const BremenExample& example : examples) {
    AlphaBeta<Bremen> search(game, {.heuristic = false});
    const auto answer = search.answer(at(game, example.position), {.depth = 8});
    EXPECT_EQ(answer.known.verdict, example.verdict) << example.position;
    EXPECT_EQ(answer.known.plies, example.plies) << example.position;
    EXPECT_EQ(std::ssize(answer.line), example.plies) << example.position;
    EXPECT_EQ(answer.depth, example.plies) << "no deeper than needed";
  }
}

TEST(AlphaBeta, TheLineOfAWinLeadsToIt) {
  const Bremen game;
  auto history = at(game, "a2a2c1a4/b3d4b3a5 b");
  const auto answer = AlphaBeta<Bremen>(game).answer(history, {.depth = 5});
  for (const auto move : answer.line) history.play(move);
  EXPECT_EQ(history.outcome(), games::Outcome::first_wins);
}

TEST(AlphaBeta, ProvesTheDrawOfTicTacToe) {
  const TicTacToe game;
  const games::History<TicTacToe> start(game, game.initial());
  AlphaBeta<TicTacToe> search(game);
  const auto answer = search.answer(start, {.every_move = true});
  for (const auto& move : answer.moves) EXPECT_EQ(move.known.verdict, Verdict::draw);
  EXPECT_EQ(answer.known.verdict, Verdict::draw);
  EXPECT_LE(answer.depth, 9);
  EXPECT_FALSE(search.answer(start, {.depth = 4}).best().known.is_certain()) << "not at depth 4";
}

TEST(AlphaBeta, ASeenPositionCountsAsADrawAndTheThirdTimeForCertain) {
  const Fanorona game;
  games::History<Fanorona> history(game, game.initial());
  const auto play = [&](const char* text) {
    history.play(*game.parse_move(history.state(), text));
  };
  const auto said_of = [&](const char* text) {
    AlphaBeta<Fanorona> search(game);
    for (const auto& move : search.answer(history, {.depth = 1, .every_move = true}).moves) {
      if (game.move_text(history.state(), move.move) == text) return move;
    }
    ADD_FAILURE() << text;
    return MoveAnswer<Fanorona::Move>{};
  };
  for (const char* move : {"7-4", "0-3", "4-7", "3-0", "7-4"}) play(move);
  EXPECT_EQ(said_of("0-3").score, 0);
  EXPECT_EQ(said_of("0-3").known.verdict, Verdict::unknown) << "the second occurrence ends nothing";
  for (const char* move : {"0-3", "4-7", "3-0", "7-4"}) play(move);
  EXPECT_EQ(said_of("0-3").known.verdict, Verdict::draw);
}

TEST(AlphaBeta, ASeenPositionIsNotEvaluatedByTheHeuristic) {
  const Bremen game;
  games::History<Bremen> history = at(game, "a1b1c1d1/a5b5c5d5 b");
  for (const char* text : {"rd3", "da4", "rd1", "da5"}) {
    history.play(*game.parse_move(history.state(), text));
  }
  AlphaBeta<Bremen> search(game);
  for (const auto& move : search.answer(history, {.depth = 1, .every_move = true}).moves) {
    if (game.move_text(history.state(), move.move) != "rd3") continue;
    EXPECT_EQ(move.score, 0);
  }
}

TEST(AlphaBeta, TheLimitOfPliesIsACertainDraw) {
  const auto with_limit = [](int plies) {
    const Bremen game(games::bremen::RuleOptions{.max_plies = plies});
    AlphaBeta<Bremen> search(game, {.heuristic = false});
    return search.answer(at(game, "c4d3d3b5/e3a4e2b1 b"), {.depth = 5}).best().known;
  };
  EXPECT_EQ(with_limit(3), (Known{Verdict::win, 3})) << "the winning move comes before the limit";
  EXPECT_EQ(with_limit(2).verdict, Verdict::draw);
}

TEST(AlphaBeta, TiesAreDecidedByTheStream) {
  const Domineering game(3, 3);
  const games::History<Domineering> start(game, game.initial());
  AlphaBeta<Domineering> search(game);
  const auto every = search.answer(start, {.every_move = true});
  std::set<std::size_t> best, chosen;
  for (const auto& move : every.moves) {
    if (move.score == every.best().score) best.insert(place_of(start, move.move));
  }
  RandomStream random(Seed{1}, "test");
  for (int i = 0; i < 100; ++i) {
    chosen.insert(place_of(start, search.answer(start, {.random = &random}).best().move));
  }
  EXPECT_EQ(chosen, best);
  EXPECT_EQ(place_of(start, search.answer(start, {}).best().move), *best.begin())
      << "without a stream: the first";
}

TEST(AlphaBeta, AFinishedGameHasNoMoves) {
  const Domineering game(1, 2);
  const games::History<Domineering> lost(game, game.initial());
  EXPECT_TRUE(AlphaBeta<Domineering>(game).answer(lost, {}).moves.empty());
}

TEST(AlphaBeta, KeepsToItsBudget) {
  const Domineering game;
  const games::History<Domineering> start(game, game.initial());
  AlphaBeta<Domineering> search(game);
  const auto answer = search.answer(start, {.nodes = 20'000});
  EXPECT_LE(answer.nodes, 20'001u);
  EXPECT_GE(answer.depth, 2);
  EXPECT_EQ(search.answer(start, {.nodes = 1, .depth = 3}).depth, 1)
      << "the first iteration always ends";
}

// A nanosecond is over when the search first looks at the clock, after 256 nodes.
TEST(AlphaBeta, EndsWhenItsTimeIsOut) {
  const Domineering game(5, 5);
  const games::History<Domineering> start(game, game.initial());
  AlphaBeta<Domineering> search(game);
  ASSERT_GT(search.answer(start, {}).nodes, 100'000u);
  EXPECT_LE(search.answer(start, {.seconds = 1e-9}).nodes, 256u);
}

// One number that changes with every change of behaviour. Better ordering makes it smaller.
TEST(AlphaBeta, Signature) {
  const auto nodes = [](const auto& game, int depth) {
    using G = std::remove_cvref_t<decltype(game)>;
    AlphaBeta<G> search(game, {.table_bytes = 1u << 20, .heuristic = false});
    return search.answer(games::History<G>(game, game.initial()), {.depth = depth}).nodes;
  };
  EXPECT_EQ(nodes(Domineering(5, 5), 0), 236907u);
  EXPECT_EQ(nodes(Domineering(8, 8), 4), 10555u);
  EXPECT_EQ(nodes(Fanorona(), 10), 6775u);
  EXPECT_EQ(nodes(TicTacToe(), 0), 5696u);
}

}  // namespace
}  // namespace damier::search
