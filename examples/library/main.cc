// The library in a few lines: rules as values, perft, and a million random games.

#include <cstdio>

#include "damier/games/bremen/bremen.h"
#include "damier/games/domineering/domineering.h"
#include "damier/games/perft.h"

using namespace damier::games;

int main() {
  // A game is an object, a state is a small value, a parser gives a value or an error.
  const bremen::Bremen bremen({.rooster_wins = false});
  const auto state = bremen.parse_position("a1b1c1d1/a5b5c5d5 b");
  if (!state) return std::puts(state.error().text().c_str()), 2;
  std::printf("%llu sequences of five moves\n",
              static_cast<unsigned long long>(perft(bremen, *state, 5)));

  // Looking ahead is playing on a copy.
  for (const auto move : bremen.legal_moves(*state)) {
    auto next = *state;
    bremen.play(next, move);
    if (bremen.outcome(next) != Outcome::ongoing) std::puts("a move that ends the game");
  }

  // All chance comes from named streams of one seed.
  const domineering::Domineering domineering(8, 8);
  const auto tally =
      domineering::random_playouts(domineering, domineering.initial(), 1'000'000, damier::Seed{1});
  std::printf("%llu random games of domineering: Vertical wins %.2f %%\n",
              static_cast<unsigned long long>(tally.games),
              100.0 * static_cast<double>(tally.first_wins) / static_cast<double>(tally.games));
}
