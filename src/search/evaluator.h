// What a tree search asks at a new leaf: how good is it, and which moves look good. Random games
// answer here; a network or an exact table answers through the same door.
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <numeric>
#include <span>

#include "damier/base/files/interrupt.h"
#include "damier/games/known.h"
#include "damier/games/playout.h"

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
  const float sum = std::accumulate(priors.begin(), priors.end(), 0.0f);
  const bool sound = std::ranges::all_of(priors, [](float prior) { return prior >= 0; });
  if (!sound || !std::isfinite(sum) || sum <= 0) {
    std::ranges::fill(priors, 1.0f / static_cast<float>(priors.size()));
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

// Random games from a position, as a measure of it. A game that declares random_outcome() or
// random_playouts() beside its class has them used instead of playing move by move.

// A playout that goes on for longer is taken for a draw.
inline constexpr int kPlayoutPlies = 400;

// Many playouts at once take a part of a second.
inline constexpr std::uint64_t kGamesBetweenLooks = std::uint64_t{1} << 18;

// A game that plays one random game, or many at once, faster than move by move.
template <class G>
concept HasFastPlayout = games::Rules<G> &&
    requires(const G game, const typename G::State state, RandomStream random) {
  { random_outcome(game, state, random) } -> std::same_as<games::Outcome>;
};
template <class G>
concept HasManyPlayouts = games::Rules<G> && requires(const G game, const typename G::State state) {
  { random_playouts(game, state, std::uint64_t{}, Seed{}) } -> std::same_as<games::PlayoutTally>;
};

// One game played at random to its end. Never `ongoing`.
template <games::Rules G>
games::Outcome playout(const G& game, const typename G::State& state, RandomStream& random,
                       int max_plies = kPlayoutPlies) {
  if constexpr (HasFastPlayout<G>) {
    return random_outcome(game, state, random);
  } else {
    return games::random_playout(game, state, random, max_plies).outcome;
  }
}

// `count` games, or fewer after an interrupt, but at least one.
template <games::Rules G>
games::PlayoutTally playouts(const G& game, const typename G::State& state, std::uint64_t games,
                             RandomStream& random, int max_plies = kPlayoutPlies) {
  games::PlayoutTally tally;
  while (tally.games < games && !(tally.games > 0 && interrupted())) {
    if constexpr (HasManyPlayouts<G>) {
      const std::uint64_t more =
          interrupted() ? 1 : std::min(games - tally.games, kGamesBetweenLooks);
      tally += random_playouts(game, state, more, Seed{random()});
    } else {
      const games::Playout one = games::random_playout(game, state, random, max_plies);
      tally += {.games = 1,
                .first_wins = one.outcome == games::Outcome::first_wins,
                .draws = one.outcome == games::Outcome::draw,
                .plies = static_cast<std::uint64_t>(one.plies)};
    }
  }
  return tally;
}

// The sum of the results for `side`: 1 a win, -1 a loss.
inline double result_for(games::Side side, const games::PlayoutTally& tally) {
  const double first = 2.0 * static_cast<double>(tally.first_wins) +
                       static_cast<double>(tally.draws) - static_cast<double>(tally.games);
  return side == games::Side::first ? first : -first;
}

inline double result_for(games::Side side, games::Outcome outcome) {
  if (outcome == games::Outcome::draw) return 0;
  return outcome == games::win_of(side) ? 1 : -1;
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
