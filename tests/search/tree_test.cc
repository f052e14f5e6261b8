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

template <class G>
Report<typename G::Move> search(const History<G>& history, TreeOptions options, Seed seed = Seed{1},
                                PlayoutEvaluator evaluator = PlayoutEvaluator(1, 40)) {
  RandomStream random(seed, "test");
  return TreeSearch<G>(history.game(), options, evaluator).search(history, random);
}

TreeOptions simulations(std::uint64_t nodes, Formula formula = Formula::ucb1) {
  return {
      .formula = formula, .c = formula == Formula::ucb1 ? 0.7 : 1.5, .budget = {.nodes = nodes}};
}

TEST(TreeSearch, TakesTheWinInOne) {
  for (const Formula formula : {Formula::ucb1, Formula::puct}) {
    const auto bremen = search(at(Bremen(), "b4d1c2e2/c2c2c1a3 b"), simulations(200, formula));
    EXPECT_EQ(bremen.best_move().proof, Verdict::win);
    EXPECT_EQ(bremen.best_move().distance, 1);
    EXPECT_LT(bremen.nodes, 200u) << "a proven root ends the search";
    const auto tic_tac_toe = search(at(TicTacToe(), "xx./oo./... x"), simulations(200, formula));
    EXPECT_EQ(tic_tac_toe.best_move().proof, Verdict::win);
    const auto domineering = search(at(Domineering(3, 2), "../../## v"), simulations(20, formula));
    EXPECT_EQ(domineering.best_move().proof, Verdict::win);
  }
}

TEST(TreeSearch, FindsTheWinInThree) {
  for (const Formula formula : {Formula::ucb1, Formula::puct}) {
    const auto report = search(at(Bremen(), "c4d3d3b5/e3a4e2b1 b"), simulations(30'000, formula));
    EXPECT_EQ(report.best_move().proof, Verdict::win);
    EXPECT_EQ(report.best_move().distance, 3);
    EXPECT_EQ(report.line.size(), 3u);
  }
}

// Positions where alpha-beta sees a win in three: the tree finds it, or one as good.
template <class G>
void check_wins_in_three(const G& game, int max_plies, std::uint64_t nodes) {
  int found = 0;
  for (std::uint64_t seed = 0; found < 5; ++seed) {
    const auto history = random_game(game, seed, static_cast<int>(seed) % max_plies);
    AlphaBeta<G> exact(game, {.depth = 9, .heuristic = false});
    if (exact.search(history).best_move().distance != 3 ||
        exact.search(history).best_move().proof != Verdict::win) {
      continue;
    }
    ++found;
    const auto report = search(history, simulations(nodes));
    const auto values = exact.search(history, nullptr, true);
    EXPECT_EQ(values.moves[report.best].proof, Verdict::win) << game.position_text(history.state());
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
  const auto report = search(history, simulations(nodes, formula));
  bool all_lost = true;
  for (const auto& move : report.moves) {
    all_lost = all_lost && move.proof == Verdict::loss;
    if (move.proof == Verdict::unknown) continue;
    const auto expected = exact.value_after(history.state(), move.move);
    RC_ASSERT(move.proof == expected.proof);
    if (move.proof == Verdict::win) RC_ASSERT(move.distance >= expected.distance);
    if (move.proof == Verdict::loss) RC_ASSERT(move.distance >= 2);
  }
  RC_ASSERT((report.best_move().proof != Verdict::loss || all_lost));
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
      const auto report = search(start, simulations(1'000'000, formula));
      EXPECT_EQ(report.best_move().proof, exact.value(game.initial()).proof) << rows << "x" << cols;
      EXPECT_LT(report.nodes, 1'000'000u);
    }
  }
  const TicTacToe game;
  const auto report = search(History<TicTacToe>(game, game.initial()), simulations(1'000'000));
  EXPECT_EQ(report.best_move().proof, Verdict::draw);
  EXPECT_EQ(report.best_move().value, 0.0);
}

TEST(TreeSearch, PrefersAProvenDrawToABadProspect) {
  using Choice = TreeMove<int>;
  const auto chosen = [](std::vector<Choice> moves) { return choice<int>(moves); };
  const Choice draw = {.move = 0, .visits = 3, .proof = Verdict::draw};
  EXPECT_EQ(chosen({draw, {.move = 1, .visits = 100, .mean = -0.1}}), 0u);
  EXPECT_EQ(chosen({draw, {.move = 1, .visits = 100, .mean = 0.1}}), 1u);
  const Choice loss = {.move = 2, .visits = 900, .mean = -1, .proof = Verdict::loss, .distance = 8};
  EXPECT_EQ(chosen({loss, {.move = 1, .visits = 1, .mean = -0.9}}), 1u);
  EXPECT_EQ(chosen({loss, {.move = 1, .mean = -1, .proof = Verdict::loss, .distance = 10}}), 1u);
  const Choice win = {.move = 3, .visits = 2, .mean = 1, .proof = Verdict::win, .distance = 5};
  EXPECT_EQ(chosen({{.move = 1, .visits = 100, .mean = 0.9}, win}), 1u);
  EXPECT_EQ(chosen({win, {.move = 1, .mean = 1, .proof = Verdict::win, .distance = 3}}), 1u);
}

TEST(TreeSearch, ARepetitionIsADrawButNoProof) {
  const Fanorona game;
  History<Fanorona> history(game, game.initial());
  for (const char* text : {"7-4", "0-3", "4-7", "3-0", "7-4"}) {
    history.play(*game.parse_move(history.state(), text));
  }
  const auto report = search(history, simulations(200));
  for (const auto& move : report.moves) {
    if (game.move_text(history.state(), move.move) != "0-3") continue;
    EXPECT_EQ(move.value, 0.0);
    EXPECT_EQ(move.proof, Verdict::unknown);
  }
}

TEST(TreeSearch, TheLimitOfPliesIsADraw) {
  const Bremen game(games::bremen::RuleOptions{.max_plies = 2});
  const auto report = search(at(game, "c4d3d3b5/e3a4e2b1 b"), simulations(20'000));
  EXPECT_EQ(report.best_move().proof, Verdict::draw);
}

TEST(TreeSearch, TheSameSeedGivesTheSameTree) {
  const Domineering game;
  const History<Domineering> start(game, game.initial());
  const auto visits = [&](Seed seed) {
    std::vector<std::uint64_t> all;
    for (const auto& move : search(start, simulations(5'000), seed).moves) {
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
    auto options = simulations(1'000);
    options.trees = trees;
    const auto report = search(start, options);
    std::uint64_t visits = 0;
    for (const auto& move : report.moves) visits += move.visits;
    EXPECT_EQ(report.nodes, 1'000u);
    EXPECT_EQ(visits, 1'000u);
  }
}

TEST(TreeSearch, ThreadsChangeNothing) {
  const Domineering game;
  const History<Domineering> start(game, game.initial());
  auto options = simulations(4'000);
  options.trees = 4;
  ThreadPool pool(3);
  const auto visits = [&](ThreadPool* used) {
    RandomStream random(Seed{1}, "test");
    TreeSearch<Domineering> tree(game, options);
    History<Domineering> history = start;
    std::vector<std::uint64_t> all;
    for (int ply = 0; ply < 2; ++ply) {
      const auto report = tree.search(history, random, used);
      for (const auto& move : report.moves) all.push_back(move.visits);
      history.play(report.best_move().move);
    }
    return all;
  };
  EXPECT_EQ(visits(nullptr), visits(&pool));
}

TEST(TreeSearch, GoesOnFromTheTreeOfTheLastMove) {
  const Domineering game;
  History<Domineering> history(game, game.initial());
  TreeSearch<Domineering> tree(game, simulations(20'000));
  RandomStream random(Seed{1}, "test");
  const auto first = tree.search(history, random);
  EXPECT_EQ(tree.root_visits(), first.nodes + 1);
  ASSERT_GE(first.line.size(), 2u);
  history.play(first.line[0]);
  const auto second = tree.search(history, random);
  EXPECT_EQ(second.nodes, 20'000u);
  // The first visit of the move had no node yet.
  EXPECT_EQ(tree.root_visits(), first.best_move().visits + second.nodes);
  history.undo();
  const auto other = std::find_if(first.moves.begin(), first.moves.end(),
                                  [&](const auto& move) { return move.move != first.line[0]; });
  history.play(other->move);
  const auto third = tree.search(history, random);
  EXPECT_EQ(tree.root_visits(), third.nodes + 1) << "another game: afresh";
}

TEST(TreeSearch, StaysWithinItsMemory) {
  const Domineering game;
  const History<Domineering> start(game, game.initial());
  auto options = simulations(20'000);
  options.max_nodes = 500;
  const auto report = search(start, options);
  EXPECT_EQ(report.nodes, 20'000u);
  EXPECT_LE(report.depth, 8);
  options.formula = Formula::puct;
  EXPECT_EQ(search(start, options).nodes, 20'000u);
}

TEST(TreeSearch, StopsEarlyOnlyWhenNothingCanChange) {
  const Domineering game;
  const History<Domineering> start(game, game.initial());
  auto options = simulations(50'000, Formula::puct);
  const auto full = search(start, options);
  options.stop_early = true;
  const auto early = search(start, options);
  EXPECT_LT(early.nodes, full.nodes);
  EXPECT_EQ(early.best, full.best);
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
    return {.value = static_cast<float>(value_of(value.proof)),
            .proof = value.proof,
            .distance = value.distance};
  }

 private:
  const BruteForce<Domineering>* exact_;
};

TEST(TreeSearch, AnExactEvaluatorProvesTheRootAtOnce) {
  const Domineering game(4, 4);
  const BruteForce<Domineering> exact(game, game.initial());
  const History<Domineering> start(game, game.initial());
  TreeSearch<Domineering, ExactEvaluator> tree(game, simulations(1'000, Formula::puct),
                                               ExactEvaluator(exact));
  RandomStream random(Seed{1}, "test");
  const auto report = tree.search(start, random);
  EXPECT_EQ(report.best_move().proof, Verdict::win);
  EXPECT_LE(report.nodes, report.moves.size());
  EXPECT_EQ(report.best_move().distance,
            exact.value_after(game.initial(), report.best_move().move).distance);
  ASSERT_TRUE(report.best_move().prior.has_value());
  EXPECT_NEAR(*report.best_move().prior, 1.0 / 12, 1e-6);
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
        TreeSearch<Domineering, NonsenseEvaluator> tree(game, simulations(300, formula),
                                                        NonsenseEvaluator(value, priors));
        RandomStream random(Seed{1}, "test");
        const auto report = tree.search(start, random);
        ASSERT_LT(report.best, report.moves.size());
        for (const auto& move : report.moves) {
          EXPECT_TRUE(move.value >= -1 && move.value <= 1) << move.value;
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
  EXPECT_TRUE(search(History<Domineering>(game, game.initial()), {}).moves.empty());
}

TEST(TreeSearch, Signature) {
  const Domineering game;
  const auto report = search(History<Domineering>(game, game.initial()), simulations(20'000));
  EXPECT_EQ(game.move_text(game.initial(), report.best_move().move), "g1");
  EXPECT_EQ(report.best_move().visits, 7917u);
}

}  // namespace
}  // namespace damier::search
