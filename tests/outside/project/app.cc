#include "damier/app/app.h"

int main(int argc, char** argv) {
  return damier::app::run(damier::learn::builtin_games(), argc, argv);
}
