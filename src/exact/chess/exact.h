// Chess is too large to be solved.
#pragma once

#include "damier/exact/exact.h"
#include "damier/games/chess/chess.h"

namespace damier::exact {

template <>
class Exact<games::chess::Chess> {};

}  // namespace damier::exact
