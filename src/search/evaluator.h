// What a tree search asks at a new leaf: how good is it, and which moves look good. Random games
// answer here; a network or an exact table answers through the same door.
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <span>

#include "damier/games/game.h"
#include "damier/games/known.h"
#include "damier/search/playouts.h"

namespace damier::search {

// For the side to move.
struct Evaluation {
  float value = 0;  // expected result, -1 to 1
  games::Known known = {};
};

// evaluate() is called on positions that are not over. Where E::kGivesPriors, `moves` are the legal
// moves and the callee fills `priors`, one for each, not negative, with sum 1; otherwise both are
// empty, and the search spares the move list. Each tree has its own copy of the evaluator.
template <class E, class G>
concept EvaluatorFor = games::Rules<G> && std::copy_constructible<E> &&
    requires(E evaluator, const G game, const typename G::State state,
             std::span<const typename G::Move> moves, std::span<float> priors,
             RandomStream random) {
  { E::kGivesPriors } -> std::convertible_to<bool>;
  { evaluator.evaluate(game, state, moves, priors, random) } -> std::same_as<Evaluation>;
};

// Makes what an evaluator says sound. A network may overflow on the way; a tree that believed such
// numbers would leave its arrays. A value that is no finite number becomes 0, priors that are no
// distribution become one: the same for every move, unless only their sum is wrong.
inline void make_sound(Evaluation& evaluation, std::span<float> priors) {
  constexpr float kRounding = 1e-3f;
  evaluation.value =
      std::isfinite(evaluation.value) ? std::clamp(evaluation.value, -1.0f, 1.0f) : 0.0f;
  if (priors.empty()) return;
  float sum = 0;
  bool sound = true;
  for (const float prior : priors) {
    sound = sound && prior >= 0;
    sum += prior;
  }
  if (!sound || !std::isfinite(sum) || sum <= 0) {
    std::fill(priors.begin(), priors.end(), 1.0f / static_cast<float>(priors.size()));
  } else if (std::abs(sum - 1) > kRounding) {
    for (float& prior : priors) prior /= sum;
  }
}

// What an evaluator says, made sound.
template <class G, EvaluatorFor<G> E>
Evaluation ask(E& evaluator, const G& game, const typename G::State& state,
               std::span<const typename G::Move> moves, std::span<float> priors,
               RandomStream& random) {
  Evaluation evaluation = evaluator.evaluate(game, state, moves, priors, random);
  make_sound(evaluation, priors);
  return evaluation;
}

// The mean of random games.
class PlayoutEvaluator {
 public:
  static constexpr bool kGivesPriors = false;

  explicit PlayoutEvaluator(int playouts = 1, int max_plies = kPlayoutPlies)
      : playouts_(playouts), max_plies_(max_plies) {}

  template <games::Rules G>
  Evaluation evaluate(const G& game, const typename G::State& state,
                      std::span<const typename G::Move>, std::span<float>,
                      RandomStream& random) const {
    const games::Side side = game.side_to_move(state);
    double sum = 0;
    if (playouts_ < kManyPlayouts) {
      for (int i = 0; i < playouts_; ++i) {
        sum += result_for(side, playout(game, state, random, max_plies_));
      }
    } else {
      sum = result_for(
          side, playouts(game, state, static_cast<std::uint64_t>(playouts_), random, max_plies_));
    }
    return {.value = static_cast<float>(sum / playouts_)};
  }

 private:
  // From here on it pays to set up streams of their own for many games side by side.
  static constexpr int kManyPlayouts = 16;

  int playouts_;
  int max_plies_;
};

}  // namespace damier::search
