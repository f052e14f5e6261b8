// Chess has too many positions to be listed: nobody need try.
#pragma once

#include "damier/games/chess/chess.h"
#include "damier/solve/exact.h"

namespace damier::solve {

template <>
class Exact<games::chess::Chess> : public NotSolved {};

}  // namespace damier::solve
