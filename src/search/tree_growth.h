// One tree of a tree search: simulations from its root, one leaf each, with proven results carried
// up the tree (Winands' MCTS-Solver).
//
// The tree knows no evaluator. A simulation goes down to a position that somebody must evaluate and
// ends with the answer, so that one caller can grow many trees and ask about their leaves at once.
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
#include "damier/search/answer.h"
#include "damier/search/evaluator.h"
#include "damier/search/path.h"
#include "damier/search/tree_nodes.h"

namespace damier::search {

// How a simulation goes on from a node: with the move of the greatest mean + bonus.
enum class Formula : std::uint8_t {
  ucb1,  // c sqrt(ln N / n): every move once, in random order, before any twice
  puct,  // c P sqrt(N) / (1 + n), with the evaluator's priors P
};

// The move to play: a proven win (the shortest), else the most visited one that is not a proven
// loss, unless a proven draw is better than what is expected of it; of losses the longest.
template <class Move>
std::size_t choice(std::span<const MoveAnswer<Move>> moves) {
  const auto rank = [](const MoveAnswer<Move>& move) {
    const double plies = move.known.plies.value_or(-1);
    if (move.known.verdict == Verdict::win) return std::pair(3.0, -plies);
    if (move.known.verdict == Verdict::loss) return std::pair(0.0, plies);
    return std::pair(1.0, static_cast<double>(move.visits));
  };
  std::size_t best = 0;
  std::optional<std::size_t> draw;
  for (std::size_t i = 0; i < moves.size(); ++i) {
    if (moves[i].known.verdict == Verdict::draw && !draw) draw = i;
    const auto here = rank(moves[i]), there = rank(moves[best]);
    if (here > there || (here == there && *moves[i].value > *moves[best].value)) best = i;
  }
  const bool doubtful = !moves[best].known.is_certain() && *moves[best].value < 0;
  return draw && doubtful ? *draw : best;
}

// `kPriors`: the evaluator says how good the moves look, and every position that was evaluated
// becomes a node; otherwise a position becomes one when it is met again.
template <games::Game G, bool kPriors>
class GrowingTree {
 public:
  using State = typename G::State;
  using Move = typename G::Move;
  using Nodes = TreeNodes<Move>;
  using View = typename Nodes::View;

  GrowingTree(G game, Formula formula, double c, std::size_t max_moves)
      : game_(std::move(game)),
        formula_(formula),
        c_(static_cast<float>(c)),
        max_moves_(max_moves),
        nodes_(max_moves),
        path_(game_) {}

  // Makes the position of `history` the root and keeps what is known below it, if it is in the
  // tree; otherwise starts afresh. The game must not be over.
  void set_root(const games::History<G>& history) {
    const NodeIndex known = find(history);
    if (known != NodeIndex::none) {
      Nodes kept(max_moves_);
      root_ = nodes_.copy(known, kept);
      nodes_ = std::move(kept);
    } else {
      plant(history);
    }
    remember(history);
  }

  // The same, whatever is known.
  void set_fresh_root(const games::History<G>& history) {
    plant(history);
    remember(history);
  }

  // False while the root waits for its evaluation, the first one that descend() asks for.
  bool has_root() const { return root_ != NodeIndex::none; }

  // A simulation from the root, to a position whose evaluation settle() must get; nullptr where it
  // came to its end without. It begins with the root's move `first`, if that is given, which must
  // have no proof.
  const State* descend(RandomStream& random, std::optional<std::size_t> first = std::nullopt) {
    steps_.clear();
    leaf_ = state_;
    if (kPriors && !has_root()) return wait();
    NodeIndex node = root_;
    Found found;
    for (;;) {
      const View view = nodes_.view(node);
      const std::size_t i = steps_.empty() && first ? *first : select(view, random);
      game_.play(leaf_, view.move[i]);
      if (path_.looks_back()) path_.push(leaf_, game_.hash(leaf_));
      steps_.push_back({node, i});
      assert(view.proof[i] == Verdict::unknown);
      if (view.child[i] == NodeIndex::none) {
        const Entered entered = enter(view, i, found);
        if (entered == Entered::asks) return wait();
        if (entered == Entered::ends) break;
      }
      node = nodes_.view(node).child[i];
    }
    end_of_way();
    back_up(found);
    return nullptr;
  }

  // The root's move that the last simulation began with.
  std::size_t last_move() const { return steps_.front().move; }

  // The legal moves of the position that waits, for its priors.
  std::span<const Move> leaf_moves() const { return {leaf_moves_.begin(), leaf_moves_.size()}; }

  void settle(const Evaluation& evaluation, std::span<const float> priors = {}) {
    if constexpr (kPriors) {
      const NodeIndex node = add_node(leaf_moves(), evaluation.value, priors);
      if (steps_.empty()) {
        root_ = node;
        return;
      }
      nodes_.view(steps_.back().node).child[steps_.back().move] = node;
    }
    back_up(seen_from_above(evaluation));
  }

  // What is known of the root; the arrays are in the tree's order of the moves.
  View root() { return nodes_.view(root_); }
  // Mixes noise into the root's priors, a number for each of its moves.
  void mix_into_root(std::span<const float> noise, float share) {
    const View view = root();
    for (std::size_t i = 0; i < noise.size(); ++i) {
      view.prior[i] += share * (noise[i] - view.prior[i]);
      view.weight[i] = view.prior[i] / (1 + static_cast<float>(view.visits[i]));
    }
  }

  bool is_proven() { return root().head->proof != Verdict::unknown; }
  std::uint64_t root_visits() { return root().head->visits; }
  int deepest() const { return deepest_; }

  // As this tree sees them, in an order of its own.
  std::vector<MoveAnswer<Move>> root_moves() { return moves_of(root_); }

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
    Known known = {};
  };

  // What comes after a move without a node.
  enum class Entered : std::uint8_t { goes_on, asks, ends };

  void plant(const games::History<G>& history) {
    nodes_.clear();
    root_ = NodeIndex::none;
    if constexpr (!kPriors) root_ = add_node_of(history.state());
  }

  void remember(const games::History<G>& history) {
    start_ = history.start();
    played_.assign(history.moves().begin(), history.moves().end());
    state_ = history.state();
    path_.start(history);
    deepest_ = 0;
  }

  void end_of_way() {
    path_.back_to_root();
    deepest_ = std::max(deepest_, static_cast<int>(steps_.size()));
  }

  const State* wait() {
    end_of_way();
    if constexpr (kPriors) leaf_moves_ = game_.legal_moves(leaf_);
    return &leaf_;
  }

  // Looks at a move without a node, which leads to leaf_. It goes on when the position was met
  // before and has a node now, and ends with what was `found` where that is certain.
  Entered enter(const View& view, std::size_t i, Found& found) {
    if (view.visits[i] == 0) {
      const games::Outcome outcome = game_.outcome(leaf_);
      if (outcome != games::Outcome::ongoing) {
        found = proven({verdict_of(outcome, games::opponent(game_.side_to_move(leaf_))), 1});
        return Entered::ends;
      }
    }
    if (path_.looks_back()) {
      const Recurrence recurrence = path_.recurrence();
      if (recurrence == Recurrence::drawn || path_.drawn_by_length()) {
        found = proven({Verdict::draw});
        return Entered::ends;
      }
      if (recurrence == Recurrence::seen) return Entered::ends;
    }
    if (!kPriors && view.visits[i] > 0 && nodes_.has_room_for(G::MoveList::capacity())) {
      const NodeIndex parent = steps_.back().node;
      const NodeIndex child = add_node_of(leaf_);
      nodes_.view(parent).child[i] = child;
      return Entered::goes_on;
    }
    return Entered::asks;
  }

  static Found proven(const Known& known) {
    return {static_cast<float>(value_of(known.verdict)), known};
  }

  static Found seen_from_above(const Evaluation& evaluation) {
    if (!evaluation.known.is_certain()) return {-evaluation.value};
    Known known = one_ply_before(seen_from_other_side(evaluation.known));
    if (known.verdict == Verdict::draw) known.plies.reset();
    return proven(known);
  }

  // A node of these moves; none where the memory is full.
  NodeIndex add_node(std::span<const Move> moves, float value, std::span<const float> priors) {
    if (!nodes_.has_room_for(moves.size()) && nodes_.moves() > 0) return NodeIndex::none;
    const NodeIndex node = nodes_.add(moves);
    if (formula_ == Formula::puct) {
      const View view = nodes_.view(node);
      view.head->tried = view.head->size;
      for (std::size_t i = 0; i < moves.size(); ++i) {
        view.mean[i] = std::max(value - kFirstPlayReduction, -1.0f);
        view.weight[i] = view.prior[i] = priors[i];
      }
    }
    return node;
  }

  // A node of a position that nobody has evaluated.
  NodeIndex add_node_of(const State& state) {
    const auto moves = game_.legal_moves(state);
    std::array<float, G::MoveList::capacity()> priors;
    std::fill_n(priors.begin(), moves.size(), 1.0f / static_cast<float>(moves.size()));
    return add_node({moves.begin(), moves.size()}, 0, priors);
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
      if (found.known.is_certain()) prove(view, i, found.known);
      const typename Nodes::Head& head = *view.head;
      // Who has a draw in hand need not put up with less.
      if (head.has_draw) found.value = std::max(found.value, 0.0f);
      found = head.proof == Verdict::unknown ? Found{-found.value}
                                             : proven(one_ply_before(seen_from_other_side(
                                                   Nodes::known_of(head.proof, head.distance))));
    }
  }

  // Writes down what a move leads to, and what follows for its node.
  void prove(const View& view, std::size_t i, const Known& known) {
    typename Nodes::Head& head = *view.head;
    view.proof[i] = known.verdict;
    view.distance[i] = static_cast<std::int16_t>(known.plies.value_or(-1));
    // There is nothing left to find out about this move.
    view.weight[i] = 0;
    view.mean[i] = Nodes::kNever;
    --head.open;
    head.has_draw = head.has_draw || known.verdict == Verdict::draw;
    if (known.verdict == Verdict::win) {
      head.proof = Verdict::win;
      head.distance = view.distance[i];
    } else if (head.open == 0) {
      head.proof = head.has_draw ? Verdict::draw : Verdict::loss;
      if (!head.has_draw) {
        head.distance = *std::max_element(view.distance, view.distance + head.size);
      }
    }
  }

  std::vector<MoveAnswer<Move>> moves_of(NodeIndex node) {
    const View view = nodes_.view(node);
    std::vector<MoveAnswer<Move>> moves(view.head->size);
    for (std::size_t i = 0; i < moves.size(); ++i) {
      MoveAnswer<Move>& move = moves[i];
      move.move = view.move[i];
      move.known = view.known(i);
      move.visits = view.visits[i];
      move.value = move.known.is_certain() ? value_of(move.known.verdict)
                   : move.visits == 0      ? 0.0
                                           : static_cast<double>(view.mean[i]);
      if (formula_ == Formula::puct) move.prior = static_cast<double>(view.prior[i]);
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
  Formula formula_;
  float c_;
  std::size_t max_moves_;
  Nodes nodes_;
  NodeIndex root_ = NodeIndex::none;
  std::optional<State> start_;  // of the game that the root belongs to, and its moves
  std::vector<Move> played_;
  State state_ = {};
  Path<G> path_;
  std::vector<Step> steps_;
  State leaf_ = {};
  typename G::MoveList leaf_moves_ = {};
  int deepest_ = 0;
};

}  // namespace damier::search
