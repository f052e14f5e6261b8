// Random domineering games by the million: four games side by side on their own random streams, so
// that the processor works on one while another waits for its chain of shifts, counts and selects.
#pragma once

#include <cstdint>

#include "damier/games/domineering/domineering.h"
#include "damier/games/playout.h"

namespace damier::games::domineering {

// `games` uniformly random games from `state`. The numbers come from the streams of `seed` named
// "domineering.playouts" with the indices that belong to `item`: the result depends on nothing
// else. A move is drawn with 32 random bits, so a probability is off by less than 2^-26.
PlayoutTally random_playouts(const Domineering& game, const State& state, std::uint64_t games,
                             Seed seed, std::uint64_t item = 0);

enum class PlayoutKernel { plain, bmi2 };

// The same on a chosen kernel; `bmi2` needs cpu_features().fast_pdep.
PlayoutTally random_playouts_with(PlayoutKernel kernel, const Domineering& game, const State& state,
                                  std::uint64_t games, Seed seed, std::uint64_t item);

}  // namespace damier::games::domineering
