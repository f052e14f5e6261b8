// Fanoron-telo as something to learn: every state with what the exact table, or a search, says.
// "Right" is asked of the table, whatever teacher made the labels.
#pragma once

#include "damier/games/fanorona/fanorona.h"
#include "damier/learn/game_task.h"

namespace damier::learn {

// Beside the columns of every game, without "position":
//   policy    (18): departures then arrivals, each a distribution; a network may learn it instead
//             of "moves"
//   phase     how many pieces have moved
//   state     the state's number in exact::FanoronaIndexer
template <>
const GameTask<games::fanorona::Fanorona>& game_task();

inline const auto& fanorona_task() { return game_task<games::fanorona::Fanorona>(); }

}  // namespace damier::learn
