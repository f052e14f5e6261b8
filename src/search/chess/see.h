// Static exchange evaluation: what a capture gains when both sides go on taking on its square, each
// time with the least piece, for as long as it pays.
#pragma once

#include "damier/search/chess/reach.h"

namespace damier::search::chess {

// By kind, in hundredths of a pawn; a king is never lost.
inline constexpr int kExchangeValues[games::chess::kKinds] = {100, 320, 330, 500, 950, 0};

// Whether the move gains at least `threshold`. Pins are not looked at.
bool exchange_gains(const Reach& reach, const games::chess::State& state, games::chess::Move move,
                    int threshold);

}  // namespace damier::search::chess
