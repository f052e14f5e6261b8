// Monte Carlo tree search: UCT with random games, PUCT with an evaluator that knows moves.
//
// The object keeps its tree. A search from a position that play has reached since then goes on
// where the last one ended.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "damier/base/parallel/threads.h"
#include "damier/search/tree_growth.h"
#include "damier/search/watch.h"

namespace damier::search {

struct TreeOptions {
  Formula formula = Formula::ucb1;
  double c = 0.7;                                   // for results from -1 to 1
  Budget budget = {.nodes = 10'000, .seconds = 0};  // of all trees together; nodes: simulations
  std::size_t max_nodes = std::size_t{8} << 20;     // moves of all trees; about 25 bytes each
  int trees = 1;            // independent trees, whose visits are added up at the root
  bool stop_early = false;  // when the most visited move cannot be overtaken any more
};

template <games::Game G, EvaluatorFor<G> Evaluator = PlayoutEvaluator>
class TreeSearch {
 public:
  using Move = typename G::Move;

  explicit TreeSearch(const G& game, TreeOptions options = {}, Evaluator evaluator = Evaluator())
      : game_(game), options_(options) {
    const auto trees = static_cast<std::size_t>(std::max(options.trees, 1));
    for (std::size_t i = 0; i < trees; ++i) {
      trees_.emplace_back(game, options.formula, options.c, options.max_nodes / trees);
      evaluators_.push_back(evaluator);
    }
  }

  // No moves where the game is over. The answer depends on the number of trees, not on `pool`,
  // which only runs them at the same time.
  Report<Move> search(const games::History<G>& history, RandomStream& random,
                      ThreadPool* pool = nullptr, Watch* watch = nullptr) {
    Report<Move> report;
    if (history.outcome() != games::Outcome::ongoing) return report;
    const Limit clock({});
    const Seed seed{random()};
    std::vector<std::uint64_t> simulations(trees_.size());
    const auto run = [&](std::size_t i) {
      RandomStream own(seed, "search.tree", i);
      const Budget share = budget_of(i, pool != nullptr);
      Limit limit(share, watch);
      trees_[i].set_root(history);
      if (!trees_[i].has_root()) simulate(i, own);
      const std::uint64_t before = trees_[i].root_visits();
      grow(i, limit, own, share.nodes, history.state(), i == 0 ? watch : nullptr);
      simulations[i] = trees_[i].root_visits() - before;
    };
    if (pool != nullptr) {
      pool->for_each(trees_.size(), run);
    } else {
      for (std::size_t i = 0; i < trees_.size(); ++i) run(i);
    }
    fill(report, history.state());
    for (const std::uint64_t count : simulations) report.nodes += count;
    report.seconds = clock.seconds();
    return report;
  }

  // The simulations that went through the root, those of earlier searches included.
  std::uint64_t root_visits() {
    std::uint64_t sum = 0;
    for (auto& tree : trees_) sum += tree.root_visits();
    return sum;
  }

 private:
  using Tree = GrowingTree<G, Evaluator::kGivesPriors>;

  void simulate(std::size_t i, RandomStream& random) {
    Tree& tree = trees_[i];
    const typename G::State* leaf = tree.descend(random);
    if (leaf == nullptr) return;
    if constexpr (Evaluator::kGivesPriors) {
      std::array<float, G::MoveList::capacity()> room;
      const auto moves = tree.leaf_moves();
      const auto priors = std::span(room).first(moves.size());
      tree.settle(ask(evaluators_[i], game_, *leaf, moves, priors, random), priors);
    } else {
      tree.settle(ask(evaluators_[i], game_, *leaf, {}, {}, random));
    }
  }

  // Until the limit or a proof of the root; `stop_early`: or until the most visited move cannot be
  // overtaken any more in the `simulations` that are allowed. `watch`, if there is one, hears now
  // and then which move is ahead.
  void grow(std::size_t i, Limit& limit, RandomStream& random, std::uint64_t simulations,
            const typename G::State& root, Watch* watch) {
    const bool stop_early = options_.stop_early && simulations > 0;
    for (std::uint64_t done = 0; !trees_[i].is_proven(); ++done) {
      if (limit.count()) break;
      simulate(i, random);
      if (stop_early && done % 64 == 63 && trees_[i].is_decided_by_visits(simulations - done - 1)) {
        break;
      }
      if (watch != nullptr && done % 256 == 255) {
        const auto moves = trees_[i].root_moves();
        watch->set_best(game_.action(root, moves[choice<Move>(moves)].move));
        watch->set_depth(trees_[i].deepest());
      }
    }
  }

  Budget budget_of(std::size_t i, bool at_once) const {
    Budget share = options_.budget;
    const std::uint64_t trees = trees_.size();
    if (share.nodes > 0) share.nodes = share.nodes / trees + (i < share.nodes % trees ? 1 : 0);
    if (!at_once) share.seconds /= static_cast<double>(trees);
    return share;
  }

  void fill(Report<Move>& report, const typename G::State& root) {
    // The trees hold the moves in an order of their own.
    const auto legal = game_.legal_moves(root);
    std::vector<TreeMove<Move>> merged;
    for (const Move move : legal) merged.push_back({.move = move});
    for (auto& tree : trees_) {
      for (const TreeMove<Move>& one : tree.root_moves()) {
        add(*std::find_if(merged.begin(), merged.end(),
                          [&](const TreeMove<Move>& move) { return move.move == one.move; }),
            one);
      }
      report.depth = std::max(report.depth, tree.deepest());
    }
    for (const TreeMove<Move>& move : merged) {
      report.moves.push_back({.move = move.move,
                              .value = move.mean,
                              .visits = move.visits,
                              .proof = move.proof,
                              .distance = move.distance});
      if (options_.formula == Formula::puct) report.moves.back().prior = move.prior;
    }
    report.best = choice<Move>(merged);
    report.line = trees_[0].line_after(merged[report.best].move);
  }

  static void add(TreeMove<Move>& sum, const TreeMove<Move>& one) {
    const auto visits = static_cast<double>(sum.visits + one.visits);
    if (visits > 0) {
      sum.mean = (sum.mean * static_cast<double>(sum.visits) +
                  one.mean * static_cast<double>(one.visits)) /
                 visits;
    }
    sum.visits += one.visits;
    sum.prior = one.prior;
    if (one.proof == Verdict::unknown) return;
    // Two proofs agree on the value; the shorter win and the longer loss is known to be possible.
    const bool better =
        sum.proof == Verdict::unknown || sum.distance < 0 ||
        (one.proof == Verdict::win ? one.distance < sum.distance : one.distance > sum.distance);
    sum.proof = one.proof;
    if (better) sum.distance = one.distance;
    sum.mean = value_of(one.proof);
  }

  G game_;
  TreeOptions options_;
  std::vector<Tree> trees_;
  std::vector<Evaluator> evaluators_;  // by tree
};

}  // namespace damier::search
