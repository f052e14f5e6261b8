// Retrograde analysis: the exact value and distance of every state of a game small enough to list.
//
// Work starts from the finished states and goes backwards, one ply of distance after the other, so
// each edge of the state graph is looked at once. What is never reached has no forced result: it is
// a draw, by repetition or by reaching a finished draw.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "damier/games/game.h"
#include "damier/games/verdict.h"

namespace damier::exact {

using games::opposite;
using games::Verdict;  // for the side to move; never unknown here

struct ExactValue {
  Verdict value = Verdict::draw;
  // Plies to the end when the winner hurries and the loser resists; 0 for a draw.
  std::uint16_t distance = 0;

  bool operator==(const ExactValue&) const = default;
};

// Whether the side to move would rather be in `a`: a win before a draw before a loss, a short win
// before a long one, a long loss before a short one.
constexpr bool better(ExactValue a, ExactValue b) {
  if (a.value != b.value) return a.value > b.value;
  return a.value == Verdict::win ? a.distance < b.distance
                                 : a.value == Verdict::loss && a.distance > b.distance;
}

using StateIndex = std::uint32_t;

// Numbers the states of a game from 0 to state_count() - 1. Every state that can be reached from a
// numbered one must have a number.
template <class I, class G>
concept StateIndexer = games::Rules<G> &&
    requires(const I indexer, const typename G::State state, StateIndex index) {
  { indexer.state_count() } -> std::same_as<StateIndex>;
  { indexer.state_at(index) } -> std::same_as<typename G::State>;
  { indexer.index_of(state) } -> std::same_as<StateIndex>;
};

// An indexer whose numbers have holes says which of them stand for a state.
template <class I>
concept HasHoles = requires(const I indexer, StateIndex index) {
  { indexer.is_valid(index) } -> std::same_as<bool>;
};

struct StateSpaceStatistics {
  StateIndex states = 0;
  StateIndex finished = 0;  // the game is over there
  StateIndex wins = 0;      // for the side to move, finished states included; so are the next two
  StateIndex draws = 0;
  StateIndex losses = 0;
  int longest_distance = 0;  // of a forced win or loss
  StateIndex reachable = 0;  // from the game's initial state, which counts too
  bool operator==(const StateSpaceStatistics&) const = default;
};

template <class G, StateIndexer<G> Indexer>
class StateSpace {
 public:
  using State = typename G::State;
  using Move = typename G::Move;

  // Solves the whole space. Needs 4 bytes an edge and about 16 a state while it works; keeps 4 a
  // state.
  explicit StateSpace(G game = G(), Indexer indexer = Indexer())
      : game_(std::move(game)), indexer_(std::move(indexer)), values_(indexer_.state_count()) {
    assert(indexer_.state_count() < kUnreachable);
    solve();
  }

  const G& game() const { return game_; }
  const Indexer& indexer() const { return indexer_; }

  ExactValue value(const State& state) const { return values_[indexer_.index_of(state)]; }
  ExactValue value_at(StateIndex index) const { return values_[index]; }

  // What `move` is worth to the side that plays it in `state`.
  ExactValue value_after(const State& state, Move move) const {
    State next = state;
    game_.play(next, move);
    ExactValue result = value(next);
    if (game_.side_to_move(next) != game_.side_to_move(state)) {
      result.value = opposite(result.value);
    }
    if (result.value != Verdict::draw) ++result.distance;
    return result;
  }

  // The moves of the best value and, among these, of the shortest win or the longest resistance;
  // none where the game is over.
  std::vector<Move> best_moves(const State& state) const {
    std::vector<Move> best;
    ExactValue best_value;
    for (const Move move : game_.legal_moves(state)) {
      const ExactValue here = value_after(state, move);
      if (best.empty() || better(here, best_value)) {
        best.assign(1, move);
        best_value = here;
      } else if (here == best_value) {
        best.push_back(move);
      }
    }
    return best;
  }

  // Counted afresh by each call.
  StateSpaceStatistics statistics() const {
    StateSpaceStatistics result;
    for (StateIndex i = 0; i < values_.size(); ++i) {
      if (!is_valid(i)) continue;
      const ExactValue here = values_[i];
      ++result.states;
      result.finished += game_.outcome(indexer_.state_at(i)) != games::Outcome::ongoing;
      ++(here.value == Verdict::win    ? result.wins
         : here.value == Verdict::draw ? result.draws
                                       : result.losses);
      result.longest_distance = std::max<int>(result.longest_distance, here.distance);
    }
    if constexpr (requires { game_.initial(); }) {
      result.reachable = static_cast<StateIndex>(reachable_from(game_.initial()).size());
    }
    return result;
  }

  // The numbers of `start` and of all states that play can lead to from it, nearest first.
  std::vector<StateIndex> reachable_from(const State& start) const {
    std::vector<bool> seen(values_.size());
    std::vector<StateIndex> found = {indexer_.index_of(start)};
    seen[found[0]] = true;
    for (std::size_t i = 0; i < found.size(); ++i) {
      for_each_successor(indexer_.state_at(found[i]), [&](StateIndex next) {
        if (!seen[next]) found.push_back(next);
        seen[next] = true;
      });
    }
    return found;
  }

 private:
  static constexpr StateIndex kUnreachable = std::numeric_limits<StateIndex>::max();

  // The predecessors of state i are sources[starts[i]] to sources[starts[i + 1] - 1].
  struct ReverseEdges {
    std::vector<std::size_t> starts;
    std::vector<StateIndex> sources;
  };

  // What the analysis knows of a state besides its value.
  struct Progress {
    std::uint16_t undecided_moves = 0;
    games::Side side = games::Side::first;
    bool decided = false;
  };

  bool is_valid(StateIndex index) const {
    if constexpr (HasHoles<Indexer>) {
      return indexer_.is_valid(index);
    } else {
      return true;
    }
  }

  template <class Visit>
  void for_each_successor(const State& state, Visit visit) const {
    for (const Move move : game_.legal_moves(state)) {
      State next = state;
      game_.play(next, move);
      visit(indexer_.index_of(next));
    }
  }

  // Generates the moves twice, once to count and once to place, instead of storing all edges twice.
  ReverseEdges reverse_edges() const {
    const StateIndex count = indexer_.state_count();
    ReverseEdges edges{std::vector<std::size_t>(std::size_t{count} + 1), {}};
    const auto for_each_edge = [&](auto visit) {
      for (StateIndex i = 0; i < count; ++i) {
        if (!is_valid(i)) continue;
        for_each_successor(indexer_.state_at(i), [&](StateIndex next) { visit(i, next); });
      }
    };
    for_each_edge([&](StateIndex, StateIndex next) { ++edges.starts[next]; });
    std::size_t total = 0;
    for (std::size_t& start : edges.starts) start = total += start;
    edges.sources.resize(total);
    // Each start is still its block's end, and comes down to the start as the block fills.
    for_each_edge(
        [&](StateIndex from, StateIndex next) { edges.sources[--edges.starts[next]] = from; });
    return edges;
  }

  void solve() {
    const ReverseEdges edges = reverse_edges();
    std::vector<Progress> progress(values_.size());
    std::vector<StateIndex> queue;  // decided states by distance; the same array holds all rounds
    queue.reserve(values_.size());
    for (StateIndex i = 0; i < values_.size(); ++i) {
      if (!is_valid(i)) continue;
      const State state = indexer_.state_at(i);
      const games::Outcome outcome = game_.outcome(state);
      progress[i] = {static_cast<std::uint16_t>(game_.legal_moves(state).size()),
                     game_.side_to_move(state), outcome != games::Outcome::ongoing};
      if (!progress[i].decided || outcome == games::Outcome::draw) continue;
      values_[i].value = outcome == games::win_of(progress[i].side) ? Verdict::win : Verdict::loss;
      queue.push_back(i);
    }
    for (std::size_t head = 0; head < queue.size(); ++head) {
      const StateIndex here = queue[head];
      const bool mover_wins = values_[here].value == Verdict::win;
      const auto distance = static_cast<std::uint16_t>(values_[here].distance + 1);
      for (std::size_t i = edges.starts[here]; i < edges.starts[here + 1]; ++i) {
        Progress& before = progress[edges.sources[i]];
        if (before.decided) continue;
        // A side may move twice running, so who wins is asked by side, not by parity. The first
        // winning move found is the quickest, the last losing one the slowest.
        const bool wins = mover_wins == (before.side == progress[here].side);
        if (!wins && --before.undecided_moves > 0) continue;
        before.decided = true;
        values_[edges.sources[i]] = {wins ? Verdict::win : Verdict::loss, distance};
        queue.push_back(edges.sources[i]);
      }
    }
  }

  G game_;
  Indexer indexer_;
  std::vector<ExactValue> values_;
};

}  // namespace damier::exact
