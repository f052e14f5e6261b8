#include "damier/exact/bremen/moves.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "damier/base/numbers/random.h"
#include "damier/games/bremen/bremen.h"

namespace damier::exact::bremen {
namespace {

using games::Side;
using games::bremen::Bremen;
using GameState = games::bremen::State;
using FullState = State<FullBoard>;
using FullNumbering = Numbering<FullBoard>;

const Geometry<FullBoard> kFull;

// The game's own state as its side to move sees it.
FullState seen_by_mover(const GameState& state) {
  FullState seen;
  for (std::size_t i = 0; i < games::bremen::kAnimals; ++i) {
    seen.own[i] = state.squares[0][i];
    seen.enemy[i] = state.squares[1][i];
  }
  if (state.side == Side::second) seen = turned(seen);
  seen.duty = state.duty;
  return seen;
}

// Calls visit(state) for the positions after the draft of some random games.
template <class Visit>
void for_each_position_of_play(std::uint64_t games, Visit visit) {
  const Bremen game({false, false, 0});
  for (std::uint64_t number = 0; number < games; ++number) {
    RandomStream random(Seed{18}, "bremen-moves", number);
    GameState state = game.initial();
    for (int ply = 0; ply < 200; ++ply) {
      if (!game.is_drafting(state)) visit(game, state);
      const auto moves = game.legal_moves(state);
      if (moves.empty()) break;
      game.play(state, moves[random.below(moves.size())]);
    }
  }
}

template <class B>
std::vector<Move> moves_of(const Geometry<B>& geometry, const State<B>& state) {
  std::vector<Move> moves;
  for_each_move(geometry, state, [&](Move move) {
    moves.push_back(move);
    return true;
  });
  return moves;
}

TEST(BremenMoves, AreThoseOfTheGameWithTheSameDuties) {
  int duties = 0, finished = 0;
  for_each_position_of_play(40, [&](const Bremen& game, const GameState& state) {
    const FullState seen = seen_by_mover(state);
    const bool red = state.side == Side::second;
    ASSERT_TRUE(can_have_duty(seen, seen.duty)) << game.position_text(state);
    std::set<std::pair<int, int>> expected, found;
    for (const auto move : game.legal_moves(state)) {
      const int square = square_of(move);
      expected.emplace(animal_of(move), red ? FullBoard::kSquares - 1 - square : square);
    }
    for (const Move move : moves_of(kFull, seen)) {
      ASSERT_TRUE(found.emplace(move.animal, move.to).second);
      GameState next = state;
      game.play(next, games::bremen::play_move(move.animal,
                                               red ? FullBoard::kSquares - 1 - move.to : move.to));
      ASSERT_EQ(after(seen, move), seen_by_mover(next)) << game.position_text(state);
      const bool over = is_finished(kFull, after(seen, move));
      ASSERT_EQ(over, game.outcome(next) != games::Outcome::ongoing) << game.position_text(next);
      finished += over;
    }
    ASSERT_EQ(found, expected) << game.position_text(state);
    duties += seen.duty != FullState::kFree;
  });
  EXPECT_GT(duties, 100);
  EXPECT_GT(finished, 10);
}

std::uint64_t leaves(const FullState& state, int depth) {
  if (depth == 0) return 1;
  std::uint64_t count = 0;
  for_each_move(kFull, state, [&](Move move) {
    count += leaves(after(state, move), depth - 1);
    return true;
  });
  return count;
}

TEST(BremenMoves, PerftOfTheFullBoard) {
  const FullState start{{20, 21, 22, 23}, {0, 1, 2, 3}};
  const std::array<std::uint64_t, 5> expected = {1, 20, 370, 7371, 142774};
  for (std::size_t depth = 0; depth < expected.size(); ++depth) {
    EXPECT_EQ(leaves(start, static_cast<int>(depth)), expected[depth]) << depth;
  }
}

// How often taking `move` back from its result gives `state`.
template <class B>
int times_taken_back(const Geometry<B>& geometry, const State<B>& state, Move move) {
  int times = 0;
  for_each_parent(geometry, after(state, move), [&](const State<B>& parent, Move last) {
    times += parent == state && last == move;
  });
  return times;
}

TEST(BremenMoves, AreTakenBackToWhereTheyCameFrom) {
  for_each_position_of_play(8, [&](const Bremen& game, const GameState& position) {
    const FullState state = seen_by_mover(position);
    for (const Move move : moves_of(kFull, state)) {
      ASSERT_EQ(times_taken_back(kFull, state, move), 1) << game.position_text(position);
    }
    for_each_parent(kFull, state, [&](const FullState& parent, Move last) {
      const auto moves = moves_of(kFull, parent);
      EXPECT_TRUE(can_have_duty(parent, parent.duty));
      EXPECT_EQ(std::count(moves.begin(), moves.end(), last), 1) << game.position_text(position);
      EXPECT_EQ(after(parent, last), state) << game.position_text(position);
    });
  });
}

// All states of a board, also those that play cannot reach: every move is taken back once, and
// there are as many ways back as moves, so none is added.
template <class B>
void expect_the_ways_back() {
  using Order = Numbering<B>;
  const Geometry<B> geometry;
  std::uint64_t forwards = 0, backwards = 0;
  for (int duty = 0; duty < Order::kPlanes; ++duty) {
    for (std::uint64_t number = 0; number < Order::count(duty); ++number) {
      if (!Order::is_state(number, duty)) continue;
      const State<B> state = Order::state_at(number, duty);
      if (!can_have_duty(state, duty)) continue;
      // A number stands for the state and its mirror image, unless each has its own.
      std::uint64_t numbers = 0;
      Order::for_each_number(state, [&](std::uint64_t) { ++numbers; });
      const std::uint64_t images = numbers == 2 ? 1 : 2;
      for (const Move move : moves_of(geometry, state)) {
        ASSERT_EQ(times_taken_back(geometry, state, move), 1) << number;
        forwards += images;
      }
      for_each_parent(geometry, state, [&](const State<B>&, Move) { backwards += images; });
    }
  }
  EXPECT_GT(forwards, 0u);
  EXPECT_EQ(forwards, backwards);
}

TEST(BremenMoves, EveryMoveOfASmallBoardHasItsParent) {
  expect_the_ways_back<Board<3, 3, 2>>();
  expect_the_ways_back<Board<3, 4, 2>>();
  expect_the_ways_back<Board<4, 3, 2>>();
}

template <class B>
void expect_numbers_back() {
  using Order = Numbering<B>;
  for (int duty = 0; duty < Order::kPlanes; ++duty) {
    for (std::uint64_t number = 0; number < Order::count(duty); ++number) {
      if (!Order::is_state(number, duty)) continue;
      const State<B> state = Order::state_at(number, duty);
      ASSERT_EQ(Order::number_of(state), number);
      ASSERT_TRUE(duty == State<B>::kFree || state.own[duty] < B::kColumns) << number;
      int numbers = 0;
      Order::for_each_number(mirrored(state), [&](std::uint64_t image) {
        const State<B> back = Order::state_at(image, duty);
        ASSERT_TRUE(back == state || back == mirrored(state)) << number;
        ++numbers;
      });
      ASSERT_EQ(numbers, 2 * (state.own[0] % B::kColumns) + 1 == B::kColumns ? 2 : 1) << number;
    }
  }
}

TEST(BremenNumbering, EveryNumberOfASmallBoardComesBack) {
  expect_numbers_back<Board<3, 3, 2>>();
  expect_numbers_back<Board<3, 4, 2>>();
  expect_numbers_back<Board<4, 3, 2>>();
  expect_numbers_back<Board<4, 4, 2>>();
}

TEST(BremenNumbering, NumbersOfTheFullBoardComeBack) {
  EXPECT_EQ(FullNumbering::count(FullState::kFree), 360ull * 600 * 600 * 608);
  // The donkey's duty with each of the others, then the rooster's.
  EXPECT_EQ(FullNumbering::count(0), 72ull * 25 * 600 * 608 * 2 + 72ull * 600 * 600 * 32);
  EXPECT_EQ(FullNumbering::count(3), (15ull * 600 * 600 + 2 * 360ull * 25 * 600) * 128);
  RandomStream random(Seed{18}, "bremen-numbers");
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t number = random.below(FullNumbering::count(FullState::kFree));
    if (!FullNumbering::is_state(number, FullState::kFree)) continue;
    const FullState state = FullNumbering::state_at(number, FullState::kFree);
    ASSERT_EQ(FullNumbering::number_of(state), number);
    for (int animal = 0; animal < FullBoard::kAnimals; ++animal) {
      ASSERT_NE(state.own[animal], state.enemy[animal]);
    }
  }
  for_each_position_of_play(8, [&](const Bremen& game, const GameState& position) {
    const FullState state = seen_by_mover(position);
    const FullState back = FullNumbering::state_at(FullNumbering::number_of(state), state.duty);
    ASSERT_TRUE(back == state || back == mirrored(state)) << game.position_text(position);
  });
}

}  // namespace
}  // namespace damier::exact::bremen
