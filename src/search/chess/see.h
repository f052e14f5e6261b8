// Static exchange evaluation (SEE): what a capture gains when both sides go on taking on its
// square, each time with the least piece, for as long as it pays.
#pragma once

#include "damier/search/chess/attacks.h"

namespace damier::search::chess {

// By kind, in hundredths of a pawn; a king is never lost.
inline constexpr int kSeeValues[games::chess::kKinds] = {100, 320, 330, 500, 950, 0};

// Whether the move gains at least `threshold`. Pins are ignored.
bool see_ge(const Attacks& attacks, const games::chess::State& state, games::chess::Move move,
            int threshold);

}  // namespace damier::search::chess
