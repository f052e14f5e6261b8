// The games that ship with Damier: the one list of them. The build finds a game's sources in the
// folders of its name, its class in FOLDER/FOLDER.h, and reads this list, too.
#pragma once

#include "damier/games/bremen/bremen.h"
#include "damier/games/chess/chess.h"
#include "damier/games/connect_four/connect_four.h"
#include "damier/games/domineering/domineering.h"
#include "damier/games/fanorona/fanorona.h"
#include "damier/games/minesweeper/minesweeper.h"

namespace damier::games {

template <class... G>
struct GameList {};

using BuiltinGames = GameList<fanorona::Fanorona, bremen::Bremen, minesweeper::Minesweeper,
                              chess::Chess, domineering::Domineering, connect_four::ConnectFour>;

// Calls use.template operator()<G>() for each of them.
template <class... G>
void for_each_game(GameList<G...>, const auto& use) {
  (use.template operator()<G>(), ...);
}

}  // namespace damier::games
