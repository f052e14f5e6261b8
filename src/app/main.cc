#include "damier/app/app.h"
#include "damier/arena/registry.h"

int main(int argc, char** argv) {
  return damier::app::run(damier::arena::builtin_games(), argc, argv);
}
