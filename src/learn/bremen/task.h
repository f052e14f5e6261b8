// Les Tacticiens de Brême as something to learn. Beside the board's own features, the encoder
// "phases" shows the draft and the play apart, for a network with a branch for each; "published"
// does it as the public code of the report does, with its mistakes, to show what they cost.
#pragma once

#include "damier/games/bremen/bremen.h"
#include "damier/learn/game_task.h"

namespace damier::learn {

// The inputs of "phases" (265): (9, 5, 5) as the game shows itself in play, zeros in the draft;
// then (4, 2, 5) as it shows the draft, zeros in play. Those of "published" (240) have no plane for
// the animal that must move. The outputs of both are the game's 120 actions: 100 of play, 20 of the
// draft; in "published" Red's are not turned, though Red sees the board turned.
template <>
const GameTask<games::bremen::Bremen>& game_task();

}  // namespace damier::learn
