// What the passes of the retrograde solution of Brême ask of one state, from what is known so far.
//
// Planes of bits say which states are won or lost for the side to move. Odd passes add wins and
// read losses, even passes add losses and read wins, so a pass may write while it reads, in any
// order and from many threads, and its number is the distance to the end in plies.
#pragma once

#include <cstdint>

#include "damier/exact/bremen/moves.h"
#include "damier/exact/bremen/state.h"

namespace damier::exact::bremen {

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
