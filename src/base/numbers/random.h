// Named random streams. A stream is fixed by a seed, a name and an index, so work item 17 draws the
// same numbers whichever thread does it, and a new use of randomness does not disturb an old one.
//
// The generator is xoshiro256++ (Blackman and Vigna, 2019), seeded by splitmix64. The standard
// library's distributions differ between implementations, so the draws below are our own.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

namespace damier {

enum class Seed : std::uint64_t {};

constexpr std::uint64_t value_of(Seed seed) { return static_cast<std::uint64_t>(seed); }

// A seed that differs from run to run, for users who gave none.
Seed fresh_seed();

// splitmix64's finaliser: a bijection of 64 bits that mixes them well. Also the games' hash.
[[gnu::always_inline]] constexpr inline std::uint64_t mix64(std::uint64_t x) {
  x ^= x >> 30;
  x *= 0xBF58476D1CE4E5B9u;
  x ^= x >> 27;
  x *= 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

class RandomStream {
 public:
  using result_type = std::uint64_t;
  using State = std::array<std::uint64_t, 4>;

  RandomStream(Seed seed, std::string_view name, std::uint64_t index = 0);

  // Goes on where a stream with that state() was; not all zero.
  explicit RandomStream(const State& state) : state_(state) {}

  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return ~result_type{0}; }

  // The next 64 random bits.
  result_type operator()() {
    const std::uint64_t result = rotate(state_[0] + state_[3], 23) + state_[0];
    const std::uint64_t t = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= t;
    state_[3] = rotate(state_[3], 45);
    return result;
  }

  // Uniform in [0, bound), without bias (Lemire's method); bound > 0.
  std::uint64_t below(std::uint64_t bound) {
    Product product = multiply((*this)(), bound);
    if (product.low < bound) {
      const std::uint64_t threshold = (0 - bound) % bound;
      while (product.low < threshold) product = multiply((*this)(), bound);
    }
    return product.high;
  }

  // Uniform in [0, 1), a multiple of 2^-53.
  double uniform() { return static_cast<double>((*this)() >> 11) * 0x1p-53; }

  template <class T>
  void shuffle(std::span<T> items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }

  // The generator's words: to store a stream, or to run several side by side in a kernel.
  const State& state() const { return state_; }

 private:
  struct Product {
    std::uint64_t high;
    std::uint64_t low;
  };

  static Product multiply(std::uint64_t a, std::uint64_t b) {
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(a) * b;
    return {static_cast<std::uint64_t>(product >> 64), static_cast<std::uint64_t>(product)};
  }

  static std::uint64_t rotate(std::uint64_t x, int bits) {
    return (x << bits) | (x >> (64 - bits));
  }

  State state_;
};

}  // namespace damier
