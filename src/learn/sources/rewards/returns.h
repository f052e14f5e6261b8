// What moves were worth: rewards to come, seen from the side that moved. The next position often
// belongs to the opponent, whose values count with the sign turned; after the end there is none.
#pragma once

#include <cassert>
#include <cmath>
#include <span>
#include <vector>

#include "damier/learn/sources/rewards/experience.h"
#include "damier/learn/sources/rewards/options.h"

namespace damier::learn {

// The rewards of up to `moves` moves from a time on, and the position that follows them.
struct Ahead {
  double reward = 0;
  double factor = 0;  // of the value of the position at `time`; 0: the game was over before
  Time time = 0;
};
inline Ahead look_ahead(const Experience& experience, Time time, std::size_t game, int moves,
                        double discount, const Faults& faults = {}) {
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

// The legal action of the greatest value, the first of those that are equal; there is one. With
// `illegal_too` those that are marked as illegal take part.
template <class T>
int best_legal(std::span<const T> values, std::span<const std::uint8_t> legal,
               bool illegal_too = false) {
  int best = -1;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (legal[i] != kLegal && !(illegal_too && legal[i] == kIllegal)) continue;
    if (best < 0 || values[i] > values[static_cast<std::size_t>(best)]) best = static_cast<int>(i);
  }
  assert(best >= 0);
  return best;
}

// What a move should be worth: the legal action that `choosing` likes best in the position that
// follows is worth what `valuing` says. Both are the same network's, or of two (double Q-learning).
template <class T>
double q_target(const Ahead& ahead, std::span<const T> choosing, std::span<const T> valuing,
                std::span<const std::uint8_t> legal, bool illegal_too = false) {
  const auto best = static_cast<std::size_t>(best_legal(choosing, legal, illegal_too));
  return ahead.reward + ahead.factor * static_cast<double>(valuing[best]);
}

// How much better than expected the moves from `first` until before now() were (Schulman et al.,
// 2016): out[(time - first) * games + game]. With `lambda` 1 all rewards to now() count and only
// then the value that was expected; with 0 the value of the next position does at once.
//
// A move that the policy would rarely make says little about what follows from it: `weights`, by
// the same places, multiply what comes after (V-trace, Espeholt et al., 2018); empty: all are 1.
inline void find_advantages(const Experience& experience, Time first, double discount,
                            double lambda, std::vector<float>& out,
                            std::span<const float> weights = {}) {
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
