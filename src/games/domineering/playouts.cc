#include "damier/games/domineering/playouts.h"

#include <cassert>

#include "damier/base/parallel/cpu.h"
#include "damier/games/domineering/playouts_kernel.h"

namespace damier::games::domineering {

namespace {

KernelTally run_kernel(PlayoutKernel kernel, const KernelBoard& board, std::uint64_t games,
                       std::uint64_t (*streams)[4]) {
#if defined(__x86_64__)
  if (kernel == PlayoutKernel::bmi2) return run_playouts_bmi2(board, games, streams);
#endif
  assert(kernel == PlayoutKernel::plain);
  return run_playouts_plain(board, games, streams);
}

}  // namespace

PlayoutTally random_playouts_with(PlayoutKernel kernel, const Domineering& game, const State& state,
                                  std::uint64_t games, Seed seed, std::uint64_t item) {
  std::uint64_t streams[kLanes][4];
  for (std::uint64_t lane = 0; lane < kLanes; ++lane) {
    const RandomStream stream(seed, "domineering.playouts", kLanes * item + lane);
    for (std::size_t word = 0; word < 4; ++word) streams[lane][word] = stream.state()[word];
  }
  const Side other = opponent(state.side);
  const KernelBoard board = {state.free,
                             {game.lower_cells(state.side), game.lower_cells(other)},
                             {game.shift(state.side), game.shift(other)}};
  const KernelTally tally = run_kernel(kernel, board, games, streams);
  const bool mover_is_first = state.side == Side::first;
  return {.games = games,
          .first_wins = mover_is_first ? tally.mover_wins : games - tally.mover_wins,
          .draws = 0,
          .plies = tally.plies};
}

PlayoutTally random_playouts(const Domineering& game, const State& state, std::uint64_t games,
                             Seed seed, std::uint64_t item) {
#if defined(__x86_64__)
  const auto kernel = cpu_features().fast_pdep ? PlayoutKernel::bmi2 : PlayoutKernel::plain;
#else
  const auto kernel = PlayoutKernel::plain;
#endif
  return random_playouts_with(kernel, game, state, games, seed, item);
}

}  // namespace damier::games::domineering
