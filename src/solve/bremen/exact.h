// Bremen has too many positions to be listed: nobody need try.
#pragma once

#include "damier/games/bremen/bremen.h"
#include "damier/solve/exact.h"

namespace damier::solve {

template <>
class Exact<games::bremen::Bremen> : public NotSolved {};

}  // namespace damier::solve
