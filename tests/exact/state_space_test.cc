#include "damier/exact/state_space.h"

#include <algorithm>
#include <array>
#include <vector>

#include <gtest/gtest.h>

namespace damier::exact {
namespace {

using games::Outcome;
using games::Side;

// Noughts and crosses. Its indexer numbers all 3^9 fillings, of which many are no states.
struct Noughts {
  struct State {
    std::array<std::uint8_t, 9> cells = {};  // 0 free, 1 first, 2 second
    bool operator==(const State&) const = default;
  };
  using Move = std::uint8_t;
  using MoveList = InlineList<Move, 9>;

  State initial() const { return {}; }
  static int count(const State& state, int what) {
    return static_cast<int>(std::count(state.cells.begin(), state.cells.end(), what));
  }
  static bool has_line(const State& state, int what) {
    for (const auto& [a, step] : {std::pair<std::size_t, std::size_t>{0, 1},
                                  {3, 1},
                                  {6, 1},
                                  {0, 3},
                                  {1, 3},
                                  {2, 3},
                                  {0, 4},
                                  {2, 2}}) {
      if (state.cells[a] == what && state.cells[a + step] == what &&
          state.cells[a + 2 * step] == what) {
        return true;
      }
    }
    return false;
  }
  Side side_to_move(const State& state) const {
    return count(state, 1) == count(state, 2) ? Side::first : Side::second;
  }
  Outcome outcome(const State& state) const {
    if (has_line(state, 1)) return Outcome::first_wins;
    if (has_line(state, 2)) return Outcome::second_wins;
    return count(state, 0) == 0 ? Outcome::draw : Outcome::ongoing;
  }
  MoveList legal_moves(const State& state) const {
    MoveList moves;
    if (outcome(state) != Outcome::ongoing) return moves;
    for (std::uint8_t i = 0; i < 9; ++i) {
      if (state.cells[i] == 0) moves.push_back(i);
    }
    return moves;
  }
  void play(State& state, Move move) const {
    state.cells[move] = side_to_move(state) == Side::first ? 1 : 2;
  }
  std::uint64_t hash(const State&) const { return 0; }
};

// The states in which either side may be to move.
struct NoughtsIndexer {
  static constexpr StateIndex kAll = 19683;  // 3^9
  std::vector<StateIndex> codes, numbers = std::vector<StateIndex>(kAll);

  NoughtsIndexer() {
    for (StateIndex code = 0; code < kAll; ++code) {
      const int lead = Noughts::count(coded(code), 1) - Noughts::count(coded(code), 2);
      if (lead != 0 && lead != 1) continue;
      numbers[code] = static_cast<StateIndex>(codes.size());
      codes.push_back(code);
    }
  }
  static Noughts::State coded(StateIndex code) {
    Noughts::State state;
    for (auto& cell : state.cells) {
      cell = static_cast<std::uint8_t>(code % 3);
      code /= 3;
    }
    return state;
  }
  StateIndex state_count() const { return static_cast<StateIndex>(codes.size()); }
  Noughts::State state_at(StateIndex index) const { return coded(codes[index]); }
  StateIndex index_of(const Noughts::State& state) const {
    StateIndex code = 0;
    for (std::size_t i = 9; i-- > 0;) code = 3 * code + state.cells[i];
    return numbers[code];
  }
};

Known plain_value(const Noughts& game, const Noughts::State& state) {
  const Outcome outcome = game.outcome(state);
  if (outcome == Outcome::draw) return {Verdict::draw};
  if (outcome != Outcome::ongoing) return known_end(outcome, game.side_to_move(state));
  Known best{Verdict::loss, 0};
  for (const auto move : game.legal_moves(state)) {
    Noughts::State next = state;
    game.play(next, move);
    const Known known = one_ply_before(seen_from_other_side(plain_value(game, next)));
    if (better(known, best)) best = known;
  }
  return best;
}

TEST(StateSpace, NoughtsAndCrossesHasTheKnownCounts) {
  const StateSpace<Noughts, NoughtsIndexer> space;
  const StateSpaceStatistics statistics = space.statistics();
  EXPECT_EQ(space.value({}), (Known{Verdict::draw}));
  EXPECT_EQ(space.best_moves({}).size(), 9u);
  EXPECT_EQ(statistics.states, 6046u);
  EXPECT_EQ(statistics.reachable, 5478u);
  EXPECT_EQ(statistics.wins + statistics.draws + statistics.losses, statistics.states);
}

TEST(StateSpace, NoughtsAndCrossesAgreesWithPlainMinimax) {
  const Noughts game;
  const StateSpace<Noughts, NoughtsIndexer> space;
  for (const StateIndex i : space.reachable_from({})) {
    const Noughts::State state = space.indexer().state_at(i);
    ASSERT_EQ(space.value(state), plain_value(game, state)) << i;
    for (const auto move : space.best_moves(state)) {
      ASSERT_EQ(space.value_after(state, move), space.value(state)) << i;
    }
  }
}

// A game given as a graph: each node has a side to move, a result or ways on.
struct Graph {
  struct Node {
    Side side = Side::first;
    Outcome outcome = Outcome::ongoing;
    std::vector<int> next = {};
  };
  using State = int;
  using Move = int;
  using MoveList = InlineList<int, 4>;
  std::vector<Node> nodes = {};

  const Node& node(State state) const { return nodes[static_cast<std::size_t>(state)]; }
  Side side_to_move(State state) const { return node(state).side; }
  Outcome outcome(State state) const { return node(state).outcome; }
  MoveList legal_moves(State state) const {
    MoveList moves;
    for (const int next : node(state).next) moves.push_back(next);
    return moves;
  }
  void play(State& state, Move move) const { state = move; }
  std::uint64_t hash(State) const { return 0; }
};

struct GraphIndexer {
  StateIndex count = 0;
  StateIndex state_count() const { return count; }
  int state_at(StateIndex index) const { return static_cast<int>(index); }
  StateIndex index_of(int state) const { return static_cast<StateIndex>(state); }
};

StateSpace<Graph, GraphIndexer> solved(std::vector<Graph::Node> nodes) {
  const auto count = static_cast<StateIndex>(nodes.size());
  return StateSpace<Graph, GraphIndexer>(Graph{std::move(nodes)}, GraphIndexer{count});
}

TEST(StateSpace, WithoutAForcedResultItIsADraw) {
  // First at 0 can go round with 1 or give up at 2.
  const auto space = solved({{Side::first, Outcome::ongoing, {1, 2}},
                             {Side::second, Outcome::ongoing, {0}},
                             {Side::second, Outcome::second_wins, {}}});
  EXPECT_EQ(space.value(0), (Known{Verdict::draw}));
  EXPECT_EQ(space.value(1), (Known{Verdict::draw}));
  EXPECT_EQ(space.best_moves(0), std::vector<int>{1});
  EXPECT_EQ(space.value(2), (Known{Verdict::win, 0}));
}

TEST(StateSpace, AWinIsShortALossIsLong) {
  // From 0 first wins at once through 3 or slowly through 1, 2. At 4 second loses either way.
  const auto space = solved({{Side::first, Outcome::ongoing, {1, 3}},
                             {Side::second, Outcome::ongoing, {2}},
                             {Side::first, Outcome::ongoing, {3}},
                             {Side::second, Outcome::first_wins, {}},
                             {Side::second, Outcome::ongoing, {0, 2, 5}},
                             {Side::first, Outcome::ongoing, {1}}});
  EXPECT_EQ(space.value(0), (Known{Verdict::win, 1}));
  EXPECT_EQ(space.best_moves(0), std::vector<int>{3});
  EXPECT_EQ(space.value(5), (Known{Verdict::win, 3}));
  EXPECT_EQ(space.value(4), (Known{Verdict::loss, 4}));
  EXPECT_EQ(space.best_moves(4), std::vector<int>{5});
}

TEST(StateSpace, ASideMayMoveTwiceRunning) {
  const auto space = solved({{Side::first, Outcome::ongoing, {1}},
                             {Side::first, Outcome::ongoing, {2, 3}},
                             {Side::second, Outcome::first_wins, {}},
                             {Side::second, Outcome::second_wins, {}}});
  EXPECT_EQ(space.value(1), (Known{Verdict::win, 1}));
  EXPECT_EQ(space.value(0), (Known{Verdict::win, 2}));
  EXPECT_EQ(space.best_moves(1), std::vector<int>{2});
}

TEST(StateSpace, TwoMovesToTheSameStateCountTwice) {
  const auto space =
      solved({{Side::first, Outcome::ongoing, {1, 1}}, {Side::second, Outcome::second_wins, {}}});
  EXPECT_EQ(space.value(0), (Known{Verdict::loss, 1}));
}

TEST(StateSpace, OrdersValuesAsAPlayerWould) {
  const std::vector<Known> descending = {{Verdict::win, 1},
                                         {Verdict::win, 3},
                                         {Verdict::draw},
                                         {Verdict::loss, 8},
                                         {Verdict::loss, 2}};
  for (std::size_t i = 0; i < descending.size(); ++i) {
    for (std::size_t j = 0; j < descending.size(); ++j) {
      EXPECT_EQ(better(descending[i], descending[j]), i < j) << i << " " << j;
    }
  }
}

}  // namespace
}  // namespace damier::exact
