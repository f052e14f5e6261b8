// Commands that several processes run together, as under mpirun: rank 0 runs the command, the
// others do the work that it shares.
#pragma once

#include <functional>

#include "damier/app/context.h"

namespace damier::app {

// Runs the command, alone or with the other processes that were started with this one. A command
// that shares no work is refused there, before it does the same thing several times.
int run_among_ranks(const Command& command, Context& context, const Action& action);

}  // namespace damier::app
