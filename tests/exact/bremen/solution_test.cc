#include "damier/exact/bremen/solution.h"

#include "tests/exact/bremen/plain.h"
#include <gtest/gtest.h>

namespace damier::exact::bremen {
namespace {

template <class B>
State<B> state_of(const PlainPosition& position) {
  State<B> state;
  for (int square = 0; square < B::kSquares; ++square) {
    for (const char animal : position.stacks[static_cast<std::size_t>(square)]) {
      const std::size_t own = std::string_view("DGCR").find(animal);
      if (own != std::string_view::npos) {
        state.own[own] = square;
        if (position.duty == animal) state.duty = static_cast<int>(own);
      } else {
        state.enemy[std::string_view("dgcr").find(animal)] = square;
      }
    }
  }
  return state;
}

std::string text_of(const PlainPosition& position) {
  std::string text;
  for (const std::string& stack : position.stacks) text += '[' + stack + ']';
  return text + position.duty;
}

template <class B>
void expect_plain_values(int longest_distance) {
  const Solution<B> solution;
  const PlainSolution plain(B::kRows, B::kColumns, B::kAnimals);
  int differences = 0, longest = 0, positions = 0, allowed = 0;
  plain.for_each_position([&](const PlainPosition& position, const Known& value) {
    const State<B> state = state_of<B>(position);
    ++positions;
    for (int duty = 0; position.duty == ' ' && duty <= State<B>::kFree; ++duty) {
      allowed += can_have_duty(state, duty);
    }
    longest = std::max(longest, value.plies.value_or(0));
    const bool same = can_have_duty(state, state.duty) && solution.value(state) == value;
    if (!same && ++differences <= 3) ADD_FAILURE() << text_of(position);
  });
  EXPECT_EQ(differences, 0);
  EXPECT_EQ(allowed, positions);
  EXPECT_EQ(solution.longest_distance(), longest);
  EXPECT_EQ(longest, longest_distance);
}

TEST(BremenSolution, AgreesWithPlainSweepsWithTwoAnimals) {
  expect_plain_values<Board<3, 3, 2>>(5);
  expect_plain_values<Board<4, 3, 2>>(12);
  expect_plain_values<Board<3, 4, 2>>(12);
  expect_plain_values<Board<4, 4, 2>>(11);
}

TEST(BremenSolution, AgreesWithPlainSweepsWithThreeAnimals) {
  expect_plain_values<Board<3, 3, 3>>(74);
}

TEST(BremenSolution, AgreesWithPlainSweepsWithAllAnimalsOnTheSmallestBoard) {
  expect_plain_values<Board<2, 2, 4>>(7);
}

TEST(SlowBremenSolution, AgreesWithPlainSweepsOnLargerBoards) {
  expect_plain_values<Board<3, 4, 3>>(95);
  expect_plain_values<Board<2, 3, 4>>(49);
}

}  // namespace
}  // namespace damier::exact::bremen
