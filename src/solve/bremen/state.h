// A state of Brême after the draft as the side to move sees it, and its number among all states.
//
// Two animals of one order never share a square, so a state is one pair of different squares (own,
// enemy) for every order, and a duty. Left and right are alike: the mirror brings the mover's
// donkey to the left half. States with the donkey on the middle column keep two numbers, one for
// either image, because their mirror image has its donkey there too.
#pragma once

#include <cstdint>

#include "damier/solve/bremen/board.h"

namespace damier::solve::bremen {

template <class B>
struct State {
  static constexpr int kFree = B::kAnimals;

  int own[B::kAnimals] = {};  // squares by the order of the animal
  int enemy[B::kAnimals] = {};
  int duty = kFree;  // the own animal that must retreat on this ply, or kFree

  bool operator==(const State&) const = default;
};

template <class B>
DAMIER_HOST_DEVICE State<B> mirrored(const State<B>& state) {
  State<B> image;
  image.duty = state.duty;
  for (int i = 0; i < B::kAnimals; ++i) {
    image.own[i] = state.own[i] + B::kColumns - 1 - 2 * (state.own[i] % B::kColumns);
    image.enemy[i] = state.enemy[i] + B::kColumns - 1 - 2 * (state.enemy[i] % B::kColumns);
  }
  return image;
}

// The same animals as the other side sees them, the board turned by 180 degrees; the duty stays.
template <class B>
DAMIER_HOST_DEVICE State<B> turned(const State<B>& state) {
  State<B> image;
  image.duty = state.duty;
  for (int i = 0; i < B::kAnimals; ++i) {
    image.own[i] = B::kSquares - 1 - state.enemy[i];
    image.enemy[i] = B::kSquares - 1 - state.own[i];
  }
  return image;
}

// Numbers of the squares; the duty says on which plane. The pairs are digits, the donkeys' first,
// and the last digit's range is rounded up to whole words of a bit set: some numbers are no states.
template <class B>
struct Numbering {
  using Number = std::uint64_t;

  static constexpr int kWordBits = 32;
  static constexpr int kLeftColumns = (B::kColumns + 1) / 2;
  static constexpr int kOthers = B::kSquares - 1;  // enemy squares for one own square
  static constexpr int kPairs = B::kSquares * kOthers;
  static constexpr int kDonkeyPairs = B::kRows * kLeftColumns * kOthers;
  static constexpr int kLastRange = (kPairs + kWordBits - 1) / kWordBits * kWordBits;
  static constexpr int kPlanes = B::kAnimals + 1;  // one a duty, and the free states

  DAMIER_HOST_DEVICE static constexpr int range(int animal) {
    return animal == 0 ? kDonkeyPairs : animal == B::kAnimals - 1 ? kLastRange : kPairs;
  }

  DAMIER_HOST_DEVICE static constexpr Number count() {
    Number product = 1;
    for (int i = 0; i < B::kAnimals; ++i) product *= static_cast<Number>(range(i));
    return product;
  }

  DAMIER_HOST_DEVICE static constexpr bool is_state(Number number) {
    return number % kLastRange < kPairs;
  }

  DAMIER_HOST_DEVICE static Number number_of(const State<B>& state) {
    return state.own[0] % B::kColumns < kLeftColumns ? as_it_stands(state)
                                                     : as_it_stands(mirrored(state));
  }

  DAMIER_HOST_DEVICE static State<B> state_at(Number number, int duty) {
    State<B> state;
    state.duty = duty;
    for (int i = B::kAnimals - 1; i >= 0; --i) {
      const int pair = static_cast<int>(number % static_cast<Number>(range(i)));
      number /= static_cast<Number>(range(i));
      const int first = pair / kOthers, second = pair % kOthers;
      state.own[i] = i == 0 ? first / kLeftColumns * B::kColumns + first % kLeftColumns : first;
      state.enemy[i] = second + (second >= state.own[i] ? 1 : 0);
    }
    return state;
  }

  // All numbers of the state and its mirror image: one, or two with the donkey in the middle.
  template <class Visit>
  DAMIER_HOST_DEVICE static void for_each_number(const State<B>& state, Visit visit) {
    visit(number_of(state));
    if (B::kColumns % 2 == 1 && state.own[0] % B::kColumns == B::kColumns / 2) {
      visit(number_of(mirrored(state)));
    }
  }

 private:
  DAMIER_HOST_DEVICE static Number as_it_stands(const State<B>& state) {
    Number number = 0;
    for (int i = 0; i < B::kAnimals; ++i) {
      const int own = state.own[i];
      const int first = i == 0 ? own / B::kColumns * kLeftColumns + own % B::kColumns : own;
      const int pair = first * kOthers + state.enemy[i] - (state.enemy[i] > own ? 1 : 0);
      number = number * static_cast<Number>(range(i)) + static_cast<Number>(pair);
    }
    return number;
  }
};

}  // namespace damier::solve::bremen
