// Chess has too many positions to be listed: nobody need try.
#pragma once

#include "damier/exact/exact.h"
#include "damier/games/chess/chess.h"

namespace damier::exact {

template <>
class Exact<games::chess::Chess> : public NotSolved {};

}  // namespace damier::exact
