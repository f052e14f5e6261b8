// Monte Carlo tree search: UCT with random games, PUCT with an evaluator that knows moves.
//
// The object keeps its tree. A search from a position that play has reached since then goes on
// where the last one ended.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "damier/base/parallel/threads.h"
#include "damier/search/tree_growth.h"

namespace damier::search {

struct TreeOptions {
  Formula formula = Formula::ucb1;
  double c = 0.7;                                // for results from -1 to 1
  std::size_t max_nodes = std::size_t{8} << 20;  // moves of all trees; about 25 bytes each
  int trees = 1;           // independent trees, whose visits are added up at the root
  bool at_once = false;    // each tree in a thread of its own, which changes no answer
  bool keeps_tree = true;  // from one search to the next
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
    if (options.at_once && trees > 1) pool_ = std::make_unique<ThreadPool>(options.trees);
  }

  // The nodes are those of all trees together.
  Answer<Move> answer(const games::History<G>& history, const Ask& ask) {
    assert(ask.random != nullptr);
    Answer<Move> answer;
    if (history.outcome() != games::Outcome::ongoing) return answer;
    const Limit clock({});
    const Seed seed{(*ask.random)()};
    std::vector<std::uint64_t> simulations(trees_.size());
    const auto run = [&](std::size_t i) {
      RandomStream own(seed, "search.tree", i);
      Limit limit(share_of(ask, i));
      options_.keeps_tree ? trees_[i].set_root(history) : trees_[i].set_fresh_root(history);
      if (!trees_[i].has_root()) simulate(i, own);
      const std::uint64_t before = trees_[i].root_visits();
      grow(i, limit, own, history.state(), i == 0 ? ask.watch : nullptr);
      simulations[i] = trees_[i].root_visits() - before;
    };
    if (pool_ != nullptr) {
      pool_->for_each(trees_.size(), run);
    } else {
      for (std::size_t i = 0; i < trees_.size(); ++i) run(i);
    }
    fill(answer, history.state());
    for (const std::uint64_t count : simulations) answer.nodes += count;
    answer.seconds = clock.seconds();
    return answer;
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

  // Until the limit or a proof of the root. `watch`, if there is one, is told now and then which
  // move is ahead.
  void grow(std::size_t i, Limit& limit, RandomStream& random, const typename G::State& root,
            Watch* watch) {
    for (std::uint64_t done = 0; !trees_[i].is_proven(); ++done) {
      if (limit.count()) break;
      simulate(i, random);
      if (watch != nullptr && done % 256 == 255) {
        const auto moves = trees_[i].root_moves();
        watch->set_best(game_.action(root, moves[choice<Move>(moves)].move));
        watch->set_depth(trees_[i].deepest());
      }
    }
  }

  Ask share_of(const Ask& ask, std::size_t i) const {
    Ask share = ask;
    const std::uint64_t trees = trees_.size();
    if (share.nodes > 0) share.nodes = share.nodes / trees + (i < share.nodes % trees ? 1 : 0);
    if (pool_ == nullptr) share.seconds /= static_cast<double>(trees);
    return share;
  }

  void fill(Answer<Move>& answer, const typename G::State& root) {
    // The trees hold the moves in an order of their own.
    const auto legal = game_.legal_moves(root);
    for (const Move move : legal) answer.moves.push_back({.move = move, .value = 0});
    for (auto& tree : trees_) {
      for (const MoveAnswer<Move>& one : tree.root_moves()) {
        add(*std::ranges::find(answer.moves, one.move, &MoveAnswer<Move>::move), one);
      }
      answer.depth = std::max(answer.depth, tree.deepest());
    }
    put_best_first(answer.moves, choice<Move>(answer.moves));
    answer.known = known_from(answer.moves);
    answer.line = trees_[0].line_after(answer.best().move);
  }

  static void add(MoveAnswer<Move>& sum, const MoveAnswer<Move>& one) {
    const auto visits = static_cast<double>(sum.visits + one.visits);
    if (visits > 0) {
      sum.value = (*sum.value * static_cast<double>(sum.visits) +
                   *one.value * static_cast<double>(one.visits)) /
                  visits;
    }
    sum.visits += one.visits;
    sum.prior = one.prior;
    if (!one.known.is_certain()) return;
    // Two proofs agree on the value; the shorter win and the longer loss is known to be possible.
    if (!sum.known.plies || better(one.known, sum.known)) sum.known = one.known;
    sum.value = value_of(one.known.verdict);
  }

  G game_;
  TreeOptions options_;
  std::vector<Tree> trees_;
  std::vector<Evaluator> evaluators_;  // by tree
  std::unique_ptr<ThreadPool> pool_;   // of several trees at once
};

}  // namespace damier::search
