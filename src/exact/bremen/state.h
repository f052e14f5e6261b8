// A state of Brême after the draft as the side to move sees it, and its number among all states.
//
// Two animals of one order never share a square, so a state is one pair of different squares (own,
// enemy) for every order, and a duty. Left and right are alike: the mirror brings the mover's
// donkey to the left half. States with the donkey on the middle column keep two numbers, one for
// either image, because their mirror image has its donkey there too.
#pragma once

#include <cstdint>

#include "damier/exact/bremen/board.h"

namespace damier::exact::bremen {

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

// The numbers of the free states, and of the states of each duty.
//
// The pairs of a free state are its digits, the donkeys' first. An animal with a duty stands on the
// enemy's home row with an enemy, so the lowest enemy there (its partner) needs no square of its
// own: the states of a duty are numbered partner by partner, and they are few. The last digit's
// range is rounded up to whole words of a bit set: some numbers are no states.
template <class B>
struct Numbering {
  using Number = std::uint64_t;

  static constexpr int kWordBits = 32;
  static constexpr int kPlanes = B::kAnimals + 1;  // one a duty, and the free states

  DAMIER_HOST_DEVICE static constexpr Number count(int duty) {
    if (duty == kFree) return count(kFree, kNobody);
    Number sum = 0;
    for (int i = 0; i < B::kAnimals; ++i) sum += i == duty ? 0 : count(duty, i);
    return sum;
  }

  // The state's duty must be one that its squares allow.
  DAMIER_HOST_DEVICE static Number number_of(const State<B>& state) {
    return state.own[0] % B::kColumns < kLeftColumns ? as_it_stands(state)
                                                     : as_it_stands(mirrored(state));
  }

  // Nonsense where the number is no state's.
  DAMIER_HOST_DEVICE static State<B> state_at(Number number, int duty) {
    if (duty == kFree) return state_at(number, kFree, kNobody);
    int partner = duty == 0 ? 1 : 0;
    while (number >= count(duty, partner)) {
      number -= count(duty, partner);
      partner += partner + 1 == duty ? 2 : 1;
    }
    return state_at(number, duty, partner);
  }

  DAMIER_HOST_DEVICE static bool is_state(Number number, int duty) {
    const State<B> state = state_at(number, duty);
    for (int i = 0; i < B::kAnimals; ++i) {
      const bool on_board = state.own[i] < B::kSquares && state.enemy[i] < B::kSquares;
      if (!on_board || state.own[i] == state.enemy[i]) return false;
    }
    return duty == kFree || (state.own[duty] < B::kColumns && number_of(state) == number);
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
  static constexpr int kFree = State<B>::kFree;
  static constexpr int kNobody = -1;
  static constexpr int kLeftColumns = (B::kColumns + 1) / 2;
  static constexpr int kOthers = B::kSquares - 1;  // enemy squares for one own square

  // Own squares of an animal, the donkey's in the left half.
  DAMIER_HOST_DEVICE static constexpr int own_squares(int animal, int duty) {
    return (animal == duty ? 1 : B::kRows) * (animal == 0 ? kLeftColumns : B::kColumns);
  }

  DAMIER_HOST_DEVICE static constexpr Number range(int animal, int duty, int partner) {
    const int values = own_squares(animal, duty) * (animal == partner ? 1 : kOthers);
    const bool last = animal == B::kAnimals - 1;
    return static_cast<Number>(last ? (values + kWordBits - 1) / kWordBits * kWordBits : values);
  }

  DAMIER_HOST_DEVICE static constexpr Number count(int duty, int partner) {
    Number product = 1;
    for (int i = 0; i < B::kAnimals; ++i) product *= range(i, duty, partner);
    return product;
  }

  DAMIER_HOST_DEVICE static Number as_it_stands(const State<B>& state) {
    if (state.duty == kFree) return as_it_stands(state, kFree, kNobody);
    Number before = 0;
    int partner = state.duty == 0 ? 1 : 0;
    while (state.enemy[partner] != state.own[state.duty]) {
      before += count(state.duty, partner);
      partner += partner + 1 == state.duty ? 2 : 1;
    }
    return before + as_it_stands(state, state.duty, partner);
  }

  DAMIER_HOST_DEVICE static Number as_it_stands(const State<B>& state, int duty, int partner) {
    Number number = 0;
    for (int i = 0; i < B::kAnimals; ++i) {
      const int own = state.own[i];
      const int first = i == 0 ? own / B::kColumns * kLeftColumns + own % B::kColumns : own;
      const int second = state.enemy[i] - (state.enemy[i] > own ? 1 : 0);
      const int digit = i == partner ? first : first * kOthers + second;
      number = number * range(i, duty, partner) + static_cast<Number>(digit);
    }
    return number;
  }

  DAMIER_HOST_DEVICE static State<B> state_at(Number number, int duty, int partner) {
    State<B> state;
    state.duty = duty;
    for (int i = B::kAnimals - 1; i >= 0; --i) {
      const Number base = range(i, duty, partner);
      const int digit = static_cast<int>(number % base);
      number /= base;
      const int first = i == partner ? digit : digit / kOthers, second = digit % kOthers;
      state.own[i] = i == 0 ? first / kLeftColumns * B::kColumns + first % kLeftColumns : first;
      state.enemy[i] = second + (second >= state.own[i] ? 1 : 0);
    }
    if (partner != kNobody) state.enemy[partner] = state.own[duty];
    return state;
  }
};

}  // namespace damier::exact::bremen
