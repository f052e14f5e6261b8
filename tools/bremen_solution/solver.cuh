// Solves all states of Brême on a graphics card: the passes of ../passes.h, each by many threads.
//
// A pass takes moves back from what the pass before has found. Where that does not fit into a list,
// it looks at every open state instead: a warp at the 32 of one word of the planes.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <utility>
#include <vector>

#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include "tools/bremen_solution/tables.cuh"

namespace damier::exact::bremen::gpu {

inline void require(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

// Memory of the card.
template <class T>
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(std::uint64_t size) : size_(size) {
    require(cudaMalloc(&data_, size * sizeof(T)), "memory of the graphics card");
  }
  Buffer(Buffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~Buffer() { cudaFree(data_); }

  T* data() const { return data_; }
  std::uint64_t size() const { return size_; }
  void clear() { require(cudaMemset(data_, 0, size_ * sizeof(T)), "clearing memory"); }
  std::vector<T> copy() const {
    std::vector<T> values(size_);
    require(cudaMemcpy(values.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost), "copying");
    return values;
  }

 private:
  T* data_ = nullptr;
  std::uint64_t size_ = 0;
};

// States of a pass that moves are taken back from: 8 GB.
inline constexpr std::uint64_t kUsualWins = 800'000'000, kUsualLosses = 200'000'000;

inline constexpr int kThreads = 256;
inline constexpr int kWarp = 32;
static_assert(kWarp == Numbering<FullBoard>::kWordBits);

// A state that a pass has found lost.
struct Found {
  std::uint64_t number_and_duty;

  static constexpr int kDutyShift = 60;
  DAMIER_HOST_DEVICE static Found of(std::uint64_t number, int duty) {
    return {number | static_cast<std::uint64_t>(duty) << kDutyShift};
  }
  DAMIER_HOST_DEVICE std::uint64_t number() const {
    return number_and_duty & ((std::uint64_t{1} << kDutyShift) - 1);
  }
  DAMIER_HOST_DEVICE int duty() const { return static_cast<int>(number_and_duty >> kDutyShift); }
};

// States that a pass has found, as far as they fit: otherwise the next pass looks at every state.
struct List {
  Found* entries = nullptr;
  std::uint64_t size = 0;
  unsigned long long* count = nullptr;  // may exceed the size

  // The threads of a warp that are here together ask for their places once.
  __device__ void add(std::uint64_t number, int duty) const {
    const auto together = cooperative_groups::coalesced_threads();
    unsigned long long at = 0;
    if (together.thread_rank() == 0) at = atomicAdd(count, together.size());
    at = together.shfl(at, 0) + together.thread_rank();
    if (at < size) entries[at] = Found::of(number, duty);
  }
};

// A kernel keeps its own copy near. Called by all threads of a block.
template <class B>
__device__ const Geometry<B>& near_copy(const Geometry<B>& geometry) {
  __shared__ SquareSet words[sizeof(Geometry<B>) / sizeof(SquareSet)];
  const auto* source = reinterpret_cast<const SquareSet*>(&geometry);
  for (unsigned int i = threadIdx.x; i < sizeof words / sizeof words[0]; i += blockDim.x) {
    words[i] = source[i];
  }
  __syncthreads();
  return *reinterpret_cast<const Geometry<B>*>(words);
}

// Calls visit(word, lane) for all words of the states of a duty, in every lane of a warp at once.
template <class B, class Visit>
__device__ void for_each_word(int duty, Visit visit) {
  const std::uint64_t warps = std::uint64_t{gridDim.x} * (blockDim.x / kWarp);
  std::uint64_t word = (std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x) / kWarp;
  for (; word < Numbering<B>::count(duty) / kWarp; word += warps) {
    visit(word, static_cast<int>(threadIdx.x % kWarp));
  }
}

// Finished games are lost; numbers that are no states go into both planes.
template <class B>
__global__ void pass_zero(Tables<B> tables, Geometry<B> table, int duty, List found) {
  using Order = Numbering<B>;
  const Geometry<B>& geometry = near_copy(table);
  for_each_word<B>(duty, [&](std::uint64_t word, int lane) {
    const std::uint64_t number = word * kWarp + lane;
    const State<B> state = Order::state_at(number, duty);
    const bool real = Order::is_state(number, duty) && can_have_duty(state, duty);
    const bool finished = real && is_finished(geometry, state);
    const unsigned int none = __ballot_sync(~0u, !real), lost = __ballot_sync(~0u, finished);
    if (lane == 0) {
      tables.won.words[duty][word] = none;
      tables.lost.words[duty][word] = none | lost;
    }
    tables.half_distances[duty][number] = 0;
    if (finished) found.add(number, duty);
  });
}

// Looks at every open state of a duty.
template <class B, bool Wins>
__global__ void __launch_bounds__(kThreads)
    look_at_all(Tables<B> tables, Geometry<B> table, int duty, int pass, List found) {
  const Geometry<B>& geometry = near_copy(table);
  for_each_word<B>(duty, [&](std::uint64_t word, int lane) {
    const std::uint32_t won = tables.won.words[duty][word], lost = tables.lost.words[duty][word];
    const std::uint32_t open = ~(won | lost);
    if (open == 0) return;
    const std::uint64_t number = word * kWarp + lane;
    bool holds = false;
    if (open >> lane & 1u) {
      const State<B> state = Numbering<B>::state_at(number, duty);
      holds = Wins ? is_won(geometry, tables.lost, state) : is_lost(geometry, tables.won, state);
    }
    const unsigned int decided = __ballot_sync(~0u, holds);
    if (lane == 0 && decided != 0) {
      (Wins ? tables.won : tables.lost).words[duty][word] = (Wins ? won : lost) | decided;
    }
    if (!holds) return;
    tables.half_distances[duty][number] = static_cast<std::uint8_t>(pass / 2);
    found.add(number, duty);
  });
}

// Takes moves back from what the pass before has found.
template <class B, bool Wins>
__global__ void __launch_bounds__(kThreads)
    take_back(Tables<B> tables, Geometry<B> table, int pass, const Found* before,
              std::uint64_t count, List found) {
  const Geometry<B>& geometry = near_copy(table);
  const Planes<B>& planes = Wins ? tables.won : tables.lost;
  const auto decide = [&](std::uint64_t number, int duty) {
    std::uint32_t* word = &planes.words[duty][number / kWarp];
    const std::uint32_t bit = 1u << (number % kWarp);
    if ((*word & bit) != 0 || (atomicOr(word, bit) & bit) != 0) return;
    tables.half_distances[duty][number] = static_cast<std::uint8_t>(pass / 2);
    found.add(number, duty);
  };
  const std::uint64_t threads = std::uint64_t{gridDim.x} * blockDim.x;
  std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  for (; i < count; i += threads) {
    const State<B> state = Numbering<B>::state_at(before[i].number(), before[i].duty());
    if (Wins) {
      for_each_winner(geometry, state, decide);
    } else {
      for_each_loser(geometry, tables.won, tables.lost, state, decide);
    }
  }
}

// Numbers that are no states are in both planes.
template <class B>
__global__ void count_states(Tables<B> tables, int duty, unsigned long long* won_and_lost) {
  const std::uint64_t threads = std::uint64_t{gridDim.x} * blockDim.x;
  std::uint64_t word = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  unsigned long long won = 0, lost = 0;
  for (; word < Numbering<B>::count(duty) / kWarp; word += threads) {
    const std::uint32_t w = tables.won.words[duty][word], l = tables.lost.words[duty][word];
    won += __popc(w & ~l);
    lost += __popc(l & ~w);
  }
  atomicAdd(won_and_lost, won);
  atomicAdd(won_and_lost + 1, lost);
}

// What one pass has found.
struct Pass {
  int number = 0;  // the distance of what it found, in plies
  std::uint64_t states = 0;
  bool looked_at_all = false;
  double seconds = 0;
};

template <class B>
class Solver {
 public:
  using Order = Numbering<B>;

  // `wins` and `losses`: so many states of a pass are kept for taking moves back.
  Solver(std::uint64_t wins, std::uint64_t losses)
      : counts_(2), lists_{Buffer<Found>(losses), Buffer<Found>(wins)} {
    for (int duty = 0; duty < Order::kPlanes; ++duty) {
      for (Planes<B>* planes : {&tables_.won, &tables_.lost}) {
        words_.emplace_back(Order::count(duty) / kWarp);
        planes->words[duty] = words_.back().data();
      }
      half_distances_.emplace_back(Order::count(duty));
      tables_.half_distances[duty] = half_distances_.back().data();
    }
    require(cudaGetDeviceProperties(&card_, 0), "the graphics card");
  }

  // `on_pass` hears of every pass and may end the work by returning false.
  void solve(const std::function<bool(const Pass&)>& on_pass) {
    counts_.clear();
    for (int duty = 0; duty < Order::kPlanes; ++duty) {
      pass_zero<B><<<grid(), kThreads>>>(tables_, geometry_, duty, list(0));
    }
    require(cudaDeviceSynchronize(), "pass 0");
    std::uint64_t found_before = counts_.copy()[0];
    for (int number = 1; found_before != 0; ++number) {
      const Pass pass = run(number, found_before);
      if (!on_pass(pass)) break;
      found_before = pass.states;
    }
    for (auto& list : lists_) list = Buffer<Found>();
  }

  const Tables<B>& tables() const { return tables_; }
  const Geometry<B>& geometry() const { return geometry_; }

  // How many states of a duty are won and lost.
  std::vector<unsigned long long> count(int duty) const {
    Buffer<unsigned long long> counts(2);
    counts.clear();
    count_states<B><<<grid(), kThreads>>>(tables_, duty, counts.data());
    require(cudaDeviceSynchronize(), "counting");
    return counts.copy();
  }

 private:
  int grid() const { return card_.multiProcessorCount * 16; }

  // What passes of that parity find.
  List list(int parity) const {
    return {lists_[parity].data(), lists_[parity].size(), counts_.data() + parity};
  }

  Pass run(int number, std::uint64_t found_before) {
    const int parity = number % 2;
    const Buffer<Found>& before = lists_[1 - parity];
    const List found = list(parity);
    Pass pass;
    pass.number = number;
    pass.looked_at_all = found_before > before.size();
    require(cudaMemset(found.count, 0, sizeof *found.count), "clearing memory");
    const auto begin = std::chrono::steady_clock::now();
    if (pass.looked_at_all) {
      for (int duty = 0; duty < Order::kPlanes; ++duty) {
        const auto look = parity == 1 ? look_at_all<B, true> : look_at_all<B, false>;
        look<<<grid(), kThreads>>>(tables_, geometry_, duty, number, found);
      }
    } else {
      const auto go = parity == 1 ? take_back<B, true> : take_back<B, false>;
      go<<<grid(), kThreads>>>(tables_, geometry_, number, before.data(), found_before, found);
    }
    require(cudaDeviceSynchronize(), "a pass");
    pass.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    pass.states = counts_.copy()[static_cast<std::size_t>(parity)];
    return pass;
  }

  Geometry<B> geometry_;
  Tables<B> tables_;
  std::vector<Buffer<std::uint32_t>> words_;
  std::vector<Buffer<std::uint8_t>> half_distances_;
  Buffer<unsigned long long> counts_;  // losses, wins
  Buffer<Found> lists_[2];             // likewise
  cudaDeviceProp card_ = {};
};

}  // namespace damier::exact::bremen::gpu
