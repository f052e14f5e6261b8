#include <algorithm>
#include <map>
#include <string>
#include <unordered_map>

#include <gtest/gtest.h>

#include "damier/exact/fanorona/exact.h"

namespace damier::exact {
namespace {

using games::fanorona::Fanorona;
using games::fanorona::Move;
using games::fanorona::State;

State position(std::string_view text) {
  auto state = Fanorona().parse_position(text);
  EXPECT_TRUE(state) << state.error().text();
  return *state;
}

template <class Visit>
void for_all_states(Visit visit) {
  for (StateIndex i = 0; i < FanoronaIndexer::kStates; ++i) {
    visit(i, fanorona_table().indexer().state_at(i));
  }
}

TEST(FanoronaTable, EveryStateHasItsNumber) {
  const Fanorona game;
  std::unordered_map<std::uint64_t, StateIndex> seen;
  for_all_states([&](StateIndex i, const State& state) {
    ASSERT_EQ(fanorona_table().indexer().index_of(state), i);
    ASSERT_TRUE(seen.emplace(game.hash(state), i).second);
  });
}

TEST(FanoronaTable, HasTheKnownCounts) {
  const StateSpaceStatistics statistics = fanorona_table().statistics();
  std::map<std::string, std::uint64_t> figures;
  for (const auto& figure : Exact<Fanorona>(Fanorona()).state_space()) {
    figures[figure.name] = figure.value;
  }
  EXPECT_EQ(figures["boards"], 107520u);
  EXPECT_EQ(figures["already_won"], 5096u);
  EXPECT_EQ(figures["no_legal_move"], 840u);
  EXPECT_EQ(statistics.states, 215040u);
  EXPECT_EQ(statistics.finished, 5096u + 840u);
  EXPECT_EQ(statistics.longest_distance, 11);
  EXPECT_EQ(statistics.reachable, 16806u);
  EXPECT_EQ(statistics.wins, 70488u);
  EXPECT_EQ(statistics.draws, 125360u);
  EXPECT_EQ(statistics.losses, 19192u);
}

TEST(FanoronaTable, TheStartIsADraw) {
  EXPECT_EQ(fanorona_table().value(Fanorona().initial()), (Known{Verdict::draw}));
}

TEST(FanoronaTable, SeesAWinInOne) {
  // White has to bring its third moved piece from 5 to 8.
  const State one = position("bb.b.WWW. w");
  EXPECT_EQ(fanorona_table().value(one), (Known{Verdict::win, 1}));
  EXPECT_EQ(fanorona_table().best_moves(one), std::vector<Move>{games::fanorona::make_move(5, 8)});
}

// Values by repeated sweeps over all states, without predecessors and without a queue: after sweep
// n every result within n plies is known.
TEST(FanoronaTable, AgreesWithRepeatedSweeps) {
  const Fanorona game;
  const FanoronaIndexer indexer;
  // +distance + 1 of a win, -(distance + 1) of a loss, 0 while not known.
  std::vector<int> values(FanoronaIndexer::kStates);
  for_all_states([&](StateIndex i, const State& state) {
    const games::Outcome outcome = game.outcome(state);
    if (outcome != games::Outcome::ongoing) {
      values[i] = outcome == games::win_of(state.side) ? 1 : -1;
    }
  });
  for (int distance = 1;; ++distance) {
    std::vector<std::pair<StateIndex, int>> found;
    for_all_states([&](StateIndex i, const State& state) {
      if (values[i] != 0) return;
      bool wins = false, loses = true;
      for (const Move move : game.legal_moves(state)) {
        State next = state;
        game.play(next, move);
        const int value = values[indexer.index_of(next)];
        wins = wins || value < 0;
        loses = loses && value > 0;
      }
      if (wins || loses) found.emplace_back(i, wins ? distance + 1 : -(distance + 1));
    });
    if (found.empty()) break;
    for (const auto& [i, value] : found) values[i] = value;
  }
  for_all_states([&](StateIndex i, const State& state) {
    const Known expected = values[i] == 0  ? Known{Verdict::draw}
                           : values[i] > 0 ? Known{Verdict::win, values[i] - 1}
                                           : Known{Verdict::loss, -values[i] - 1};
    ASSERT_EQ(fanorona_table().value(state), expected) << game.position_text(state);
  });
}

TEST(FanoronaTable, SymmetricStatesAreAlike) {
  const Fanorona game;
  for_all_states([&](StateIndex i, const State& state) {
    for (const games::Symmetry symmetry : game.symmetries(state)) {
      ASSERT_EQ(fanorona_table().value(game.transformed(state, symmetry)),
                fanorona_table().value_at(i))
          << game.position_text(state);
    }
  });
}

TEST(FanoronaTable, BestMovesKeepTheValueAndOthersAreWorse) {
  const Fanorona game;
  for_all_states([&](StateIndex i, const State& state) {
    const Known value = fanorona_table().value_at(i);
    const auto best = fanorona_table().best_moves(state);
    ASSERT_EQ(best.empty(), game.outcome(state) != games::Outcome::ongoing);
    for (const Move move : game.legal_moves(state)) {
      const Known after = fanorona_table().value_after(state, move);
      const bool is_best = std::find(best.begin(), best.end(), move) != best.end();
      ASSERT_EQ(is_best, after == value) << game.position_text(state);
      ASSERT_EQ(is_best, !better(value, after)) << game.position_text(state);
    }
  });
}

// The longest forced win, played out by both sides from the table alone.
TEST(FanoronaTable, TheLongestWinTakesElevenPlies) {
  const Fanorona game;
  State state;
  for_all_states([&](StateIndex i, const State& candidate) {
    if (fanorona_table().value_at(i).plies == 11) state = candidate;
  });
  int plies = 0;
  for (; game.outcome(state) == games::Outcome::ongoing; ++plies) {
    game.play(state, fanorona_table().best_moves(state).front());
  }
  EXPECT_EQ(plies, 11);
}

}  // namespace
}  // namespace damier::exact
