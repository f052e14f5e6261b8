// How networks read Domineering. Beside the board's own features, "mover" lets one network play
// every board of up to 8x8 cells (frame.h); its moves are the 64 cells of the frame.
#pragma once

#include "damier/games/domineering/domineering.h"
#include "damier/model/encoder.h"

namespace damier::model {

template <>
std::vector<EncoderKind<games::domineering::Domineering>> encoder_kinds();

}  // namespace damier::model
