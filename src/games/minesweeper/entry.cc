// Minesweeper behind the type-erased layer.

#include "damier/games/any_game_impl.h"
#include "damier/games/minesweeper/minesweeper.h"

namespace damier::games {

template GameEntry game_entry<minesweeper::Minesweeper>();

}  // namespace damier::games
