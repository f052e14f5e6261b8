// The games that ship with Damier: the one list of them.
#pragma once

#include "damier/games/bremen/bremen.h"
#include "damier/games/chess/chess.h"
#include "damier/games/domineering/domineering.h"
#include "damier/games/fanorona/fanorona.h"
#include "damier/games/minesweeper/minesweeper.h"

namespace damier::games {

template <class AnyRegistry>
void add_builtin_games(AnyRegistry& registry) {
  registry.template add<fanorona::Fanorona>();
  registry.template add<bremen::Bremen>();
  registry.template add<minesweeper::Minesweeper>();
  registry.template add<chess::Chess>();
  registry.template add<domineering::Domineering>();
}

}  // namespace damier::games
