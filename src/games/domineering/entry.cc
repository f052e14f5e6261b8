// Domineering behind the type-erased layer.

#include "damier/games/any_game_impl.h"
#include "damier/games/domineering/domineering.h"

namespace damier::games {

template GameEntry game_entry<domineering::Domineering>();

}  // namespace damier::games
