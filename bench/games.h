// How fast the rules are: `damier bench games`.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bench/measure.h"

#include "damier/base/random.h"

namespace damier::bench {

struct GamesReport {
  std::vector<Row> rows;
  // Uniform random domineering from the empty 8x8 board, a million games.
  double vertical_wins = 0;  // share
  double mean_length = 0;    // plies
};

// `on_row(done, of)` is called after every row.
GamesReport bench_games(Seed seed, const Effort& effort,
                        const std::function<void(std::size_t, std::size_t)>& on_row);

}  // namespace damier::bench
