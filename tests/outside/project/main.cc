#include <cstdio>

#include "damier/games/fanorona/fanorona.h"
#include "damier/games/perft.h"
#include "damier/games/registry.h"

int main() {
  const damier::games::fanorona::Fanorona game;
  if (!damier::games::builtin_games().make("bremen")) return 1;
  std::printf("%llu\n", static_cast<unsigned long long>(perft(game, game.initial(), 6)));
}
