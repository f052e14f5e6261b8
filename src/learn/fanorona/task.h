// Fanoron-telo as something to learn: every state with what the exact table, or a search, says.
// "Right" is asked of the table, whatever oracle made the labels.
#pragma once

#include "damier/games/fanorona/fanorona.h"
#include "damier/learn/game_task.h"

namespace damier::learn {

// Beside the columns of every game, without "position":
//   input     "flat" is (46), "planes" (6, 3, 3): one-hot planes of the contents -2, -1, 0, 1, 2
//             and a plane of the player, -1 or +1
//   policy    (18): departures then arrivals, each a distribution; a network may learn it instead
//             of "moves"
//   phase     how many pieces have moved
//   state     the state's number in exact::FanoronaIndexer
const GameTask<games::fanorona::Fanorona>& fanorona_task();

template <>
const GameTask<games::fanorona::Fanorona>& game_task();

}  // namespace damier::learn
