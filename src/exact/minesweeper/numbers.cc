// Whole numbers of any size, and binomial coefficients in every kind of number.

#include "damier/exact/minesweeper/numbers.h"

#include <algorithm>
#include <cassert>
#include <type_traits>

namespace damier::exact::minesweeper {

Natural::Natural(std::uint64_t value) {
  for (; value != 0; value >>= 32) limbs_.push_back(static_cast<std::uint32_t>(value));
}

Natural& Natural::operator+=(const Natural& other) {
  if (limbs_.size() < other.limbs_.size()) limbs_.resize(other.limbs_.size());
  std::uint64_t carry = 0;
  for (std::size_t i = 0; i < limbs_.size(); ++i) {
    carry += limbs_[i];
    if (i < other.limbs_.size()) carry += other.limbs_[i];
    limbs_[i] = static_cast<std::uint32_t>(carry);
    carry >>= 32;
  }
  if (carry != 0) limbs_.push_back(static_cast<std::uint32_t>(carry));
  return *this;
}

Natural operator*(const Natural& a, const Natural& b) {
  Natural product;
  if (a.is_zero() || b.is_zero()) return product;
  product.limbs_.assign(a.limbs_.size() + b.limbs_.size(), 0);
  for (std::size_t i = 0; i < a.limbs_.size(); ++i) {
    std::uint64_t carry = 0;
    for (std::size_t j = 0; j < b.limbs_.size(); ++j) {
      carry += std::uint64_t{a.limbs_[i]} * b.limbs_[j] + product.limbs_[i + j];
      product.limbs_[i + j] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    product.limbs_[i + b.limbs_.size()] = static_cast<std::uint32_t>(carry);
  }
  while (product.limbs_.back() == 0) product.limbs_.pop_back();
  return product;
}

std::uint32_t Natural::divide(std::uint32_t divisor) {
  std::uint64_t rest = 0;
  for (std::size_t i = limbs_.size(); i-- > 0;) {
    rest = rest << 32 | limbs_[i];
    limbs_[i] = static_cast<std::uint32_t>(rest / divisor);
    rest %= divisor;
  }
  while (!limbs_.empty() && limbs_.back() == 0) limbs_.pop_back();
  return static_cast<std::uint32_t>(rest);
}

std::string Natural::text() const {
  if (is_zero()) return "0";
  std::string digits;  // the last first
  for (Natural rest = *this; !rest.is_zero();) {
    std::uint32_t part = rest.divide(1'000'000'000);
    for (int i = 0; i < 9; ++i, part /= 10) digits.push_back(static_cast<char>('0' + part % 10));
  }
  while (digits.back() == '0') digits.pop_back();
  std::reverse(digits.begin(), digits.end());
  return digits;
}

Wide Natural::wide() const {
  Wide value;
  for (std::size_t i = limbs_.size(); i-- > 0;) {
    value = value * Wide(0x1p32);
    value += Wide(static_cast<double>(limbs_[i]));
  }
  return value;
}

template <class Number>
void BinomialRow<Number>::fill(int n, int most) {
  assert(n >= 0);
  values_.assign(1, Number(1.0));
  for (int k = 0; k < most; ++k) {
    const int factor = std::max(0, n - k);
    if constexpr (std::is_same_v<Number, Natural>) {
      Number next = values_.back() * Number(static_cast<double>(factor));
      next.divide(static_cast<std::uint32_t>(k + 1));
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
