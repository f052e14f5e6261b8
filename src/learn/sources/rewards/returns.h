// What moves were worth: rewards to come, seen from the side that moved. The next position often
// belongs to the opponent, whose values count with the sign turned; after the end there is none.
#pragma once

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
Ahead look_ahead(const Experience& experience, Time time, std::size_t game, int moves,
                 double discount, const Faults& faults = {});

// The legal action of the greatest value, the first of those that are equal; there is one. With
// `illegal_too` those that are marked as illegal take part.
template <class T>
int best_legal(std::span<const T> values, std::span<const std::uint8_t> legal,
               bool illegal_too = false);

// What a move should be worth: the legal action that `choosing` likes best in the position that
// follows is worth what `valuing` says. Both are the same network's, or of two (double Q-learning).
template <class T>
double q_target(const Ahead& ahead, std::span<const T> choosing, std::span<const T> valuing,
                std::span<const std::uint8_t> legal, bool illegal_too = false);

// How much better than expected the moves from `first` until before now() were (Schulman et al.,
// 2016): out[(time - first) * games + game]. With `lambda` 1 all rewards to now() count and only
// then the value that was expected; with 0 the value of the next position does at once.
//
// A move that the policy would rarely make says little about what follows from it: `weights`, by
// the same places, multiply what comes after (V-trace, Espeholt et al., 2018); empty: all are 1.
void find_advantages(const Experience& experience, Time first, double discount, double lambda,
                     std::vector<float>& out, std::span<const float> weights = {});

}  // namespace damier::learn
