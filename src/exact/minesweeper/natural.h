// Exact counts: whole numbers of any size. Apart from numbers.h, because the library behind them
// takes a compiler long.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>

#include "damier/exact/minesweeper/numbers.h"

namespace damier::exact::minesweeper {

using Natural = boost::multiprecision::number<boost::multiprecision::cpp_int_backend<>,
                                              boost::multiprecision::et_off>;

}  // namespace damier::exact::minesweeper
