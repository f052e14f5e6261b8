// Numbers for counting arrangements of bombs: plain doubles do for most boards; `Wide` has the
// precision of a double and practically no largest value; `Natural` (natural.h) is exact.
//
// Counts are only added and multiplied, never subtracted, so every result is as precise as its
// numbers, and a count is zero only if it is zero exactly.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

namespace damier::exact::minesweeper {

// mantissa * 2^(kBlock * exponent), not negative. The mantissa stays in [2^-256, 2^256).
class Wide {
 public:
  Wide() = default;
  explicit Wide(double value) : mantissa_(value) { normalise(); }

  bool is_zero() const { return mantissa_ == 0; }
  Wide& operator+=(const Wide& other) {
    if (other.is_zero()) return *this;
    if (is_zero()) return *this = other;
    if (exponent_ == other.exponent_) {
      mantissa_ += other.mantissa_;
    } else if (exponent_ == other.exponent_ + 1) {
      mantissa_ += other.mantissa_ * kDown;
    } else if (exponent_ + 1 == other.exponent_) {
      mantissa_ = mantissa_ * kDown + other.mantissa_;
      exponent_ = other.exponent_;
    } else if (exponent_ < other.exponent_) {
      *this = other;
    }
    normalise();
    return *this;
  }
  friend Wide operator*(const Wide& a, const Wide& b) {
    Wide product;
    product.mantissa_ = a.mantissa_ * b.mantissa_;
    product.exponent_ = a.exponent_ + b.exponent_;
    product.normalise();
    return product;
  }
  // a / b; b must not be zero. The quotient of two counts fits a double wherever it is used.
  friend double ratio(const Wide& a, const Wide& b) {
    const std::int64_t blocks = a.exponent_ - b.exponent_;
    if (a.is_zero() || blocks < -2) return 0;
    return std::ldexp(a.mantissa_ / b.mantissa_, static_cast<int>(blocks) * kBlock);
  }
  friend double log2_of(const Wide& a) {
    return std::log2(a.mantissa_) + static_cast<double>(a.exponent_) * kBlock;
  }

 private:
  static constexpr int kBlock = 512;
  static constexpr double kUp = 0x1p512, kDown = 0x1p-512;

  void normalise() {
    if (mantissa_ >= 0x1p256) {
      mantissa_ *= kDown;
      ++exponent_;
    } else if (mantissa_ < 0x1p-256 && mantissa_ != 0) {
      mantissa_ *= kUp;
      --exponent_;
    }
  }

  double mantissa_ = 0;
  std::int64_t exponent_ = 0;
};

inline double ratio(double a, double b) { return a / b; }
inline double log2_of(double a) { return std::log2(a); }
// Of whole numbers that doubles can hold.
template <class Number>
requires std::numeric_limits<Number>::is_integer double ratio(const Number& a, const Number& b) {
  return static_cast<double>(a) / static_cast<double>(b);
}
template <class Number>
bool is_zero(const Number& a) {
  if constexpr (requires { a.is_zero(); }) {
    return a.is_zero();
  } else {
    return a == 0;
  }
}

}  // namespace damier::exact::minesweeper
