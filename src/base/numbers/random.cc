#include "damier/base/numbers/random.h"

#include <random>

namespace damier {

Seed fresh_seed() {
  // 32 bits are enough to differ, and short enough to be typed again.
  return Seed{std::random_device{}()};
}

RandomStream::RandomStream(Seed seed, std::string_view name, std::uint64_t index) {
  constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15u;
  std::uint64_t key = mix64(value_of(seed) + kGolden);
  for (const char c : name) key = mix64(key + kGolden + static_cast<unsigned char>(c));
  // The name's end is marked, so that ("ab", i) and ("a", j) cannot meet by plain concatenation.
  key = mix64(key ^ (0xD1B54A32D192ED03u + name.size()));
  key = mix64(key + mix64(index + kGolden));
  for (auto& word : state_) word = mix64(key += kGolden);
}

}  // namespace damier
