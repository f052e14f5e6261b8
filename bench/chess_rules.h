// How fast the rules of chess are: `damier bench chess-rules`, alone or beside Stockfish.
#pragma once

#include <functional>
#include <vector>

#include "bench/measure.h"

#include "damier/base/random.h"
#include "damier/base/result.h"

namespace damier::bench {

inline constexpr std::size_t kChessRows = 6;

// With `stockfish`, perft is measured beside Debian's stockfish in the same run, in alternation;
// otherwise beside the plain count of every node.
Result<std::vector<Row>> bench_chess_rules(
    bool stockfish, Seed seed, const Effort& effort,
    const std::function<void(std::size_t, std::size_t)>& on_row);

}  // namespace damier::bench
