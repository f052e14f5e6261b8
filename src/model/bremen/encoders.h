// How networks read Les Tacticiens de Brême. Beside the board's own features, "phases" shows the
// draft and the play apart, for a network with a branch for each; "published" does it as the public
// code of a report does, with its mistakes, to show what they cost.
//
// The inputs of "phases" (265): (9, 5, 5) as the game shows itself in play, zeros in the draft;
// then (4, 2, 5) as it shows the draft, zeros in play. Those of "published" (240) have no plane for
// the animal that must move. The outputs of both are the game's 120 actions: 100 of play, 20 of the
// draft; in "published" Red's are not turned, though Red sees the board turned.
#pragma once

#include "damier/games/bremen/bremen.h"
#include "damier/model/encoder.h"

namespace damier::model {

template <>
std::vector<EncoderKind<games::bremen::Bremen>> encoder_kinds();

}  // namespace damier::model
