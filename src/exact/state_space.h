// Retrograde analysis: the exact value and distance of every state of a game small enough to list,
// and exact answers from such a table, for players, `damier solve` and tree searches.
//
// Work starts from the finished states and goes backwards, one ply of distance after the other, so
// each edge of the state graph is looked at once. What is never reached has no forced result: it is
// a draw, by repetition or by reaching a finished draw.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "damier/exact/exact.h"
#include "damier/games/game.h"
#include "damier/games/history.h"
#include "damier/games/known.h"
#include "damier/search/evaluator.h"

namespace damier::exact {

using games::Known;
using games::Verdict;

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

  // Solves the whole space. Needs 4 bytes an edge and about 14 a state while it works; keeps 2 a
  // state.
  explicit StateSpace(G game = G(), Indexer indexer = Indexer())
      : game_(std::move(game)), indexer_(std::move(indexer)), values_(indexer_.state_count()) {
    assert(indexer_.state_count() < kUnreachable);
    solve();
  }

  const G& game() const { return game_; }
  const Indexer& indexer() const { return indexer_; }

  // Never unknown.
  Known value(const State& state) const { return value_at(indexer_.index_of(state)); }
  Known value_at(StateIndex index) const { return games::unpacked(values_[index]); }

  // What `move` is worth to the side that plays it in `state`.
  Known value_after(const State& state, Move move) const {
    State next = state;
    game_.play(next, move);
    const bool same_side = game_.side_to_move(next) == game_.side_to_move(state);
    return one_ply_before(same_side ? value(next) : seen_from_other_side(value(next)));
  }

  // The moves of the best value and, among these, of the shortest win or the longest resistance;
  // none where the game is over.
  std::vector<Move> best_moves(const State& state) const {
    std::vector<Move> best;
    Known best_value;
    for (const Move move : game_.legal_moves(state)) {
      const Known here = value_after(state, move);
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
      const Known here = value_at(i);
      ++result.states;
      result.finished += game_.outcome(indexer_.state_at(i)) != games::Outcome::ongoing;
      ++(here.verdict == Verdict::win    ? result.wins
         : here.verdict == Verdict::draw ? result.draws
                                         : result.losses);
      result.longest_distance = std::max(result.longest_distance, here.plies.value_or(0));
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
      const State state = indexer_.state_at(i);
      const games::Outcome outcome = game_.outcome(state);
      progress[i] = {static_cast<std::uint16_t>(game_.legal_moves(state).size()),
                     game_.side_to_move(state), outcome != games::Outcome::ongoing};
      if (!progress[i].decided || outcome == games::Outcome::draw) continue;
      values_[i] = games::packed(known_end(outcome, progress[i].side));
      queue.push_back(i);
    }
    for (std::size_t head = 0; head < queue.size(); ++head) {
      const StateIndex here = queue[head];
      const Known known = one_ply_before(value_at(here));
      const bool mover_wins = known.verdict == Verdict::win;
      for (std::size_t i = edges.starts[here]; i < edges.starts[here + 1]; ++i) {
        Progress& before = progress[edges.sources[i]];
        if (before.decided) continue;
        // A side may move twice running, so who wins is asked by side, not by parity. The first
        // winning move found is the quickest, the last losing one the slowest.
        const bool wins = mover_wins == (before.side == progress[here].side);
        if (!wins && --before.undecided_moves > 0) continue;
        before.decided = true;
        values_[edges.sources[i]] =
            games::packed({wins ? Verdict::win : Verdict::loss, known.plies});
        queue.push_back(edges.sources[i]);
      }
    }
  }

  G game_;
  Indexer indexer_;
  std::vector<std::int16_t> values_;  // packed; a draw until a win or loss is found
};

// `Table` is a StateSpace of the game.
template <games::Game G, class Table>
class TableSource {
 public:
  using State = typename G::State;
  using Move = typename G::Move;

  // What follows needs the table.
  explicit TableSource(std::shared_ptr<const Table> table) : table_(std::move(table)) {}
  bool is_at_hand() const { return table_ != nullptr; }

  const Table& table() const { return *table_; }
  bool knows(const State& state) const {
    if constexpr (requires { table_->indexer().knows(state); }) {
      return table_->indexer().knows(state);
    } else {
      return true;
    }
  }

  // Every move with its value; chance decides among the best ones.
  Answer<Move> answer(const games::History<G>& history, const Ask& ask) const {
    const G& game = history.game();
    State state = history.state();
    Answer<Move> answer{.known = table_->value(state)};
    for (const Move move : game.legal_moves(state)) {
      const Known known = table_->value_after(state, move);
      answer.moves.push_back({.move = move, .known = known, .value = value_of(known.verdict)});
    }
    const auto best = table_->best_moves(state);
    if (best.empty()) return answer;
    const Move chosen = best[ask.random == nullptr ? 0 : ask.random->below(best.size())];
    const auto at = std::ranges::find(answer.moves, chosen, &MoveAnswer<Move>::move);
    put_best_first(answer.moves, static_cast<std::size_t>(at - answer.moves.begin()));
    answer.line.push_back(chosen);
    // A drawn line has no end.
    game.play(state, chosen);
    while (table_->value(state).verdict != Verdict::draw &&
           game.outcome(state) == games::Outcome::ongoing) {
      answer.line.push_back(table_->best_moves(state).front());
      game.play(state, answer.line.back());
    }
    return answer;
  }

  // What the states are worth.
  static void add_values(std::vector<SpaceFigure>& figures, const StateSpaceStatistics& counts) {
    for (const SpaceFigure& figure : std::initializer_list<SpaceFigure>{
             {"wins", "won for the side to move, finished states included", counts.wins},
             {"draws", "drawn", counts.draws},
             {"losses", "lost for the side to move, finished states included", counts.losses},
             {"longest_win", "plies of the longest forced win",
              static_cast<std::uint64_t>(counts.longest_distance)}}) {
      figures.push_back(figure);
    }
  }

  // As a tree search's evaluator, which may meet positions that the table does not have.
  static constexpr bool kGivesPriors = false;
  search::Evaluation evaluate(const G&, const State& state, std::span<const Move>, std::span<float>,
                              RandomStream&) const {
    if (!knows(state)) return {};
    const Known known = table_->value(state);
    return {static_cast<float>(value_of(known.verdict)), known};
  }

 private:
  std::shared_ptr<const Table> table_;
};

}  // namespace damier::exact
