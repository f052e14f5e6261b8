// Exact counts: whole numbers of any size. Apart from numbers.h, because the library behind them
// takes a compiler long.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>

#include "damier/exact/minesweeper/numbers.h"

namespace damier::exact::minesweeper {

using Natural = boost::multiprecision::number<boost::multiprecision::cpp_int_backend<>,
                                              boost::multiprecision::et_off>;

inline bool is_zero(const Natural& a) { return a.is_zero(); }

inline Wide wide(const Natural& number) {
  constexpr unsigned kBits = 32;
  Wide value;
  if (is_zero(number)) return value;
  for (unsigned part = msb(number) / kBits + 1; part-- > 0;) {
    value = value * Wide(0x1p32);
    value += Wide(
        static_cast<double>(static_cast<std::uint32_t>(number >> kBits * part & 0xFFFF'FFFFu)));
  }
  return value;
}
inline double ratio(const Natural& a, const Natural& b) { return ratio(wide(a), wide(b)); }

}  // namespace damier::exact::minesweeper
