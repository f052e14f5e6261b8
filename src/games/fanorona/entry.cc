// Fanorona behind the type-erased layer.

#include "damier/games/any_game_impl.h"
#include "damier/games/fanorona/fanorona.h"

namespace damier::games {

template GameEntry game_entry<fanorona::Fanorona>();

}  // namespace damier::games
