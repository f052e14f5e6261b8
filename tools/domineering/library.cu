// The games of games.cuh for train_on_gpu.py. All pointers are to the card's memory; compiled
// without CUDA (for trials of the script) they are to the processor's.

#include <cstdio>
#include <cstdlib>

#include "tools/domineering/games.cuh"

namespace {

using namespace damier::learn::domineering::gpu;

#if defined(__CUDACC__)

template <class Work>
__global__ void each(std::int64_t count, Work work) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count) work(i);
}

template <class Work>
void for_each(std::int64_t count, Work work) {
  constexpr int kThreads = 128;
  if (count == 0) return;
  each<<<static_cast<unsigned>((count + kThreads - 1) / kThreads), kThreads>>>(count, work);
  if (const auto status = cudaGetLastError(); status != cudaSuccess) {
    std::fprintf(stderr, "%s\n", cudaGetErrorString(status));
    std::exit(1);
  }
}
#define DAMIER_WORK [=] __device__

#else

template <class Work>
void for_each(std::int64_t count, Work work) {
  for (std::int64_t i = 0; i < count; ++i) work(i);
}
#define DAMIER_WORK [=]

#endif

}  // namespace

extern "C" {

// Each player's move, by its number of games and its c (see Player); -1 where there is none.
void domineering_choose(const std::uint64_t* positions, const std::uint8_t* second,
                        const std::int32_t* games, const float* c, std::int64_t count,
                        std::uint64_t seed, std::int64_t* cells) {
  for_each(
      count, DAMIER_WORK(std::int64_t i) {
        Random random(seed, static_cast<std::uint64_t>(i));
        cells[i] = upright(positions[i]) == 0
                       ? -1
                       : chosen_move(positions[i], second[i] != 0, Player{games[i], c[i]}, random);
      });
}

void domineering_planes(const std::uint64_t* positions, std::int64_t count, float* planes) {
  for_each(
      64 * count, DAMIER_WORK(std::int64_t i) {
        const std::int64_t cell = i % 64, position = i / 64;
        planes_at(positions[position], static_cast<int>(cell), planes + 7 * 64 * position + cell,
                  64);
      });
}

void domineering_turn(const std::uint64_t* positions, std::int64_t count, std::int32_t turn,
                      std::uint64_t* turned_positions) {
  for_each(
      count, DAMIER_WORK(std::int64_t i) { turned_positions[i] = turned(positions[i], turn); });
}

// What a move leaves, as the other side sees it.
void domineering_after(const std::uint64_t* positions, const std::int64_t* cells,
                       std::int64_t count, std::uint64_t* next) {
  for_each(
      count, DAMIER_WORK(std::int64_t i) {
        next[i] = after_move(positions[i], static_cast<int>(cells[i]));
      });
}

}  // extern "C"
