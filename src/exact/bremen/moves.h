// The moves of a state of Brême, forwards and taken back, with the duty to retreat; and what the
// passes of the retrograde solution ask of one state, from what is known so far.
//
// Planes of bits say which states are won or lost for the side to move. Odd passes add wins and
// read losses, even passes add losses and read wins, so a pass may write while it reads, in any
// order and from many threads, and its number is the distance to the end in plies.
#pragma once

#include "damier/exact/bremen/state.h"

namespace damier::exact::bremen {

struct Move {
  int animal = 0;
  int to = 0;

  bool operator==(const Move&) const = default;
};

// Where animals of each order or above stand: an animal lands exactly where none of its order or
// above does.
template <class B>
struct Stacks {
  SquareSet at_least[B::kAnimals] = {};
  SquareSet complete = ~SquareSet{0};  // stacks of all kinds

  DAMIER_HOST_DEVICE explicit Stacks(const State<B>& state) {
    SquareSet any = 0;
    for (int i = B::kAnimals - 1; i >= 0; --i) {
      const SquareSet here = square_bit(state.own[i]) | square_bit(state.enemy[i]);
      complete &= here;
      any |= here;
      at_least[i] = any;
    }
  }

  DAMIER_HOST_DEVICE SquareSet occupied() const { return at_least[0]; }
};

// Where the animal on `from` may go, or may have come from: what it carried there stands above it
// still, and all that it left behind is lower than itself.
template <class B>
DAMIER_HOST_DEVICE SquareSet targets(const Geometry<B>& geometry, const Stacks<B>& stacks,
                                     int animal, int from) {
  return reach(geometry, animal, from, stacks.occupied()) & ~stacks.at_least[animal];
}

// Moves an own animal with all that stand above it, of either side; no duty stays or arises.
template <class B>
DAMIER_HOST_DEVICE State<B> carried(const State<B>& state, int animal, int to) {
  State<B> next = state;
  next.duty = State<B>::kFree;
  const int from = state.own[animal];
  next.own[animal] = to;
  for (int i = animal + 1; i < B::kAnimals; ++i) {
    if (state.own[i] == from) next.own[i] = to;
    if (state.enemy[i] == from) next.enemy[i] = to;
  }
  return next;
}

// The enemy animal that must retreat after a move that ended on `to`: the lowest one there, when
// that is the mover's home row.
template <class B>
DAMIER_HOST_DEVICE int duty_after(const State<B>& state, int to) {
  if (to < B::kSquares - B::kColumns) return State<B>::kFree;
  int lowest = 0;
  while (lowest < B::kAnimals && state.enemy[lowest] != to) ++lowest;
  return lowest;
}

// Whether the squares allow the duty: the animal stands on the enemy's home row, with an enemy in
// its stack and no own animal below it.
template <class B>
DAMIER_HOST_DEVICE bool can_have_duty(const State<B>& state, int duty) {
  if (duty == State<B>::kFree) return true;
  const int square = state.own[duty];
  if (square >= B::kColumns) return false;
  bool has_enemy = false;
  for (int i = 0; i < B::kAnimals; ++i) {
    if (i < duty && state.own[i] == square) return false;
    has_enemy = has_enemy || state.enemy[i] == square;
  }
  return has_enemy;
}

// An animal that cannot retreat leaves its side free.
template <class B>
DAMIER_HOST_DEVICE bool is_bound(const Geometry<B>& geometry, const Stacks<B>& stacks,
                                 const State<B>& state) {
  return state.duty != State<B>::kFree &&
         targets(geometry, stacks, state.duty, state.own[state.duty]) != 0;
}

// What the opponent sees after the move.
template <class B>
DAMIER_HOST_DEVICE State<B> after(const State<B>& state, Move move) {
  State<B> next = carried(state, move.animal, move.to);
  next.duty = duty_after(next, move.to);
  return turned(next);
}

// Calls visit(move) for the legal moves until it returns false.
template <class B, class Visit>
DAMIER_HOST_DEVICE void for_each_move(const Geometry<B>& geometry, const State<B>& state,
                                      Visit visit) {
  const Stacks<B> stacks(state);
  if (stacks.complete != 0) return;
  const bool bound = is_bound(geometry, stacks, state);
  const int first = bound ? state.duty : 0, last = bound ? state.duty : B::kAnimals - 1;
  for (int animal = first; animal <= last; ++animal) {
    SquareSet squares = targets(geometry, stacks, animal, state.own[animal]);
    for (; squares != 0; squares &= squares - 1) {
      if (!visit(Move{animal, lowest_square(squares)})) return;
    }
  }
}

// The game is over, and the side to move has lost: the opponent has completed a stack, or there is
// no legal move.
template <class B>
DAMIER_HOST_DEVICE bool is_finished(const Geometry<B>& geometry, const State<B>& state) {
  bool finished = true;
  for_each_move(geometry, state, [&](Move) { return finished = false; });
  return finished;
}

// Calls visit(parent, move) for every state, free and with each duty, where `move` leads to
// `state`. States that play cannot reach are among them, as long as their duty is a possible one.
template <class B, class Visit>
DAMIER_HOST_DEVICE void for_each_parent(const Geometry<B>& geometry, const State<B>& state,
                                        Visit visit) {
  const State<B> moved = turned(state);  // as the side that has moved sees it
  const Stacks<B> stacks_now(moved);
  for (int animal = 0; animal < B::kAnimals; ++animal) {
    const Move move{animal, moved.own[animal]};
    if (duty_after(moved, move.to) != state.duty) continue;
    SquareSet sources = targets(geometry, stacks_now, animal, move.to);
    for (; sources != 0; sources &= sources - 1) {
      State<B> parent = carried(moved, animal, lowest_square(sources));
      const Stacks<B> stacks(parent);
      if (stacks.complete != 0) continue;  // no move was to be made there
      for (int duty = 0; duty <= State<B>::kFree; ++duty) {
        parent.duty = duty;
        const bool legal = duty == animal || !is_bound(geometry, stacks, parent);
        if (legal && can_have_duty(parent, duty)) visit(parent, move);
      }
    }
  }
}

// One plane a duty (the last for the free states), one bit a number. Owned by somebody else.
template <class B>
struct Planes {
  std::uint32_t* words[Numbering<B>::kPlanes] = {};

  DAMIER_HOST_DEVICE bool has(const State<B>& state) const {
    const std::uint64_t number = Numbering<B>::number_of(state);
    return words[state.duty][number / Numbering<B>::kWordBits] >>
               (number % Numbering<B>::kWordBits) &
           1u;
  }
};

// For an odd pass: some move leads to a state that the opponent has lost.
template <class B>
DAMIER_HOST_DEVICE bool is_won(const Geometry<B>& geometry, const Planes<B>& lost,
                               const State<B>& state) {
  bool found = false;
  for_each_move(geometry, state, [&](Move move) {
    found = lost.has(after(state, move));
    return !found;
  });
  return found;
}

// For an even pass: every move leads to a state that the opponent has won. So it is where there is
// no move at all, which pass 0 has found before.
template <class B>
DAMIER_HOST_DEVICE bool is_lost(const Geometry<B>& geometry, const Planes<B>& won,
                                const State<B>& state) {
  bool all = true;
  for_each_move(geometry, state, [&](Move move) { return all = won.has(after(state, move)); });
  return all;
}

// What a pass can find follows from what the pass before has found. For odd passes: calls
// visit(number, duty) for every state that a newly lost one makes a won one, also for those that
// were won before.
template <class B, class Visit>
DAMIER_HOST_DEVICE void for_each_winner(const Geometry<B>& geometry, const State<B>& newly_lost,
                                        Visit visit) {
  for_each_parent(geometry, newly_lost, [&](const State<B>& parent, Move) {
    Numbering<B>::for_each_number(parent,
                                  [&](std::uint64_t number) { visit(number, parent.duty); });
  });
}

// For even passes: the same for every open state that a newly won one leaves without a way out. It
// may come more than once.
template <class B, class Visit>
DAMIER_HOST_DEVICE void for_each_loser(const Geometry<B>& geometry, const Planes<B>& won,
                                       const Planes<B>& lost, const State<B>& newly_won,
                                       Visit visit) {
  for_each_parent(geometry, newly_won, [&](const State<B>& parent, Move) {
    if (won.has(parent) || lost.has(parent) || !is_lost(geometry, won, parent)) return;
    Numbering<B>::for_each_number(parent,
                                  [&](std::uint64_t number) { visit(number, parent.duty); });
  });
}

}  // namespace damier::exact::bremen
