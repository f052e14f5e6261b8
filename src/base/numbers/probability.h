// Probabilities that somebody else worked out, such as a network: numbers that may be nonsense.
#pragma once

#include <algorithm>
#include <cmath>

namespace damier {

// The number itself where it is a probability, the nearest one where it is not; one half where it
// is no number at all.
inline float sound_probability(float number) {
  return std::isnan(number) ? 0.5f : std::clamp(number, 0.0f, 1.0f);
}

}  // namespace damier
