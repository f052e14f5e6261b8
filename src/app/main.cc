#include "damier/app/app.h"
#include "damier/games/registry.h"

int main(int argc, char** argv) {
  return damier::app::run(damier::games::builtin_games(), argc, argv);
}
