// Bremen behind the type-erased layer.

#include "damier/games/any_game_impl.h"
#include "damier/games/bremen/bremen.h"

namespace damier::games {

template GameEntry game_entry<bremen::Bremen>();

}  // namespace damier::games
