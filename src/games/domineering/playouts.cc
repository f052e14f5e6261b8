#include "damier/games/domineering/playouts.h"

#include "damier/games/domineering/playouts_kernel.h"

namespace damier::games::domineering {

namespace {

constexpr CompiledFor<const PlayoutKernels*> kCompiledPlayouts = {
    .plain = &k_playouts_plain,
#if defined(__x86_64__)
    .bmi2 = &k_playouts_bmi2,
#endif
};

const PlayoutKernels& best_playouts() {
  static const PlayoutKernels& best = *kCompiledPlayouts.best();
  return best;
}

KernelBoard kernel_board(const Domineering& game, const State& state) {
  const Side other = opponent(state.side);
  return {state.free,
          {game.lower_cells(state.side), game.lower_cells(other)},
          {game.shift(state.side), game.shift(other)}};
}

Outcome outcome_by(const PlayoutKernels& kernels, const Domineering& game, const State& state,
                   RandomStream& random) {
  RandomStream::State words = random.state();
  const bool won = kernels.mover_wins(kernel_board(game, state), words.data());
  random = RandomStream(words);
  return win_of(won ? state.side : opponent(state.side));
}

PlayoutTally tally_by(const PlayoutKernels& kernels, const Domineering& game, const State& state,
                      std::uint64_t games, Seed seed, std::uint64_t item) {
  std::uint64_t streams[kLanes][4];
  for (std::uint64_t lane = 0; lane < kLanes; ++lane) {
    const RandomStream stream(seed, "domineering.playouts", kLanes * item + lane);
    for (std::size_t word = 0; word < 4; ++word) streams[lane][word] = stream.state()[word];
  }
  const KernelTally tally = kernels.tally(kernel_board(game, state), games, streams);
  const bool mover_is_first = state.side == Side::first;
  return {.games = games,
          .first_wins = mover_is_first ? tally.mover_wins : games - tally.mover_wins,
          .draws = 0,
          .plies = tally.plies};
}

}  // namespace

Outcome random_outcome_with(Isa isa, const Domineering& game, const State& state,
                            RandomStream& random) {
  return outcome_by(*kCompiledPlayouts.of(isa), game, state, random);
}

Outcome random_outcome(const Domineering& game, const State& state, RandomStream& random) {
  return outcome_by(best_playouts(), game, state, random);
}

PlayoutTally random_playouts_with(Isa isa, const Domineering& game, const State& state,
                                  std::uint64_t games, Seed seed, std::uint64_t item) {
  return tally_by(*kCompiledPlayouts.of(isa), game, state, games, seed, item);
}

PlayoutTally random_playouts(const Domineering& game, const State& state, std::uint64_t games,
                             Seed seed, std::uint64_t item) {
  return tally_by(best_playouts(), game, state, games, seed, item);
}

}  // namespace damier::games::domineering
