#include "damier/learn/sources/rewards/acting.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "damier/base/files/interrupt.h"
#include "damier/learn/sources/rewards/returns.h"
#include "damier/nn/network.h"
namespace damier::learn {

namespace {

int random_legal(std::span<const std::uint8_t> legal, RandomStream& random) {
  const auto count = std::ranges::count(legal, kLegal);
  auto left = random.below(static_cast<std::uint64_t>(count));
  for (std::size_t i = 0;; ++i) {
    if (legal[i] == kLegal && left-- == 0) return static_cast<int>(i);
  }
}

// Draws a move, unless it is given.
Choice drawn_by_scores(std::span<const float> scores, std::span<const std::uint8_t> legal,
                       const Choosing& choosing, std::optional<int> given, RandomStream& random) {
  const auto counts = [&](std::size_t i) {
    return legal[i] == kLegal || (choosing.illegal_too && legal[i] == kIllegal);
  };
  double top = -std::numeric_limits<double>::infinity(), sum = 0;
  const auto scaled = [&](std::size_t i) {
    return static_cast<double>(scores[i]) / choosing.temperature;
  };
  for (std::size_t i = 0; i < legal.size(); ++i) {
    if (counts(i)) top = std::max(top, scaled(i));
  }
  for (std::size_t i = 0; i < legal.size(); ++i) {
    if (counts(i)) sum += std::exp(scaled(i) - top);
  }
  const auto log_probability = [&](std::size_t i) {
    return static_cast<float>(scaled(i) - top - std::log(sum));
  };
  if (given) return {*given, log_probability(static_cast<std::size_t>(*given))};
  double left = random.uniform() * sum;
  Choice choice;
  for (std::size_t i = 0; i < legal.size(); ++i) {
    if (!counts(i)) continue;
    // The last legal one where rounding leaves something over.
    choice = {static_cast<int>(i), log_probability(i)};
    left -= std::exp(scaled(i) - top);
    if (left < 0) break;
  }
  return choice;
}

}  // namespace

Choice choose(std::span<const float> scores, std::span<const std::uint8_t> legal,
              const Choosing& choosing, RandomStream& random) {
  std::optional<int> given;
  if (choosing.epsilon > 0 && random.uniform() < choosing.epsilon) {
    given = random_legal(legal, random);
  }
  if (choosing.temperature > 0) return drawn_by_scores(scores, legal, choosing, given, random);
  return {given ? *given : best_legal(scores, legal, choosing.illegal_too), 0};
}

}  // namespace damier::learn
