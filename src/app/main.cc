#include "damier/app/app.h"
#include "damier/learn/registry.h"

int main(int argc, char** argv) {
  return damier::app::run(damier::learn::builtin_games(), argc, argv);
}
