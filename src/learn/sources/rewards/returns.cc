#include "damier/learn/sources/rewards/returns.h"

#include <cassert>
#include <cmath>

namespace damier::learn {

Ahead look_ahead(const Experience& experience, Time time, std::size_t game, int moves,
                 double discount, const Faults& faults) {
  Ahead ahead = {0, 1, time};
  for (int i = 0; i < moves && ahead.factor != 0; ++i, ++ahead.time) {
    const std::size_t place = experience.place(ahead.time, game);
    ahead.reward += ahead.factor * static_cast<double>(experience.reward(place));
    const auto sign = static_cast<double>(experience.sign(place));
    if (faults.no_end && experience.over(place)) {
      // The last position that was seen stands for the final one, which nobody has to look at.
      ahead.factor *= faults.same_sign ? discount : -discount;
      return ahead;
    }
    ahead.factor *= discount * (faults.same_sign ? std::abs(sign) : sign);
  }
  return ahead;
}

template <class T>
int best_legal(std::span<const T> values, std::span<const std::uint8_t> legal, bool illegal_too) {
  int best = -1;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (legal[i] != kLegal && !(illegal_too && legal[i] == kIllegal)) continue;
    if (best < 0 || values[i] > values[static_cast<std::size_t>(best)]) best = static_cast<int>(i);
  }
  assert(best >= 0);
  return best;
}

template <class T>
double q_target(const Ahead& ahead, std::span<const T> choosing, std::span<const T> valuing,
                std::span<const std::uint8_t> legal, bool illegal_too) {
  const auto best = static_cast<std::size_t>(best_legal(choosing, legal, illegal_too));
  return ahead.reward + ahead.factor * static_cast<double>(valuing[best]);
}

template double q_target(const Ahead&, std::span<const float>, std::span<const float>,
                         std::span<const std::uint8_t>, bool);
template double q_target(const Ahead&, std::span<const double>, std::span<const double>,
                         std::span<const std::uint8_t>, bool);
template int best_legal(std::span<const float>, std::span<const std::uint8_t>, bool);
template int best_legal(std::span<const double>, std::span<const std::uint8_t>, bool);

void find_advantages(const Experience& experience, Time first, double discount, double lambda,
                     std::vector<float>& out, std::span<const float> weights) {
  const std::size_t games = experience.size().games;
  out.resize(static_cast<std::size_t>(experience.now() - first) * games);
  for (std::size_t game = 0; game < games; ++game) {
    double later = 0;
    for (Time time = experience.now(); time-- > first;) {
      const std::size_t place = experience.place(time, game);
      const double next = discount * static_cast<double>(experience.sign(place));
      const auto value = [&](Time at) {
        return static_cast<double>(experience.value(experience.place(at, game)));
      };
      later = static_cast<double>(experience.reward(place)) + next * value(time + 1) - value(time) +
              lambda * next * later;
      const std::size_t at = static_cast<std::size_t>(time - first) * games + game;
      out[at] = static_cast<float>(later);
      if (!weights.empty()) later *= static_cast<double>(weights[at]);
    }
  }
}

}  // namespace damier::learn
