#include "damier/search/tree.h"

#include <algorithm>
#include <limits>

#include "examples/tic_tac_toe/tic_tac_toe.h"
#include "tests/search/positions.h"
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "damier/games/bremen/bremen.h"
#include "damier/games/domineering/domineering.h"
#include "damier/games/fanorona/fanorona.h"
#include "damier/search/alpha_beta.h"

namespace damier::search {
namespace {

using games::History;
using games::bremen::Bremen;
using games::domineering::Domineering;
using games::fanorona::Fanorona;
using tic_tac_toe::TicTacToe;

TreeOptions by(Formula formula) {
  return {.formula = formula, .c = formula == Formula::ucb1 ? 0.7 : 1.5};
}

template <class G>
Answer<typename G::Move> search(const History<G>& history, std::uint64_t simulations,
                                const TreeOptions& options = {}, Seed seed = Seed{1}) {
  RandomStream random(seed, "test");
  return TreeSearch<G>(history.game(), options, PlayoutEvaluator(1, 40))
      .answer(history, {.nodes = simulations, .random = &random});
}

TEST(TreeSearch, TakesTheWinInOne) {
  for (const Formula formula : {Formula::ucb1, Formula::puct}) {
    const auto bremen = search(at(Bremen(), "b4d1c2e2/c2c2c1a3 b"), 200, by(formula));
    EXPECT_EQ(bremen.best().known.verdict, Verdict::win);
    EXPECT_EQ(bremen.best().known.plies, 1);
    EXPECT_LT(bremen.nodes, 200u) << "a proven root ends the search";
    const auto tic_tac_toe = search(at(TicTacToe(), "xx./oo./... x"), 200, by(formula));
    EXPECT_EQ(tic_tac_toe.best().known.verdict, Verdict::win);
    const auto domineering = search(at(Domineering(3, 2), "../../## v"), 20, by(formula));
    EXPECT_EQ(domineering.best().known.verdict, Verdict::win);
  }
}

TEST(TreeSearch, FindsTheWinInThree) {
  for (const Formula formula : {Formula::ucb1, Formula::puct}) {
    const auto answer = search(at(Bremen(), "c4d3d3b5/e3a4e2b1 b"), 30'000, by(formula));
    EXPECT_EQ(answer.best().known.verdict, Verdict::win);
    EXPECT_EQ(answer.best().known.plies, 3);
    EXPECT_EQ(answer.line.size(), 3u);
  }
}

// Positions where alpha-beta sees a win in three: the tree finds it, or one as good.
template <class G>
void check_wins_in_three(const G& game, int max_plies, std::uint64_t nodes) {
  int found = 0;
  for (std::uint64_t seed = 0; found < 5; ++seed) {
    const auto history = random_game(game, seed, static_cast<int>(seed) % max_plies);
    AlphaBeta<G> exact(game, {.heuristic = false});
    const Ask ask = {.depth = 9, .every_move = true};
    const auto expected = exact.answer(history, ask);
    if (expected.known != Known{Verdict::win, 3}) continue;
    ++found;
    const auto answer = search(history, nodes);
    EXPECT_EQ(in_order(history, expected)[place_of(history, answer.best().move)].known.verdict,
              Verdict::win)
        << game.position_text(history.state());
  }
}

TEST(TreeSearch, FindsWinsInThreeInOtherGames) {
  check_wins_in_three(Domineering(4, 4), 8, 2'000);
  check_wins_in_three(Fanorona(), 20, 2'000);
  check_wins_in_three(TicTacToe(), 5, 2'000);
}

// Against brute force: what the tree calls proven is true, and it does not choose a loss.
template <class G>
void check_proofs(const BruteForce<G>& exact, const History<G>& history, Formula formula,
                  std::uint64_t nodes) {
  const auto answer = search(history, nodes, by(formula));
  bool all_lost = true;
  for (const auto& move : answer.moves) {
    const auto& [verdict, plies] = move.known;
    all_lost = all_lost && verdict == Verdict::loss;
    if (verdict == Verdict::unknown) continue;
    const auto expected = exact.value_after(history.state(), move.move);
    RC_ASSERT(verdict == expected.verdict);
    if (verdict == Verdict::win) RC_ASSERT((plies >= expected.plies));
    if (verdict == Verdict::loss) RC_ASSERT((plies >= 2));
  }
  RC_ASSERT((answer.best().known.verdict != Verdict::loss || all_lost));
  if (answer.known.is_certain()) {
    RC_ASSERT((answer.known.verdict == exact.value(history.state()).verdict));
  }
}

RC_GTEST_PROP(TreeSearch, ProofsAreTrueAndLossesAreAvoided, ()) {
  static const Domineering domineering(4, 4);
  static const BruteForce<Domineering> exact_domineering(domineering, domineering.initial());
  static const TicTacToe tic_tac_toe;
  static const BruteForce<TicTacToe> exact_tic_tac_toe(tic_tac_toe, tic_tac_toe.initial());
  static const Fanorona fanorona;
  static const BruteForce<Fanorona> exact_fanorona(fanorona, fanorona.initial());
  Draw draw;
  const auto formula = draw.between(0, 1) == 0 ? Formula::ucb1 : Formula::puct;
  const auto nodes = static_cast<std::uint64_t>(draw.between(1, 1000));
  check_proofs(exact_domineering, random_game(domineering, draw.seed(), draw.between(0, 4)),
               formula, nodes);
  check_proofs(exact_tic_tac_toe, random_game(tic_tac_toe, draw.seed(), draw.between(0, 6)),
               formula, nodes);
  // A game's past can turn a win into a draw by repetition, so here games begin afresh.
  const auto state = random_game(fanorona, draw.seed(), draw.between(0, 30)).state();
  check_proofs(exact_fanorona, History<Fanorona>(fanorona, state), formula, nodes);
}

TEST(TreeSearch, SolvesSmallBoards) {
  for (const auto& [rows, cols] :
       std::vector<std::pair<int, int>>{{2, 4}, {3, 3}, {3, 4}, {4, 4}}) {
    const Domineering game(rows, cols);
    const BruteForce<Domineering> exact(game, game.initial());
    const History<Domineering> start(game, game.initial());
    for (const Formula formula : {Formula::ucb1, Formula::puct}) {
      const auto answer = search(start, 1'000'000, by(formula));
      EXPECT_EQ(answer.best().known.verdict, exact.value(game.initial()).verdict)
          << rows << "x" << cols;
      EXPECT_LT(answer.nodes, 1'000'000u);
    }
  }
  const TicTacToe game;
  const auto answer = search(History<TicTacToe>(game, game.initial()), 1'000'000);
  EXPECT_EQ(answer.best().known.verdict, Verdict::draw);
  EXPECT_EQ(answer.best().value, 0.0);
}

TEST(TreeSearch, PrefersAProvenDrawToABadProspect) {
  using Move = MoveAnswer<int>;
  const auto chosen = [](std::vector<Move> moves) { return choice<int>(moves); };
  const auto tried = [](std::uint64_t visits, double value, Known known = {}) {
    return Move{.known = known, .value = value, .visits = visits};
  };
  const Move draw = tried(3, 0, {Verdict::draw});
  EXPECT_EQ(chosen({draw, tried(100, -0.1)}), 0u);
  EXPECT_EQ(chosen({draw, tried(100, 0.1)}), 1u);
  const Move loss = tried(900, -1, {Verdict::loss, 8});
  EXPECT_EQ(chosen({loss, tried(1, -0.9)}), 1u);
  EXPECT_EQ(chosen({loss, tried(0, -1, {Verdict::loss, 10})}), 1u);
  const Move win = tried(2, 1, {Verdict::win, 5});
  EXPECT_EQ(chosen({tried(100, 0.9), win}), 1u);
  EXPECT_EQ(chosen({win, tried(0, 1, {Verdict::win, 3})}), 1u);
}

TEST(TreeSearch, ARepetitionIsADrawButNoProof) {
  const Fanorona game;
  History<Fanorona> history(game, game.initial());
  for (const char* text : {"7-4", "0-3", "4-7", "3-0", "7-4"}) {
    history.play(*game.parse_move(history.state(), text));
  }
  const auto answer = search(history, 200);
  for (const auto& move : answer.moves) {
    if (game.move_text(history.state(), move.move) != "0-3") continue;
    EXPECT_EQ(move.value, 0.0);
    EXPECT_FALSE(move.known.is_certain());
  }
}

TEST(TreeSearch, TheLimitOfPliesIsADraw) {
  const Bremen game(games::bremen::RuleOptions{.max_plies = 2});
  const auto answer = search(at(game, "c4d3d3b5/e3a4e2b1 b"), 20'000);
  EXPECT_EQ(answer.best().known.verdict, Verdict::draw);
}

TEST(TreeSearch, TheSameSeedGivesTheSameTree) {
  const Domineering game;
  const History<Domineering> start(game, game.initial());
  const auto visits = [&](Seed seed) {
    std::vector<std::uint64_t> all;
    for (const auto& move : search(start, 5'000, {}, seed).moves) {
      all.push_back(move.visits);
    }
    return all;
  };
  EXPECT_EQ(visits(Seed{1}), visits(Seed{1}));
  EXPECT_NE(visits(Seed{1}), visits(Seed{2}));
}

TEST(TreeSearch, UsesExactlyItsSimulations) {
  const Domineering game;
  const History<Domineering> start(game, game.initial());
  for (const int trees : {1, 3}) {
    const auto answer = search(start, 1'000, {.trees = trees});
    std::uint64_t visits = 0;
    for (const auto& move : answer.moves) visits += move.visits;
    EXPECT_EQ(answer.nodes, 1'000u);
    EXPECT_EQ(visits, 1'000u);
  }
}

TEST(TreeSearch, ThreadsChangeNothing) {
  const Domineering game;
  const History<Domineering> start(game, game.initial());
  const auto visits = [&](bool at_once) {
    RandomStream random(Seed{1}, "test");
    TreeSearch<Domineering> tree(game, {.trees = 4, .at_once = at_once});
    History<Domineering> history = start;
    std::vector<std::uint64_t> all;
    for (int ply = 0; ply < 2; ++ply) {
      const auto answer = tree.answer(history, {.nodes = 4'000, .random = &random});
      for (const auto& move : answer.moves) all.push_back(move.visits);
      history.play(answer.best().move);
    }
    return all;
  };
  EXPECT_EQ(visits(false), visits(true));
}

TEST(TreeSearch, GoesOnFromTheTreeOfTheLastMove) {
  const Domineering game;
  History<Domineering> history(game, game.initial());
  TreeSearch<Domineering> tree(game);
  RandomStream random(Seed{1}, "test");
  const Ask ask = {.nodes = 20'000, .random = &random};
  const auto first = tree.answer(history, ask);
  EXPECT_EQ(tree.root_visits(), first.nodes + 1);
  ASSERT_GE(first.line.size(), 2u);
  history.play(first.line[0]);
  const auto second = tree.answer(history, ask);
  EXPECT_EQ(second.nodes, 20'000u);
  // The first visit of the move had no node yet.
  EXPECT_EQ(tree.root_visits(), first.best().visits + second.nodes);
  history.undo();
  const auto other = std::find_if(first.moves.begin(), first.moves.end(),
                                  [&](const auto& move) { return move.move != first.line[0]; });
  history.play(other->move);
  const auto third = tree.answer(history, ask);
  EXPECT_EQ(tree.root_visits(), third.nodes + 1) << "another game: afresh";
}

TEST(TreeSearch, StaysWithinItsMemory) {
  const Domineering game;
  const History<Domineering> start(game, game.initial());
  TreeOptions options = {.max_nodes = 500};
  const auto answer = search(start, 20'000, options);
  EXPECT_EQ(answer.nodes, 20'000u);
  EXPECT_LE(answer.depth, 8);
  options.formula = Formula::puct;
  EXPECT_EQ(search(start, 20'000, options).nodes, 20'000u);
}

// An evaluator that knows everything: one look at each move is enough.
class ExactEvaluator {
 public:
  static constexpr bool kGivesPriors = true;

  explicit ExactEvaluator(const BruteForce<Domineering>& exact) : exact_(&exact) {}

  Evaluation evaluate(const Domineering&, const Domineering::State& state,
                      std::span<const Domineering::Move> moves, std::span<float> priors,
                      RandomStream&) const {
    for (float& prior : priors) prior = 1.0f / static_cast<float>(moves.size());
    const auto value = exact_->value(state);
    return {.value = static_cast<float>(value_of(value.verdict)), .known = value};
  }

 private:
  const BruteForce<Domineering>* exact_;
};

TEST(TreeSearch, AnExactEvaluatorProvesTheRootAtOnce) {
  const Domineering game(4, 4);
  const BruteForce<Domineering> exact(game, game.initial());
  const History<Domineering> start(game, game.initial());
  TreeSearch<Domineering, ExactEvaluator> tree(game, by(Formula::puct), ExactEvaluator(exact));
  RandomStream random(Seed{1}, "test");
  const auto answer = tree.answer(start, {.nodes = 1'000, .random = &random});
  EXPECT_EQ(answer.best().known.verdict, Verdict::win);
  EXPECT_LE(answer.nodes, answer.moves.size());
  EXPECT_EQ(answer.best().known, exact.value_after(game.initial(), answer.best().move));
  ASSERT_TRUE(answer.best().prior.has_value());
  EXPECT_NEAR(*answer.best().prior, 1.0 / 12, 1e-6);
}

// What a network may say that overflows on the way.
class NonsenseEvaluator {
 public:
  static constexpr bool kGivesPriors = true;

  NonsenseEvaluator(float value, std::vector<float> priors)
      : value_(value), priors_(std::move(priors)) {}

  Evaluation evaluate(const Domineering&, const Domineering::State&,
                      std::span<const Domineering::Move>, std::span<float> priors,
                      RandomStream&) const {
    for (std::size_t i = 0; i < priors.size(); ++i) priors[i] = priors_[i % priors_.size()];
    return {.value = value_};
  }

 private:
  float value_;
  std::vector<float> priors_;
};

TEST(TreeSearch, AnEvaluatorThatTalksNonsenseIsSurvived) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  constexpr float kInfinite = std::numeric_limits<float>::infinity();
  constexpr float kHuge = std::numeric_limits<float>::max();
  const Domineering game(4, 4);
  const History<Domineering> start(game, game.initial());
  for (const float value : {kNan, kInfinite, -kInfinite, kHuge, -kHuge, 0.0f}) {
    for (const std::vector<float>& priors : {std::vector{kNan},
                                             {0.1f, kNan},
                                             {kInfinite},
                                             {0.0f, kInfinite},
                                             {-kInfinite, 0.1f},
                                             {0.0f},
                                             {-0.5f, 0.5f},
                                             {-1.0f},
                                             {kHuge}}) {
      for (const Formula formula : {Formula::puct, Formula::ucb1}) {
        TreeSearch<Domineering, NonsenseEvaluator> tree(game, by(formula),
                                                        NonsenseEvaluator(value, priors));
        RandomStream random(Seed{1}, "test");
        const auto answer = tree.answer(start, {.nodes = 300, .random = &random});
        ASSERT_EQ(answer.moves.size(), 12u);
        for (const auto& move : answer.moves) {
          EXPECT_TRUE(*move.value >= -1 && *move.value <= 1) << *move.value;
          EXPECT_NEAR(move.prior.value_or(1.0 / 12), 1.0 / 12, 1e-6) << "as good as no priors";
        }
      }
    }
  }
}

TEST(TreeSearch, PriorsWithAnotherSumKeepTheirProportions) {
  const Domineering game(4, 4);
  NonsenseEvaluator evaluator(0.5f, {3.0f, 1.0f});
  const auto list = game.legal_moves(game.initial());
  std::vector<float> priors(list.size());
  RandomStream random(Seed{1}, "test");
  const auto said =
      ask(evaluator, game, game.initial(),
          std::span<const Domineering::Move>(list.begin(), list.size()), std::span(priors), random);
  EXPECT_EQ(said.value, 0.5f);
  EXPECT_FLOAT_EQ(priors[0], 3.0f / 24);
  EXPECT_FLOAT_EQ(priors[1], 1.0f / 24);
}

TEST(TreeSearch, AFinishedGameHasNoMoves) {
  const Domineering game(1, 2);
  EXPECT_TRUE(search(History<Domineering>(game, game.initial()), 10).moves.empty());
}

TEST(TreeSearch, Signature) {
  const Domineering game;
  const auto answer = search(History<Domineering>(game, game.initial()), 20'000);
  EXPECT_EQ(game.move_text(game.initial(), answer.best().move), "g1");
  EXPECT_EQ(answer.best().visits, 7917u);
}

}  // namespace
}  // namespace damier::search
