// How the program is told to run benchmarks: only damier_bench (bench/main.cc) carries them.
#pragma once

#include <functional>

namespace damier::bench {
struct Suite;
struct SuiteRequest;
}  // namespace damier::bench

namespace damier::app {

struct Context;

// Measures, prints, and returns the exit code.
using BenchmarkRunner =
    std::function<int(const bench::Suite&, const bench::SuiteRequest&, const Context&)>;

}  // namespace damier::app
