// Does not compile, and must say why: its list of moves is on the heap.

#include <vector>

#include "damier/games/chess/chess.h"
#include "damier/play/registry.h"

struct WrongGame : damier::games::chess::Chess {
  using MoveList = std::vector<Move>;
};

void add_wrong_game(damier::play::Registry& registry) { registry.add<WrongGame>(); }
