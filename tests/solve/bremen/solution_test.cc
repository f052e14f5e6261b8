#include "damier/solve/bremen/solution.h"

#include "tests/solve/bremen/plain.h"
#include <gtest/gtest.h>

namespace damier::solve::bremen {
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
  int differences = 0, longest = 0;
  plain.for_each_position([&](const PlainPosition& position, ExactValue value) {
    longest = std::max<int>(longest, value.distance);
    if (solution.value(state_of<B>(position)) == value || ++differences > 3) return;
    ADD_FAILURE() << text_of(position);
  });
  EXPECT_EQ(differences, 0);
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

TEST(SlowBremenSolution, AgreesWithPlainSweepsWithThreeAnimalsOnWiderBoards) {
  expect_plain_values<Board<3, 4, 3>>(95);
}

}  // namespace
}  // namespace damier::solve::bremen
