// The program as a function: every command, on the games of a registry.
#pragma once

#include "damier/app/context.h"

namespace damier::app {

// Returns the exit code: 0 done, 1 the work failed, 2 the command line or an input is wrong,
// 130 interrupted.
int run(const learn::Registry& registry, const GameCommandsList& games, int argc, char** argv,
        const BenchmarkRunner& run_benchmarks = {});
// With what the games that ship offer to the commands.
int run(const learn::Registry& registry, int argc, char** argv,
        const BenchmarkRunner& run_benchmarks = {});

}  // namespace damier::app
