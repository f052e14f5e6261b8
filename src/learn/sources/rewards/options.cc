#include "damier/learn/sources/rewards/options.h"

#include <algorithm>

namespace damier::learn {

std::size_t ReinforcementOptions::times_to_keep() const {
  const auto round = static_cast<std::size_t>(moves);
  if (method != ReinforcementMethod::q) return round + 1;
  const auto at_once = static_cast<std::uint64_t>(games);
  const auto least = std::max(round, static_cast<std::size_t>(look_ahead));
  return std::max(static_cast<std::size_t>((replay + at_once - 1) / at_once), least) + 1;
}

std::int64_t ReinforcementOptions::lessons_after(std::uint64_t moves_made, int batch) const {
  if (method == ReinforcementMethod::q) {
    const std::uint64_t first =
        std::max(begin, static_cast<std::uint64_t>(games) * static_cast<std::uint64_t>(look_ahead));
    if (moves_made <= first) return 0;
    return static_cast<std::int64_t>(reuse * static_cast<double>(moves_made - first) / batch);
  }
  const auto rounds = static_cast<std::int64_t>(moves_made / moves_of_round());
  if (method == ReinforcementMethod::a2c) return rounds;
  const auto size = static_cast<std::uint64_t>(batch);
  return rounds * passes * static_cast<std::int64_t>((moves_of_round() + size - 1) / size);
}

}  // namespace damier::learn
