// damier with one more game: every command knows it.

#include "hexapawn.h"

#include "damier/app/app.h"
#include "damier/learn/add_game.h"

int main(int argc, char** argv) {
  auto games = damier::learn::builtin_games();
  games.add<hexapawn::Hexapawn>();
  return damier::app::run(games, argc, argv);
}
