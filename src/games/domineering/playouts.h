// Random games of domineering, with the instruction set chosen by hand for tests and benchmarks.
// Many games run four side by side on their own random streams, so that the processor works on one
// while another waits for its chain of shifts, counts and selects.
#pragma once

#include <cstdint>

#include "damier/base/parallel/isa.h"
#include "damier/games/domineering/domineering.h"
#include "damier/games/playout.h"

namespace damier::games::domineering {

// For Isa::plain and, where it can run, Isa::bmi2; both play the same games.
Outcome random_outcome_with(Isa isa, const Domineering& game, const State& state,
                            RandomStream& random);
PlayoutTally random_playouts_with(Isa isa, const Domineering& game, const State& state,
                                  std::uint64_t games, Seed seed, std::uint64_t item);

}  // namespace damier::games::domineering
