// Chess behind the type-erased layer.

#include "damier/games/any_game_impl.h"
#include "damier/games/chess/chess.h"

namespace damier::games {

template GameEntry game_entry<chess::Chess>();

}  // namespace damier::games
