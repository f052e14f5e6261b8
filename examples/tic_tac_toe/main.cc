// damier with one more game: every command knows it.

#include "tic_tac_toe.h"

#include "damier/app/app.h"
#include "damier/learn/add_game.h"

int main(int argc, char** argv) {
  auto games = damier::learn::builtin_games();
  games.add<tic_tac_toe::TicTacToe>();
  return damier::app::run(games, argc, argv);
}
