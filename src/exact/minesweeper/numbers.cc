// Binomial coefficients in every kind of number.

#include <algorithm>
#include <cassert>
#include <type_traits>

#include "damier/exact/minesweeper/natural.h"

namespace damier::exact::minesweeper {

template <class Number>
void BinomialRow<Number>::fill(int n, int most) {
  assert(n >= 0);
  values_.assign(1, Number(1.0));
  for (int k = 0; k < most; ++k) {
    const int factor = std::max(0, n - k);
    if constexpr (std::is_same_v<Number, Natural>) {
      Number next = values_.back() * Number(static_cast<double>(factor));
      next /= k + 1;
      values_.push_back(std::move(next));
    } else {
      values_.push_back(values_.back() * Number(static_cast<double>(factor) / (k + 1)));
    }
  }
}

template class BinomialRow<double>;
template class BinomialRow<Wide>;
template class BinomialRow<Natural>;

}  // namespace damier::exact::minesweeper
