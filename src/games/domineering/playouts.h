// The kernels of domineering's random games, chosen by hand for tests and benchmarks. Many games
// run four side by side on their own random streams, so that the processor works on one while
// another waits for its chain of shifts, counts and selects.
#pragma once

#include <cstdint>

#include "damier/games/domineering/domineering.h"
#include "damier/games/playout.h"

namespace damier::games::domineering {

enum class PlayoutKernel { plain, bmi2 };

// `bmi2` needs cpu_features().fast_pdep.
Outcome random_outcome_with(PlayoutKernel kernel, const Domineering& game, const State& state,
                            RandomStream& random);
PlayoutTally random_playouts_with(PlayoutKernel kernel, const Domineering& game, const State& state,
                                  std::uint64_t games, Seed seed, std::uint64_t item);

}  // namespace damier::games::domineering
