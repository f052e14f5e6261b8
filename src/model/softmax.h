// From scores to probabilities.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

namespace damier::model {

inline void softmax(std::span<float> scores) {
  const float most = *std::max_element(scores.begin(), scores.end());
  float sum = 0;
  for (float& score : scores) sum += score = std::exp(score - most);
  for (float& score : scores) score /= sum;
}

}  // namespace damier::model
