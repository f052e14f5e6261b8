// One tree of a tree search: simulations from its root, one leaf each, with proven results carried
// up the tree (Winands' MCTS-Solver).
//
// The way from the root to a node is unique, so a draw by repetition or by length is a property of
// the node here. A position that was seen before counts as a draw without being one for certain,
// and is not searched further.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "damier/games/history.h"
#include "damier/search/evaluator.h"
#include "damier/search/limit.h"
#include "damier/search/path.h"
#include "damier/search/report.h"
#include "damier/search/tree_nodes.h"

namespace damier::search {

// How a simulation goes on from a node: with the move of the greatest mean + bonus.
enum class Formula : std::uint8_t {
  ucb1,  // c sqrt(ln N / n): every move once, in random order, before any twice
  puct,  // c P sqrt(N) / (1 + n), with the evaluator's priors P
};

// A move of the root as one tree sees it.
template <class Move>
struct TreeMove {
  Move move;
  std::uint64_t visits = 0;
  double mean = 0;
  double prior = 0;
  Verdict proof = Verdict::unknown;
  int distance = -1;
};

// The move to play: a proven win (the shortest), else the most visited one that is not a proven
// loss, unless a proven draw is better than what is expected of it; of losses the longest.
template <class Move>
std::size_t choice(std::span<const TreeMove<Move>> moves) {
  const auto rank = [](const TreeMove<Move>& move) {
    if (move.proof == Verdict::win) return std::pair(3.0, -static_cast<double>(move.distance));
    if (move.proof == Verdict::loss) return std::pair(0.0, static_cast<double>(move.distance));
    return std::pair(1.0, static_cast<double>(move.visits));
  };
  std::size_t best = 0;
  std::optional<std::size_t> draw;
  for (std::size_t i = 0; i < moves.size(); ++i) {
    if (moves[i].proof == Verdict::draw && !draw) draw = i;
    const auto here = rank(moves[i]), there = rank(moves[best]);
    if (here > there || (here == there && moves[i].mean > moves[best].mean)) best = i;
  }
  const bool doubtful = moves[best].proof == Verdict::unknown && moves[best].mean < 0;
  return draw && doubtful ? *draw : best;
}

template <games::Game G, EvaluatorFor<G> Evaluator>
class GrowingTree {
 public:
  using State = typename G::State;
  using Move = typename G::Move;
  using Nodes = TreeNodes<Move>;
  using View = typename Nodes::View;

  GrowingTree(G game, Evaluator evaluator, Formula formula, double c, std::size_t max_moves)
      : game_(std::move(game)),
        evaluator_(std::move(evaluator)),
        formula_(formula),
        c_(static_cast<float>(c)),
        max_moves_(max_moves),
        nodes_(max_moves) {}

  // Makes the position of `history` the root and keeps what is known below it, if it is in the
  // tree; otherwise starts afresh. The game must not be over.
  void set_root(const games::History<G>& history, RandomStream& random) {
    const NodeIndex known = find(history);
    if (known != NodeIndex::none) {
      Nodes kept(max_moves_);
      root_ = nodes_.copy(known, kept);
      nodes_ = std::move(kept);
    } else {
      nodes_.clear();
      root_ = expand(history.state(), random).node;
    }
    start_ = history.start();
    played_.assign(history.moves().begin(), history.moves().end());
    state_ = history.state();
    path_.emplace(history);
    deepest_ = 0;
  }

  // Simulates until the limit or a proof of the root; `stop_early`: or until the most visited move
  // cannot be overtaken any more in the `simulations` that are allowed.
  // `watch`, if there is one, hears now and then which move is ahead.
  void grow(Limit& limit, RandomStream& random, std::uint64_t simulations, bool stop_early,
            Watch* watch = nullptr) {
    for (std::uint64_t done = 0; nodes_.view(root_).head->proof == Verdict::unknown; ++done) {
      if (limit.count()) break;
      simulate(random);
      if (stop_early && done % 64 == 63 && is_decided_by_visits(simulations - done - 1)) break;
      if (watch != nullptr && done % 256 == 255) {
        const auto moves = moves_of(root_);
        watch->set_best(game_.action(state_, moves[choice<Move>(moves)].move));
        watch->set_depth(deepest_);
      }
    }
  }

  std::uint64_t root_visits() { return nodes_.view(root_).head->visits; }
  int deepest() const { return deepest_; }

  std::vector<TreeMove<Move>> root_moves() { return moves_of(root_); }

  // The moves that this tree expects after the first one.
  std::vector<Move> line_after(Move first) {
    std::vector<Move> line = {first};
    NodeIndex node = child_after(root_, first);
    while (node != NodeIndex::none) {
      const auto moves = moves_of(node);
      const std::size_t best = choice<Move>(moves);
      if (moves[best].visits == 0) break;
      line.push_back(moves[best].move);
      node = nodes_.view(node).child[best];
    }
    return line;
  }

 private:
  struct Step {
    NodeIndex node;
    std::size_t move;
  };

  // What a simulation found for the side that made the last move.
  struct Found {
    float value = 0;
    Verdict proof = Verdict::unknown;
    int distance = -1;
  };

  struct Expanded {
    NodeIndex node;
    Evaluation evaluation;
  };

  void simulate(RandomStream& random) {
    State state = state_;
    steps_.clear();
    NodeIndex node = root_;
    Found found;
    for (;;) {
      const View view = nodes_.view(node);
      const std::size_t i = select(view, random);
      game_.play(state, view.move[i]);
      if (path_->looks_back()) path_->push(state, game_.hash(state));
      steps_.push_back({node, i});
      assert(view.proof[i] == Verdict::unknown);
      if (view.child[i] == NodeIndex::none && !enter(view, i, state, random, found)) break;
      node = nodes_.view(node).child[i];
    }
    path_->back_to_root();
    deepest_ = std::max(deepest_, static_cast<int>(steps_.size()));
    back_up(found);
  }

  // Looks at a move without a node. True when it was searched before and has a node now; false
  // when the simulation ends here with what was `found`.
  bool enter(const View& view, std::size_t i, const State& state, RandomStream& random,
             Found& found) {
    if (view.visits[i] == 0) {
      const games::Outcome outcome = game_.outcome(state);
      if (outcome != games::Outcome::ongoing) {
        found = proven(proof_of(outcome, games::opponent(game_.side_to_move(state))), 1);
        return false;
      }
    }
    if (path_->looks_back()) {
      const Recurrence recurrence = path_->recurrence();
      if (recurrence == Recurrence::drawn || path_->drawn_by_length()) {
        found = proven(Verdict::draw, -1);
        return false;
      }
      if (recurrence == Recurrence::seen) return false;
    }
    if constexpr (Evaluator::kGivesPriors) {
      const NodeIndex parent = steps_.back().node;
      const Expanded expanded = expand(state, random);
      nodes_.view(parent).child[i] = expanded.node;
      found = seen_from_above(expanded.evaluation);
      return false;
    } else {
      if (view.visits[i] > 0 && nodes_.has_room_for(G::MoveList::capacity())) {
        const NodeIndex parent = steps_.back().node;
        const NodeIndex child = expand(state, random).node;
        nodes_.view(parent).child[i] = child;
        return true;
      }
      found = seen_from_above(ask(evaluator_, game_, state, {}, {}, random));
      return false;
    }
  }

  static Found proven(Verdict proof, int distance) {
    return {static_cast<float>(value_of(proof)), proof, distance};
  }

  static Found seen_from_above(const Evaluation& evaluation) {
    if (evaluation.proof == Verdict::unknown) return {-evaluation.value};
    const bool has_distance = evaluation.distance >= 0 && evaluation.proof != Verdict::draw;
    return proven(opposite(evaluation.proof), has_distance ? evaluation.distance + 1 : -1);
  }

  // A node for the position; none where the memory is full. An evaluator with priors is asked.
  Expanded expand(const State& state, RandomStream& random) {
    const auto list = game_.legal_moves(state);
    const std::span<const Move> moves(list.begin(), list.size());
    Evaluation evaluation;
    std::array<float, G::MoveList::capacity()> priors;
    if constexpr (Evaluator::kGivesPriors) {
      evaluation =
          ask(evaluator_, game_, state, moves, std::span(priors).first(moves.size()), random);
    } else {
      std::fill_n(priors.begin(), moves.size(), 1.0f / static_cast<float>(moves.size()));
    }
    if (!nodes_.has_room_for(moves.size()) && nodes_.moves() > 0) {
      return {NodeIndex::none, evaluation};
    }
    const NodeIndex node = nodes_.add(moves);
    if (formula_ == Formula::puct) {
      const View view = nodes_.view(node);
      view.head->tried = view.head->size;
      for (std::size_t i = 0; i < moves.size(); ++i) {
        view.mean[i] = std::max(evaluation.value - kFirstPlayReduction, -1.0f);
        view.weight[i] = view.prior[i] = priors[i];
      }
    }
    return {node, evaluation};
  }

  std::size_t select(const View& view, RandomStream& random) {
    typename Nodes::Head& head = *view.head;
    if (head.tried < head.size) {
      const auto rest = static_cast<std::uint64_t>(head.size - head.tried);
      const std::size_t at = head.tried++;
      std::swap(view.move[at], view.move[at + random.below(rest)]);
      return at;
    }
    const auto visits = static_cast<float>(head.visits);
    return Nodes::greatest(view,
                           c_ * std::sqrt(formula_ == Formula::ucb1 ? std::log(visits) : visits));
  }

  void back_up(Found found) {
    for (std::size_t level = steps_.size(); level-- > 0;) {
      const View view = nodes_.view(steps_[level].node);
      const std::size_t i = steps_[level].move;
      ++view.head->visits;
      const auto visits = static_cast<float>(++view.visits[i]);
      if (view.visits[i] == 1) view.mean[i] = 0;
      view.mean[i] += (found.value - view.mean[i]) / visits;
      view.weight[i] =
          formula_ == Formula::ucb1 ? 1 / std::sqrt(visits) : view.prior[i] / (1 + visits);
      if (found.proof != Verdict::unknown) prove(view, i, found);
      const typename Nodes::Head& head = *view.head;
      // Who has a draw in hand need not put up with less.
      if (head.has_draw) found.value = std::max(found.value, 0.0f);
      found = head.proof == Verdict::unknown
                  ? Found{-found.value}
                  : proven(opposite(head.proof), head.distance < 0 ? -1 : head.distance + 1);
    }
  }

  // Writes down what a move leads to, and what follows for its node.
  void prove(const View& view, std::size_t i, const Found& found) {
    typename Nodes::Head& head = *view.head;
    view.proof[i] = found.proof;
    view.distance[i] = static_cast<std::int16_t>(found.distance);
    // There is nothing left to find out about this move.
    view.weight[i] = 0;
    view.mean[i] = Nodes::kNever;
    --head.open;
    head.has_draw = head.has_draw || found.proof == Verdict::draw;
    if (found.proof == Verdict::win) {
      head.proof = Verdict::win;
      head.distance = view.distance[i];
    } else if (head.open == 0) {
      head.proof = head.has_draw ? Verdict::draw : Verdict::loss;
      if (!head.has_draw) {
        head.distance = *std::max_element(view.distance, view.distance + head.size);
      }
    }
  }

  bool is_decided_by_visits(std::uint64_t left) {
    const View view = nodes_.view(root_);
    std::uint64_t first = 0, second = 0;
    for (std::size_t i = 0; i < view.head->size; ++i) {
      const std::uint64_t visits = view.visits[i];
      second = std::max(second, std::min(first, visits));
      first = std::max(first, visits);
    }
    return first > second + left;
  }

  std::vector<TreeMove<Move>> moves_of(NodeIndex node) {
    const View view = nodes_.view(node);
    std::vector<TreeMove<Move>> moves;
    for (std::size_t i = 0; i < view.head->size; ++i) {
      const bool known = view.proof[i] != Verdict::unknown;
      const double mean = known                 ? value_of(view.proof[i])
                          : view.visits[i] == 0 ? 0.0
                                                : static_cast<double>(view.mean[i]);
      moves.push_back({view.move[i], view.visits[i], mean, static_cast<double>(view.prior[i]),
                       view.proof[i], view.distance[i]});
    }
    return moves;
  }

  NodeIndex child_after(NodeIndex node, Move move) {
    const View view = nodes_.view(node);
    for (std::size_t i = 0; i < view.head->size; ++i) {
      if (view.move[i] == move) return view.child[i];
    }
    return NodeIndex::none;
  }

  // The node of a game that goes on from the root's.
  NodeIndex find(const games::History<G>& history) {
    const auto moves = history.moves();
    if (!start_ || !(*start_ == history.start()) || moves.size() < played_.size() ||
        !std::equal(played_.begin(), played_.end(), moves.begin())) {
      return NodeIndex::none;
    }
    NodeIndex node = root_;
    for (std::size_t i = played_.size(); i < moves.size() && node != NodeIndex::none; ++i) {
      node = child_after(node, moves[i]);
    }
    return node;
  }

  // An untried move is expected to be a little worse than its node.
  static constexpr float kFirstPlayReduction = 0.2f;

  G game_;
  Evaluator evaluator_;
  Formula formula_;
  float c_;
  std::size_t max_moves_;
  Nodes nodes_;
  NodeIndex root_ = NodeIndex::none;
  std::optional<State> start_;  // of the game that the root belongs to, and its moves
  std::vector<Move> played_;
  State state_ = {};
  std::optional<Path<G>> path_;
  std::vector<Step> steps_;
  int deepest_ = 0;
};

}  // namespace damier::search
