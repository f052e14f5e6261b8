// The solved tables of Brême for programs in other languages: train_bremen.py learns from them.
// Pointers to states and answers are to memory of the graphics card.

#include <cstdio>

#include "tools/bremen_solution/lookup.cuh"

using namespace damier::exact::bremen;

extern "C" {

// All states, solved; 116 GB of the card's memory, of which 108 GB stay.
// `passes` ends the work early when it is not 0.
void* bremen_solve(int passes) {
  auto* solver = new gpu::Solver<FullBoard>(gpu::kUsualWins, gpu::kUsualLosses);
  solver->solve([&](const gpu::Pass& pass) {
    std::printf("%d,%llu,%.3f\n", pass.number, static_cast<unsigned long long>(pass.states),
                pass.seconds);
    std::fflush(stdout);
    return pass.number != passes;
  });
  for (int duty = 0; duty <= State<FullBoard>::kFree; ++duty) {
    const auto counts = solver->count(duty);
    std::printf("duty %d: %llu won, %llu lost\n", duty, counts[0], counts[1]);
  }
  std::fflush(stdout);
  return solver;
}

void bremen_look_up(void* solver, const std::uint64_t* states, std::int64_t count,
                    std::int16_t* actions, std::int16_t* scores) {
  const auto* solved = static_cast<const gpu::Solver<FullBoard>*>(solver);
  if (count == 0) return;
  gpu::look_up<<<gpu::blocks_for(count), gpu::kThreads>>>(solved->tables(), solved->geometry(),
                                                          states, count, actions, scores);
  gpu::require(cudaGetLastError(), "looking up");
}

void bremen_play(std::uint64_t* states, const std::uint8_t* actions, std::int64_t count,
                 std::uint8_t* finished) {
  if (count == 0) return;
  gpu::play<<<gpu::blocks_for(count), gpu::kThreads>>>(Geometry<FullBoard>(), states, actions,
                                                       count, finished);
  gpu::require(cudaGetLastError(), "playing");
}

}  // extern "C"
