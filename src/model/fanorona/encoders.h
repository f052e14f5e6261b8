// How networks read Fanoron-telo: "flat" is (46); "planes" (6, 3, 3): one-hot planes of the
// contents -2, -1, 0, 1, 2 and a plane of the player, -1 or +1. A head "policy" of 18 may stand for
// the moves: departures, then arrivals, each a distribution.
#pragma once

#include "damier/games/fanorona/fanorona.h"
#include "damier/model/encoder.h"

namespace damier::model {

inline constexpr int kFanoronaPolicy = 2 * games::fanorona::kPoints;

template <>
std::vector<EncoderKind<games::fanorona::Fanorona>> encoder_kinds();

}  // namespace damier::model
